import { createHttpClient } from "../../lib/http";
import { type CloudApi, createCloudApi } from "../../lib/terraform-provider/cloud-api";
import { startServer } from "../support/loopback";

/** Returns an API whose server returns the bodies in order. Its clock advances with each wait. */
function apiOf(
  url: string,
  options: Pick<Parameters<typeof createCloudApi>[0], "userProject"> = {},
): { readonly api: CloudApi; readonly waits: number[] } {
  const waits: number[] = [];
  let time = 0;
  const api = createCloudApi({
    cloudUrl: url,
    http: createHttpClient({ retry: { maxAttempts: 1 } }),
    accessToken: "t",
    ...options,
    now: () => time,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      time += ms;
    },
  });
  return { api, waits };
}

const signal = new AbortController().signal;
const attempt = { purpose: "creating x", signal };

async function serveBodies(...bodies: readonly (object | undefined)[]) {
  return startServer((_, response, count) => {
    const body = bodies[Math.min(count, bodies.length) - 1];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: { message: "not there" } }));
  });
}

test.each([
  ["Certificate Manager", { name: "o", done: false }, { name: "o", done: true, response: {} }],
  ["Compute Engine", { name: "o", status: "RUNNING" }, { name: "o", status: "DONE" }],
  ["Cloud DNS", { id: "1", status: "pending" }, { id: "1", status: "done" }],
])("polls an operation of %s until it has ended, with increasing intervals", async (_, pending, done) => {
  await using server = await serveBodies(pending, pending, done);
  const { api, waits } = apiOf(server.url);

  expect(await api.settle(pending, "/v1/op", attempt, 60_000)).toEqual(done);
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(Array(3).fill("GET /v1/op"));
  expect(server.requests[0]?.headers.authorization).toBe("Bearer t");
  expect(waits).toEqual([5, 10, 20]);
});

test("does not poll an operation that has ended", async () => {
  await using server = await serveBodies({});

  await apiOf(server.url).api.settle({ done: true }, "/v1/op", attempt, 60_000);
  expect(server.requests).toEqual([]);
});

test.each([
  [
    "with a status",
    { name: "o", done: true, error: { code: 9, message: "in use" } },
    "creating x: the operation o failed: 9 in use",
  ],
  [
    "with a list of errors",
    {
      name: "o",
      status: "DONE",
      error: {
        errors: [
          { code: "RESOURCE_NOT_FOUND", message: "gone" },
          { code: "X", message: "y" },
        ],
      },
    },
    "creating x: the operation o failed: RESOURCE_NOT_FOUND gone; X y",
  ],
])("fails for an operation that failed %s", async (_, operation, message) => {
  const { api } = apiOf("http://127.0.0.1:1/");

  await expect(api.settle(operation, "/v1/op", attempt, 60_000)).rejects.toMatchObject({
    code: "operation-failed",
    message,
  });
});

test("fails for an operation that exceeds the time limit", async () => {
  await using server = await serveBodies({ name: "o", done: false });

  await expect(
    apiOf(server.url).api.settle({ name: "o", done: false }, "/v1/op", attempt, 1_000),
  ).rejects.toMatchObject({
    code: "operation-timeout",
    message:
      "creating x: the operation o: timeout while waiting for state to become 'done: true' (last state: 'done: false', timeout: 1s)",
  });
});

test("stops waiting when the provider stand-in stops", async () => {
  await using server = await serveBodies({ done: false });
  const ended = { ...attempt, signal: AbortSignal.abort() };

  await expect(apiOf(server.url).api.settle({ done: false }, "/v1/op", ended, 1_000)).rejects.toThrow(/abort/i);
});

test("treats 404 as absent, and an empty answer as an empty object", async () => {
  await using server = await startServer((request, response) => {
    response.writeHead(request.target === "/empty" ? 204 : 404).end();
  });
  const { api } = apiOf(server.url);

  expect(await api.find({ ...attempt, httpMethod: "GET", target: "/none" })).toBeUndefined();
  expect(await api.find({ ...attempt, httpMethod: "GET", target: "/empty" })).toEqual({});
  await expect(api.send({ ...attempt, httpMethod: "GET", target: "/none" })).rejects.toMatchObject({
    code: "service-refused",
    status: 404,
  });
});

/** Starts a server that returns these statuses in order and repeats the last status. */
async function serveStatuses(...statuses: readonly number[]) {
  return startServer((_, response, count) => {
    response.writeHead(statuses[Math.min(count, statuses.length) - 1] ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "not now" } }));
  });
}

test.each(
  (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).flatMap((httpMethod) =>
    [429, 500, 502, 503].map((status) => [httpMethod, status] as const),
  ),
)("the provider sends %s again after %i", async (httpMethod, status) => {
  await using server = await serveStatuses(status, status, 200);
  const { api, waits } = apiOf(server.url);

  await api.send({ ...attempt, httpMethod, target: "/x", ...(httpMethod === "GET" ? {} : { body: {} }) });
  expect(server.requests).toHaveLength(3);
  expect(waits).toEqual([50, 100]);
});

test.each([400, 401, 403, 404, 409, 412, 501, 504])(
  "the provider does not send a request again after %i",
  async (status) => {
    await using server = await serveStatuses(status);
    const { api } = apiOf(server.url);

    await expect(api.send({ ...attempt, httpMethod: "POST", target: "/x", body: {} })).rejects.toMatchObject({
      status,
    });
    expect(server.requests).toHaveLength(1);
  },
);

test("the provider repeats a request until the resource's timeout, and fails with the last answer", async () => {
  await using server = await serveStatuses(503);
  const { api, waits } = apiOf(server.url);

  await expect(
    api.send({ ...attempt, httpMethod: "POST", target: "/x", body: {}, timeoutMs: 10_000 }),
  ).rejects.toMatchObject({ status: 503 });
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeLessThanOrEqual(10_000);
  expect(waited).toBeGreaterThan(8_000);
});

test("the provider retries a request after a connection reset, and not after a refused connection", async () => {
  let count = 0;
  await using server = await startServer((request, response) => {
    count++;
    if (count === 1) response.socket?.resetAndDestroy();
    else response.writeHead(200).end("{}");
    void request;
  });
  await apiOf(server.url).api.send({ ...attempt, httpMethod: "POST", target: "/x", body: {} });
  expect(count).toBe(2);

  const { api, waits } = apiOf("http://127.0.0.1:1/");
  await expect(api.send({ ...attempt, httpMethod: "GET", target: "/x" })).rejects.toMatchObject({
    code: "service-unreachable",
  });
  expect(waits).toEqual([]);
});

test.each([
  ["GET", 2],
  ["POST", 1],
  ["PATCH", 1],
  ["DELETE", 1],
] as const)(
  "after a connection that was closed without an answer, the provider has sent %s %i times",
  async (httpMethod, times) => {
    await using server = await startServer((_, response, count) => {
      if (count === 1) response.socket?.destroy();
      else response.writeHead(200).end("{}");
    });
    const sent = apiOf(server.url).api.send({ ...attempt, httpMethod, target: "/x" });

    await (times === 1 ? expect(sent).rejects.toMatchObject({ code: "service-unreachable" }) : sent);
    expect(server.requests).toHaveLength(times);
  },
);

test("the provider polls again if an operation is not found", async () => {
  await using server = await serveBodies(undefined, undefined, { done: true });

  const settled = await apiOf(server.url).api.settle({ name: "o", done: false }, "/v1/op", attempt, 60_000);
  expect(settled).toEqual({ done: true });
});

test("names the project for the quota in a request if there is one", async () => {
  await using server = await serveBodies({});
  const { api } = apiOf(server.url, { userProject: (target) => (target === "/x" ? "billed" : undefined) });
  for (const target of ["/x", "/y"]) await api.send({ ...attempt, httpMethod: "GET", target });

  expect(server.requests.map(({ headers }) => headers["x-goog-user-project"])).toEqual(["billed", undefined]);
});

test("polls of an operation name the project of the resource if the target has no project", async () => {
  await using server = await serveBodies({ done: true });
  const { api } = apiOf(server.url, { userProject: (_, owner) => owner });
  await api.settle({ name: "operations/o" }, "/v1/operations/o", { ...attempt, project: "p" }, 60_000);

  expect(server.requests.map(({ headers }) => headers["x-goog-user-project"])).toEqual(["p"]);
});
