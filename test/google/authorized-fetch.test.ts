import { authorizedFetch } from "../../lib/google/authorized-fetch";
import { startServer } from "../support/loopback";

/** Starts a server that answers with these statuses in order, and creates its client. */
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

test.each([200, 401, 403, 404, 500, 503])("returns an answer with HTTP %i to the client", async (status) => {
  await using server = await start(status);
  const response = await server.ask(server.url, { headers: { "x-goog-api-client": "gax" } });
  expect([response.status, await response.text()]).toEqual([status, "{}"]);
  expect(server.requests.map(({ headers }) => [headers.authorization, headers["x-goog-api-client"]])).toEqual([
    ["Bearer token", "gax"],
  ]);
  expect(server.paced()).toBe(1);
});

test("repeats a request that exceeds the quota after a moment, within the pace", async () => {
  await using server = await start(429, 429, 200);
  expect((await server.ask(server.url)).status).toBe(200);
  expect(server.slept).toEqual([1_000, 3_000]);
  expect(server.paced()).toBe(3);
});

test("returns the refusal if the repeated request exceeds the quota too", async () => {
  await using server = await start(429, 429, 429);
  expect((await server.ask(server.url)).status).toBe(429);
  expect(server.requests).toHaveLength(3);
});

test("reports a service that can't be reached with its address and the error code", async () => {
  const server = await start();
  const { url, ask } = server;
  await server[Symbol.asyncDispose]();
  const { host } = new URL(url);
  await expect(ask(`${url}/v1/projects?key=secret`)).rejects.toThrow(
    `http://${host} could not be reached: connect ECONNREFUSED ${host}`,
  );
});

test("rejects an aborted request with the reason of the abort", async () => {
  await using server = await start();
  const signal = AbortSignal.abort(new Error("stopped by SIGINT"));
  await expect(server.ask(server.url, { signal })).rejects.toThrow("stopped by SIGINT");
});
