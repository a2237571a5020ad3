import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { HttpClientOptions } from "../../../lib/http";
import { startServer } from "../../support/loopback";
import { sampleDescription } from "../service/samples";
import { errorOf, sendJson, temporaryFolder, testClient } from "./workshop";

/** Where the service has it, so that each reading of it is one request. */
const shopEntry = { name: "shop", version: "v1", discoveryRestUrl: "apis/shop/v1/rest" };

const shop = sampleDescription("shop:v1");

interface Fault {
  readonly answer: (response: ServerResponse) => unknown;
  readonly code: string;
  /** Whether an old copy is used instead. */
  readonly passing: boolean;
  readonly http?: HttpClientOptions;
}

const text = JSON.stringify(shop);
const refuse = (status: number, reason: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code: status, message: "no", errors: [{ domain: "global", reason }] } }));

const faults: readonly (readonly [string, Fault])[] = [
  ["500 every time", { answer: refuse(500, "backendError"), code: "service-refused", passing: true }],
  [
    "503 without a word",
    { answer: (response) => response.writeHead(503).end(), code: "service-refused", passing: true },
  ],
  ["an exhausted quota", { answer: refuse(403, "rateLimitExceeded"), code: "service-refused", passing: true }],
  ["a missing permission", { answer: refuse(403, "forbidden"), code: "service-refused", passing: false }],
  ["a deleted description", { answer: refuse(404, "notFound"), code: "service-refused", passing: false }],
  [
    "a body that breaks off",
    {
      answer: (response) => {
        response.writeHead(200, { "content-length": String(text.length) });
        response.write(text.slice(0, 500));
        setImmediate(() => response.destroy());
      },
      code: "answer-cut",
      passing: true,
    },
  ],
  [
    "half of the JSON, as if it were all",
    { answer: (response) => response.end(text.slice(0, 500)), code: "answer-not-json", passing: true },
  ],
  [
    "a page of HTML",
    {
      answer: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>please sign in</html>"),
      code: "answer-not-json",
      passing: true,
    },
  ],
  ["nothing at all", { answer: (response) => response.end(), code: "answer-not-json", passing: true }],
  ["a list", { answer: (response) => sendJson(response, []), code: "answer-malformed", passing: false }],
  [
    "the wrong description",
    {
      answer: (response) => sendJson(response, sampleDescription("bank:v1")),
      code: "description-mismatch",
      passing: false,
    },
  ],
  [
    "a body without end",
    {
      answer: (response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
      code: "answer-too-large",
      passing: false,
      http: { limits: { maxBodyBytes: 1_000_000 } },
    },
  ],
  ["silence", { answer: () => undefined, code: "service-timeout", passing: true, http: { limits: { timeoutMs: 30 } } }],
  [
    "one byte at a time",
    {
      answer: (response) => {
        let sent = 0;
        const timer = setInterval(() => response.write(text[sent++] ?? " "), 5);
        response.on("close", () => clearInterval(timer));
      },
      code: "service-timeout",
      passing: true,
      http: { limits: { timeoutMs: 60 } },
    },
  ],
];

describe("a service that answers with", () => {
  test.each(faults)("%s fails without a copy", async (_, { answer, code, passing, http }) => {
    await using server = await startServer((_request, response) => answer(response));
    await using folder = await temporaryFolder();
    const { client, warnings } = testClient({ rootUrl: server.url, copies: { folder: folder.path } }, http);
    expect(await errorOf(client.get(shopEntry))).toMatchObject({ name: "ServiceError", code, retryable: passing });
    expect({ kept: await readdir(folder.path), warnings }).toEqual({ kept: [], warnings: [] });
  });

  test.each(faults)("%s is replaced by a stale copy only if the failure is temporary", async (_, fault) => {
    await using server = await startServer((_request, response, count) =>
      count === 1 ? sendJson(response, shop, { etag: '"one"' }) : fault.answer(response),
    );
    await using folder = await temporaryFolder();
    const options = { rootUrl: server.url, copies: { folder: folder.path } };
    await testClient(options).client.get(shopEntry);
    const { client, warnings, pass } = testClient(options, fault.http);
    pass(3 * 3_600);
    if (!fault.passing) {
      expect(await errorOf(client.get(shopEntry))).toMatchObject({ name: "ServiceError", code: fault.code });
      return expect(warnings).toEqual([]);
    }
    expect((await client.get(shopEntry)).document).toEqual(shop);
    expect(warnings).toEqual([
      {
        code: "copy-stale",
        message: expect.stringMatching(
          /^reading the description of 'shop:v1': .*; using the copy of 2026-11-21T00:00:00\.000Z, which is 3 hours old$/,
        ),
      },
    ]);
    return undefined;
  });
});

it("an unreachable service is replaced by a stale copy, which stays stale and is requested again next time", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((_request, response) => sendJson(response, shop));
  const { client, warnings, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  await server[Symbol.asyncDispose]();
  pass(3 * 86_400);
  await client.get(shopEntry);
  await client.get(shopEntry);
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ECONNREFUSED .*\(2 attempts\); using the copy .* 3 days old$/),
    expect.stringMatching(/ECONNREFUSED .*\(2 attempts\); using the copy .* 3 days old$/),
  ]);
});

it("an unreachable service fails without a copy", async () => {
  const server = await startServer(() => undefined);
  await server[Symbol.asyncDispose]();
  expect(await errorOf(testClient({ rootUrl: server.url }).client.list())).toMatchObject({
    code: "service-unreachable",
  });
});

it("an unreachable service is waited for until the patience ends if a copy exists, including retries", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((_request, response, count) =>
    count === 1 ? sendJson(response, shop) : undefined,
  );
  const { client, warnings, pass } = testClient({
    rootUrl: server.url,
    copies: { folder: folder.path, patienceMs: 40 },
  });
  await client.get(shopEntry);
  pass(3 * 3_600);
  expect((await client.get(shopEntry)).document).toEqual(shop);
  expect(warnings[0]?.message).toContain("rest did not answer within 0.04 s; using the copy of");
});

it("an unreachable service is retried by the client's rules, and reported to the caller", async () => {
  await using server = await startServer((_request, response, count) =>
    count === 1 ? response.writeHead(503).end() : sendJson(response, shop),
  );
  const retries: unknown[] = [];
  const { client } = testClient({
    rootUrl: server.url,
    onRetry: ({ attempt, purpose }) => retries.push({ attempt, purpose }),
  });
  await client.get(shopEntry);
  expect(retries).toEqual([{ attempt: 1, purpose: "reading the description of 'shop:v1'" }]);
});

it("an unreachable service fails on the caller's signal instead of using a stale copy", async () => {
  await using folder = await temporaryFolder();
  const abort = new AbortController();
  await using server = await startServer((_request, response, count) =>
    count === 1 ? sendJson(response, shop) : abort.abort(new Error("enough")),
  );
  const { client, pass, warnings } = testClient({
    rootUrl: server.url,
    copies: { folder: folder.path },
    signal: abort.signal,
  });
  await client.get(shopEntry);
  pass(3 * 3_600);
  await expect(client.get(shopEntry)).rejects.toThrow("enough");
  expect(warnings).toEqual([]);
});
