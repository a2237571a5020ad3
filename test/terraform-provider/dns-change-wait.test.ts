import { ServiceError } from "../../lib/errors";
import type { HttpClient } from "../../lib/http";
import { createCloudApi } from "../../lib/terraform-provider/cloud-api";
import { recordSetKind } from "../../lib/terraform-provider/resources/dns";

const minuteMs = 60_000;
const record = {
  project: "p1",
  managed_zone: "zone",
  name: "www.example.com.",
  type: "A",
  ttl: 60,
  rrdatas: ["192.0.2.1"],
};

/**
 * Writes a record set with a clock that only the waits of the stand-in advance. @param doneAfterMs when the change is
 * done
 */
async function change(verb: "create" | "update" | "delete", doneAfterMs: number) {
  let nowMs = 0;
  const answerTo = (method: string, url: string): object => {
    if (url.includes("/changes")) {
      return { kind: "dns#change", id: "1", status: method === "GET" && nowMs >= doneAfterMs ? "done" : "pending" };
    }
    const isReadBack = url.includes("/rrsets?");
    return { rrsets: isReadBack ? [{ name: record.name, type: "A", ttl: 60, rrdatas: record.rrdatas }] : [] };
  };
  const http: Pick<HttpClient, "send"> = {
    send: async ({ method = "GET", url }) => ({
      status: 200,
      headers: new Map(),
      body: Buffer.from(JSON.stringify(answerTo(method, url))),
      text: JSON.stringify(answerTo(method, url)),
    }),
  };
  const api = createCloudApi({
    cloudUrl: "http://127.0.0.1:1/",
    http: http as HttpClient,
    accessToken: "t",
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  });
  const call = { api, signal: new AbortController().signal } as Parameters<typeof recordSetKind.create>[1];
  const work =
    verb === "create"
      ? recordSetKind.create(record, call)
      : verb === "update"
        ? recordSetKind.update?.(record, { ...record, ttl: 30 }, call)
        : recordSetKind.delete(record, call);
  const error = await Promise.resolve(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, waitedMs: nowMs };
}

describe("the provider waits for a change of Cloud DNS for 10 minutes", () => {
  test.each(["create", "update", "delete"] as const)("%s succeeds if the change is done after 9:59", async (verb) => {
    const { error, waitedMs } = await change(verb, 10 * minuteMs - 1_000);
    expect(error).toBeUndefined();
    expect(waitedMs).toBeGreaterThanOrEqual(10 * minuteMs - 1_000);
  });

  test.each(["create", "update", "delete"] as const)("%s fails if the change is pending for longer", async (verb) => {
    const { error, waitedMs } = await change(verb, Number.POSITIVE_INFINITY);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: "operation-timeout",
      message: expect.stringMatching(
        /^\w+ google_dns_record_set 'www\.example\.com\. A': .*: timeout while waiting for state to become 'done' \(last state: 'pending', timeout: 10m0s\)$/,
      ),
    });
    expect(waitedMs).toBeGreaterThan(10 * minuteMs);
    expect(waitedMs).toBeLessThan(10 * minuteMs + 1_000);
  });
});

test("a change of Cloud DNS that is not found ends the wait at once, unlike an operation of another service", async () => {
  let asked = 0;
  const http: Pick<HttpClient, "send"> = {
    send: async ({ purpose }) => {
      asked += 1;
      throw new ServiceError(`${purpose}: not found`, { code: "service-refused", status: 404, retryable: false });
    },
  };
  let nowMs = 0;
  const api = createCloudApi({
    cloudUrl: "http://127.0.0.1:1/",
    http: http as HttpClient,
    accessToken: "t",
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  });
  const attempt = { purpose: "waiting", signal: new AbortController().signal };
  const waitFor = (operation: { readonly kind?: string; readonly status: string }) =>
    api.settle(operation, "/x", attempt, 10_000).catch((error: unknown) => error);

  expect(await waitFor({ kind: "dns#change", status: "pending" })).toMatchObject({ status: 404 });
  expect(asked).toBe(1);
  expect(await waitFor({ kind: "compute#operation", status: "RUNNING" })).toBeInstanceOf(ServiceError);
  expect(asked).toBeGreaterThan(5);
});
