import { createHttpClient, type HttpClientOptions, type HttpRequest } from "../../lib/http";
import { startServer } from "../support/loopback";

/** Creates a client that records its waits and does not wait. */
function patientClient(options: HttpClientOptions = {}) {
  const waits: number[] = [];
  const client = createHttpClient({
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    ...options,
    limits: { timeoutMs: 5_000, ...options.limits },
  });
  return { client, waits };
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  purpose: "reading the answer",
  ...more,
});

const older = (status: number, reason: string) =>
  JSON.stringify({ error: { code: status, message: "no", errors: [{ domain: "global", reason }] } });

describe("an answer", () => {
  it("has a status, lower-case header names and a body", async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { "X-Made-By": "test" }).end("höhe"),
    );
    const { status, headers, text, body } = await patientClient().client.send(get(server.url));
    expect({ status, text, bytes: body.byteLength, madeBy: headers.get("x-made-by") }).toEqual({
      status: 200,
      text: "höhe",
      bytes: 5,
      madeBy: "test",
    });
    expect(server.requests[0]?.headers["user-agent"]).toBe("cert-migration");
  });

  it("can have a status from 300 up if the caller expects it", async () => {
    await using server = await startServer((_, response) => response.writeHead(304).end());
    expect((await patientClient().client.send(get(server.url, { accept: [304] }))).status).toBe(304);
  });

  it("is refused if it is longer than allowed, without reading the rest", async () => {
    await using server = await startServer((_, response) => response.end("x".repeat(100_000)));
    const { client, waits } = patientClient({ limits: { maxBodyBytes: 1_000 } });
    await expect(client.send(get(server.url))).rejects.toMatchObject({ code: "answer-too-large", retryable: false });
    expect(waits).toEqual([]);
  });

  it("is requested again if the connection breaks, and refused if it breaks each time", async () => {
    await using server = await startServer((_, response, count) => {
      if (count === 2) return response.end("whole");
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      return setImmediate(() => response.destroy());
    });
    expect((await patientClient().client.send(get(server.url))).text).toBe("whole");
    const once = patientClient({ retry: { maxAttempts: 1 } }).client;
    await expect(once.send(get(server.url))).rejects.toMatchObject({ code: "answer-cut", retryable: true });
  });
});

test.each([
  ["429", 429, "{}", true],
  ["503", 503, "{}", true],
  ["500 on a read", 500, "not json", true],
  ["403 for an exhausted quota", 403, older(403, "rateLimitExceeded"), true],
  ["403 for a missing permission", 403, older(403, "forbidden"), false],
  ["400", 400, older(400, "badRequest"), false],
  ["404", 404, "{}", false],
])("a failed request is retried only if a retry can help: %s", async (_, status, body, again) => {
  await using server = await startServer((_request, response, count) =>
    count === 1 ? response.writeHead(status).end(body) : response.end("ok"),
  );
  const answer = patientClient().client.send(get(server.url));
  if (again) expect((await answer).text).toBe("ok");
  else await expect(answer).rejects.toMatchObject({ code: "service-refused", status, retryable: false });
  expect(server.requests).toHaveLength(again ? 2 : 1);
});

test.each([
  ["a POST after 500 is not, since it may have worked", { status: 500, repeatable: undefined }, 1],
  ["a POST after 503 is, since nothing was begun", { status: 503, repeatable: undefined }, 2],
  ["a POST that the caller calls repeatable is", { status: 500, repeatable: true }, 2],
])("a failed request is retried only if that is safe: %s", async (_, { status, repeatable }, sent) => {
  await using server = await startServer((_request, response, count) =>
    response.writeHead(count === 1 ? status : 200).end(),
  );
  const request = { method: "POST", body: "{}", ...(repeatable === undefined ? {} : { retries: { repeatable } }) };
  await patientClient()
    .client.send(get(server.url, request))
    .catch(() => undefined);
  expect(server.requests).toHaveLength(sent);
});

it("a failed request is retried with exponential backoff and jitter, and the error states the number of attempts", async () => {
  await using server = await startServer((_, response) => response.writeHead(503).end());
  const { client, waits } = patientClient();
  await expect(client.send(get(server.url))).rejects.toThrow(
    /^reading the answer: .* answered HTTP 503 \(5 attempts\)$/,
  );
  expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
});

test.each([
  ["seconds", "3", [3_000]],
  ["a date", "Sat, 21 Nov 2026 00:00:07 GMT", [7_000]],
  ["nonsense", "soon", [500]],
  ["more than the policy's patience", "3600", []],
])("a failed request is retried after the delay that the service requests: %s", async (_, retryAfter, expected) => {
  await using server = await startServer((_request, response, count) =>
    count === 1 ? response.writeHead(429, { "retry-after": retryAfter }).end() : response.end(),
  );
  const { client, waits } = patientClient({ now: () => new Date("2026-11-21T00:00:00Z") });
  await client.send(get(server.url)).catch(() => undefined);
  expect(waits).toEqual(expected);
});

it.each([
  ["is not retried if the deadline would pass during the wait", 59_600, 503, []],
  ["is retried if the wait ends before the deadline", 50_000, 200, [500]],
])("a failed request %s", async (_, tookMs, expected, expectedWaits) => {
  let nowMs = 0;
  await using server = await startServer((_request, response, count) => {
    if (count === 1) nowMs += tookMs;
    response.writeHead(count === 1 ? 503 : 200).end();
  });
  const { client, waits } = patientClient({ limits: { deadlineMs: 60_000 }, now: () => new Date(nowMs) });
  const { status } = await client.send(get(server.url)).catch((error: { readonly status: number }) => error);
  expect(status).toBe(expected);
  expect(waits).toEqual(expectedWaits);
});

it("a failed request has the service's own reason in both error formats", async () => {
  const newer = {
    error: {
      code: 403,
      message: "denied",
      status: "PERMISSION_DENIED",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED" }],
    },
  };
  await using server = await startServer((_, response, count) =>
    response.writeHead(403).end(count === 1 ? older(403, "forbidden") : JSON.stringify(newer)),
  );
  const { client } = patientClient();
  await expect(client.send(get(server.url))).rejects.toMatchObject({ reason: "forbidden" });
  await expect(client.send(get(server.url))).rejects.toMatchObject({
    reason: "SERVICE_DISABLED",
    message: `reading the answer: ${server.url} answered HTTP 403 SERVICE_DISABLED: denied`,
  });
});

test.each([
  [{ error: "invalid_grant", error_description: "Token has expired." }, "HTTP 400 invalid_grant: Token has expired."],
  [{ error: "invalid_grant" }, "HTTP 400 invalid_grant"],
])("a failed request has the code and description of an OAuth server's error: %j", async (body, described) => {
  await using server = await startServer((_, response) => response.writeHead(400).end(JSON.stringify(body)));
  await expect(patientClient().client.send(get(server.url))).rejects.toMatchObject({
    reason: "invalid_grant",
    message: `reading the answer: ${server.url} answered ${described}`,
  });
});

it("a failed request reports a refused connection with the cause from the runtime", async () => {
  const closed = await startServer(() => undefined);
  await closed[Symbol.asyncDispose]();
  const { client } = patientClient({ retry: { maxAttempts: 1 } });
  await expect(client.send(get(closed.url))).rejects.toMatchObject({
    code: "service-unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

it("a failed request times out if the service does not answer", async () => {
  await using server = await startServer(() => undefined);
  const { client } = patientClient({ limits: { timeoutMs: 50 }, retry: { maxAttempts: 1 } });
  await expect(client.send(get(server.url))).rejects.toMatchObject({ code: "service-timeout" });
});

it("a failed request ends at once when the caller aborts, with the caller's reason", async () => {
  const abort = new AbortController();
  await using server = await startServer(() => abort.abort(new Error("enough")));
  const { client, waits } = patientClient();
  await expect(client.send(get(server.url, { signal: abort.signal }))).rejects.toThrow("enough");
  expect(waits).toEqual([]);
});

it("a failed request limits each attempt to the time that is left until the deadline", async () => {
  await using server = await startServer(() => undefined);
  const { client, waits } = patientClient({ limits: { deadlineMs: 60 } });
  await expect(client.send(get(server.url))).rejects.toMatchObject({
    code: "service-timeout",
    message: expect.stringMatching(/ did not answer within 0\.0[0-6]\d* s$/),
  });
  expect(waits).toEqual([]);
});

it("a failed request reports the reason for each wait before it waits", async () => {
  await using server = await startServer((_, response, count) => response.writeHead(count === 1 ? 503 : 200).end());
  const retries: unknown[] = [];
  await patientClient().client.send(
    get(server.url, { retries: { onRetry: ({ attempt, delayMs }) => retries.push({ attempt, delayMs }) } }),
  );
  expect(retries).toEqual([{ attempt: 1, delayMs: 500 }]);
});

describe("redaction", () => {
  it("removes a token and the headers from errors", async () => {
    await using server = await startServer((_, response) => response.writeHead(401).end());
    const request = get(`${server.url}?access_token=secret-1`, { headers: { authorization: "Bearer secret-2" } });
    const error = await patientClient()
      .client.send(request)
      .catch((caught: Error) => caught);
    expect(String((error as Error).stack)).not.toMatch(/secret-/);
    expect((error as Error).message).toContain("access_token=***");
  });

  it("removes control characters of the service's answer from errors", async () => {
    const error = { message: "a\u001b[2Jb\u202ec", status: "NO\u001b[2J" };
    await using server = await startServer((_, response) => response.writeHead(400).end(JSON.stringify({ error })));
    await expect(patientClient().client.send(get(server.url))).rejects.toMatchObject({
      reason: "NO\\u{1b}[2J",
      message: `reading the answer: ${server.url} answered HTTP 400 NO\\u{1b}[2J: a\\u{1b}[2Jb\\u{202e}c`,
    });
  });

  test.each(["ftp://host/", "not a url", "http://user:pw@host/"])("refuses to send a request to %s", async (url) => {
    await expect(patientClient().client.send(get(url))).rejects.toMatchObject({ code: "url-invalid" });
  });
});
