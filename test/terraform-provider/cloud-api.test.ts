import { createHttpClient } from "../../lib/http";
import { type CloudApi, createCloudApi } from "../../lib/terraform-provider/cloud-api";
import { startServer } from "../support/loopback";

/** The API of a server that answers one body after the other, with a clock that goes by with each wait. */
function apiOf(url: string): { readonly api: CloudApi; readonly waits: number[] } {
  const waits: number[] = [];
  let time = 0;
  const api = createCloudApi({
    cloudUrl: url,
    http: createHttpClient(),
    accessToken: "t",
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
])("an operation of %s is asked for until it has ended, less and less often", async (_, pending, done) => {
  await using server = await serveBodies(pending, pending, done);
  const { api, waits } = apiOf(server.url);

  expect(await api.settle(pending, "/v1/op", attempt, 60_000)).toEqual(done);
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(Array(3).fill("GET /v1/op"));
  expect(server.requests[0]?.headers.authorization).toBe("Bearer t");
  expect(waits).toEqual([5, 10, 20]);
});

test("an operation that has ended is not asked for", async () => {
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

test("fails for an operation that takes too long", async () => {
  await using server = await serveBodies({ name: "o", done: false });

  await expect(
    apiOf(server.url).api.settle({ name: "o", done: false }, "/v1/op", attempt, 1_000),
  ).rejects.toMatchObject({
    code: "operation-timeout",
    message: "creating x: the operation o has not ended within 1 s",
  });
});

test("stops waiting when the stand-in ends", async () => {
  await using server = await serveBodies({ done: false });
  const ended = { ...attempt, signal: AbortSignal.abort() };

  await expect(apiOf(server.url).api.settle({ done: false }, "/v1/op", ended, 1_000)).rejects.toThrow(/abort/i);
});

test("what is not there is absent, and an empty answer is empty", async () => {
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
