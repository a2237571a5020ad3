import { authorizedFetch } from "../../lib/google/authorized-fetch";
import { startServer } from "../support/loopback";

/** A server that answers with these statuses one after the other, and what asks it. */
async function start(...statuses: readonly number[]) {
  const slept: number[] = [];
  const server = await startServer((_, response, count) => {
    response.writeHead(statuses[count - 1] ?? 200);
    response.end("{}");
  });
  let paced = 0;
  const ask = authorizedFetch({
    credentials: async () => [["authorization", "Bearer token"]],
    pace: async () => {
      paced += 1;
    },
    sleep: async (milliseconds) => void slept.push(milliseconds),
    random: () => 0.5,
  });
  return { ...server, ask, slept, paced: () => paced };
}

test.each([200, 401, 403, 404, 500, 503])(
  "an answer of HTTP %i is handed on for the client to read",
  async (status) => {
    await using server = await start(status);
    const response = await server.ask(server.url, { headers: { "x-goog-api-client": "gax" } });
    expect([response.status, await response.text()]).toEqual([status, "{}"]);
    expect(server.requests.map(({ headers }) => [headers.authorization, headers["x-goog-api-client"]])).toEqual([
      ["Bearer token", "gax"],
    ]);
    expect(server.paced()).toBe(1);
  },
);

test("what the quota has no room for is asked again a moment later, each time within the pace", async () => {
  await using server = await start(429, 429, 200);
  expect((await server.ask(server.url)).status).toBe(200);
  expect(server.slept).toEqual([1_000, 3_000]);
  expect(server.paced()).toBe(3);
});

test("what the quota still has no room for then is handed on", async () => {
  await using server = await start(429, 429, 429);
  expect((await server.ask(server.url)).status).toBe(429);
  expect(server.requests).toHaveLength(3);
});

test("a service that can't be reached is told with its address and the code, never as a mere failure", async () => {
  const server = await start();
  const { url, ask } = server;
  await server[Symbol.asyncDispose]();
  const { host } = new URL(url);
  await expect(ask(`${url}/v1/projects?key=secret`)).rejects.toThrow(
    `http://${host} could not be reached: connect ECONNREFUSED ${host}`,
  );
});

test("what aborted a request is what it is rejected with", async () => {
  await using server = await start();
  const signal = AbortSignal.abort(new Error("stopped by SIGINT"));
  await expect(server.ask(server.url, { signal })).rejects.toThrow("stopped by SIGINT");
});
