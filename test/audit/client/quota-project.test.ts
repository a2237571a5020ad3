import { ActivitiesClient } from "../../../lib/audit";
import type { HttpRequest } from "../../../lib/http";

test.each([
  ["my-quota", "my-quota"],
  [undefined, undefined],
])("counts requests against the quota of project %s", async (quotaProject, header) => {
  const sent: HttpRequest[] = [];
  const text = '{"kind":"admin#reports#activities"}';
  const http = {
    send: async (request: HttpRequest) => {
      sent.push(request);
      return { status: 200, headers: new Map<string, string>(), body: new Uint8Array(), text };
    },
  };
  const token = () => "ya29.token";
  const client = new ActivitiesClient({
    http,
    authorization: { token, ...(quotaProject === undefined ? {} : { quotaProject }) },
  });
  for await (const _ of client.list()) throw new Error("unexpected activity");
  expect(sent.map(({ headers }) => headers?.["x-goog-user-project"])).toEqual([header]);
  expect(sent[0]?.headers?.authorization).toBe("Bearer ya29.token");
});
