/** Answers of Certificate Manager that are too long, never end, or lead back to themselves. */
import { gzipSync } from "node:zlib";
import { ServiceError } from "../../lib/errors";
import { certificateReader, resourceLister } from "../../lib/google";
import { type LoopbackServer, serve, startServer } from "../support/loopback";
import { until } from "../support/until";

const parent = "projects/p/locations/global";
const { signal } = new AbortController();
const mebibyte = 1_048_576;

type Read = (endpoint: string, timeoutMs: number, signal: AbortSignal) => Promise<unknown>;

const lists: readonly [string, string, Read][] = [
  ["certificates", "certificates", (at, ms, signal) => resourceLister(at, ms).certificates(parent, signal)],
  [
    "certificates by name",
    "certificates",
    (at, ms, signal) =>
      certificateReader(at, ms).read([`${parent}/certificates/a`, `${parent}/certificates/b`], signal),
  ],
  ["authorizations", "dnsAuthorizations", (at, ms, signal) => resourceLister(at, ms).authorizations(parent, signal)],
  [
    "entries",
    "certificateMapEntries",
    (at, ms, signal) => resourceLister(at, ms).entries(`${parent}/certificateMaps/m`, signal),
  ],
];
const reads: readonly [string, string, Read][] = [
  ...lists,
  [
    "one certificate",
    "description",
    (at, ms, signal) => certificateReader(at, ms).read([`${parent}/certificates/a`], signal),
  ],
  ["a map", "description", (at, ms, signal) => resourceLister(at, ms).map(`${parent}/certificateMaps/m`, signal)],
];

const json = { "content-type": "application/json" };

async function failureOf(read: Read, { url }: Pick<LoopbackServer, "url">, timeoutMs = 30_000): Promise<ServiceError> {
  const error: unknown = await read(url, timeoutMs, signal).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error(`no ServiceError, but ${String(error)}`);
  return error;
}

test.each(lists)("ends a listing of %s whose page leads back to itself", async (_, field, read) => {
  await using server = await startServer((request, response) => {
    const token = new URL(request.target, "http://x").searchParams.get("pageToken") ?? "";
    response.writeHead(200, json).end(JSON.stringify({ [field]: [], nextPageToken: token === "a" ? "b" : "a" }));
  });
  expect(await failureOf(read, server)).toMatchObject({
    code: "answer-endless",
    message: expect.stringMatching(/^reading [^:]+: a page leads back to itself$/),
  });
  expect(server.requests).toHaveLength(3);
});

test.each(reads)("reads at most 32 MiB of an answer about %s, also if it is compressed", async (_, field, read) => {
  const bomb = gzipSync(`{"${field}": "${" ".repeat(40 * mebibyte)}"}`);
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(bomb);
  });
  expect(await failureOf(read, server)).toMatchObject({
    code: "answer-too-large",
    retryable: false,
    message: expect.stringMatching(/^reading .*: the answer is longer than 33554432 bytes$/),
  });
});

test.each([200, 401, 500])("reads at most 32 MiB of an answer with HTTP %i that never ends", async (status) => {
  let sent = 0;
  await using server = await serve((_request, response) => {
    response.writeHead(status, json);
    const chunk = Buffer.alloc(mebibyte, " ");
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += 1;
    };
    response.on("drain", more);
    more();
  });
  const error = await failureOf((at, ms, signal) => resourceLister(at, ms).certificates(parent, signal), server);
  expect(error.code).toBe("answer-too-large");
  expect(sent).toBeLessThan(80);
});

test.each(reads)("stops the download of an answer about %s that takes too long", async (_, field, read) => {
  let isClosed = false;
  await using server = await serve((_request, response) => {
    response.writeHead(200, json).write(`{"${field}": [`);
    response.once("close", () => {
      isClosed = true;
    });
  });
  expect((await failureOf(read, server, 200)).message).toMatch(/: no answer within 0\.2 s$/);
  await until(
    () => isClosed,
    (closed) => closed,
  );
});

test("stops the download when the signal of the caller is aborted", async () => {
  const stopping = new AbortController();
  let isOpen = false;
  let isClosed = false;
  await using server = await serve((_request, response) => {
    response.writeHead(200, json).write("{");
    isOpen = true;
    response.once("close", () => {
      isClosed = true;
    });
  });
  const reading = resourceLister(server.url).certificates(parent, stopping.signal);
  await until(
    () => isOpen,
    (open) => open,
  );
  stopping.abort(new Error("stopped by SIGINT"));
  await expect(reading).rejects.toThrow("stopped by SIGINT");
  await until(
    () => isClosed,
    (closed) => closed,
  );
});

test.each([
  [403, "PERMISSION_DENIED"],
  [500, "INTERNAL"],
])("cuts the message of a refusal with HTTP %i at 500 characters, and escapes it", async (code, status) => {
  await using server = await startServer((_request, response) => {
    const error = { code, status, message: `\u001b[2J${"x".repeat(mebibyte)}` };
    response.writeHead(code, json).end(JSON.stringify({ error }));
  });
  const { message } = await failureOf((at, ms, signal) => resourceLister(at, ms).certificates(parent, signal), server);
  expect(message.length).toBeLessThan(900);
  expect(message).toContain("\\u{1b}[2Jxxx");
});

test("sends no header of its own to the service", async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(200, json).end("{}");
  });
  await resourceLister(server.url).certificates(parent, signal);
  expect(Object.keys(server.requests[0]?.headers ?? {}).filter((name) => name.startsWith("x-cert"))).toEqual([]);
});
