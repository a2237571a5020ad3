import { ApiClient } from "../../lib/discovery";
import { createHttpClient } from "../../lib/http";
import { description, methodOf } from "../support/descriptions";
import { startServer } from "../support/loopback";

/**
 * Faults of services during calls by a description, each constructed for itself. A row whose title begins with "finds"
 * ends in an error or in the right request; a row that begins with "accepts" is harmless.
 */
const http = createHttpClient({ sleep: async () => undefined, random: () => 0 });
const unit = 256 * 1024;
const drive = description({
  parameters: { alt: { type: "string", location: "query", enum: ["json", "media"] } },
  methods: {
    insert: methodOf({
      id: "zoo.insert",
      httpMethod: "POST",
      path: "files",
      request: { type: "object", properties: { name: { type: "string" } } },
      mediaUpload: { protocols: { resumable: { path: "/resumable/upload/files" } } },
    }),
    get: methodOf({ path: "files/1", supportsMediaDownload: true }),
    list: methodOf({
      id: "zoo.list",
      path: "files",
      parameters: {
        id: { location: "query", type: "string" },
        pageToken: { location: "query", type: "string" },
        fields: { location: "query", type: "string" },
      },
    }),
  },
});

describe("a download", () => {
  /** One response of the service; undefined headers are left out. */
  interface Part {
    readonly status: number;
    readonly range?: string;
    readonly bytes: number;
    readonly etag?: string;
    readonly modified?: string;
  }
  const part = (range: string, bytes: number, etag?: string): Part =>
    etag === undefined ? { status: 206, range, bytes } : { status: 206, range, bytes, etag };
  const first = part(`bytes 0-${unit - 1}/600000`, unit, '"1"');
  const second = part(`bytes ${unit}-${2 * unit - 1}/600000`, unit, '"1"');
  const third = part(`bytes ${2 * unit}-599999/600000`, 600_000 - 2 * unit, '"1"');

  async function receive(parts: readonly Part[]): Promise<number> {
    await using server = await startServer((_, response, count) => {
      const { status, range, bytes, etag, modified } = parts[count - 1] ?? { status: 500, bytes: 0 };
      const headers = { "content-range": range, etag, "last-modified": modified };
      const given = Object.entries(headers).filter(([, value]) => value !== undefined);
      response.writeHead(status, Object.fromEntries(given)).end(Buffer.alloc(bytes));
    });
    let received = 0;
    const client = new ApiClient(drive, { endpoint: server.url, http });
    for await (const chunk of client.download("zoo.get", {}, { chunkBytes: unit })) received += chunk.length;
    expect(server.requests).toHaveLength(parts.length);
    return received;
  }

  it.each<[string, readonly Part[]]>([
    ["a shorter object in place of the first", [first, { status: 416, range: "bytes */200000", bytes: 0 }]],
    ["416 in the middle of the media", [first, { status: 416, range: "bytes */600000", bytes: 0 }]],
    ["416 without a length in the middle of the media", [first, { status: 416, bytes: 0 }]],
    ["416 at the first byte of media that are not empty", [{ status: 416, range: "bytes */600000", bytes: 0 }]],
    ["an empty part", [first, { ...second, bytes: 0 }]],
    ["an empty part without a range", [first, { status: 206, bytes: 0, etag: '"1"' }]],
    ["an empty part at the first byte", [{ status: 206, range: "bytes 0-0/600000", bytes: 0 }]],
    ["a part from another offset", [first, part(`bytes 0-${unit - 1}/600000`, unit, '"1"')]],
    ["a part shorter than its range", [{ ...first, bytes: 1_000 }]],
    ["a part that ends after the end", [part(`bytes 0-${unit - 1}/1000`, unit)]],
    ["a part whose range can't be read", [part("bytes all", unit)]],
    [
      "another length without an ETag",
      [part(`bytes 0-${unit - 1}/600000`, unit), part(`bytes ${unit}-${2 * unit - 1}/700000`, unit)],
    ],
    [
      "another date of change without an ETag",
      [
        { ...part(`bytes 0-${unit - 1}/600000`, unit), modified: "Sun, 01 Mar 2026 10:00:00 GMT" },
        { ...part(`bytes ${unit}-${2 * unit - 1}/600000`, unit), modified: "Sun, 01 Mar 2026 10:00:05 GMT" },
      ],
    ],
    ["all media instead of the second part", [first, { status: 200, bytes: 600_000, etag: '"1"' }]],
  ])("finds %s", async (_, parts) => {
    await expect(receive(parts)).rejects.toMatchObject({ code: "download-changed", retryable: true });
  });

  it.each<[string, readonly Part[], number]>([
    ["three parts", [first, second, third], 600_000],
    ["all media at once", [{ status: 200, bytes: 600_000 }], 600_000],
    ["empty media", [{ status: 416, range: "bytes */0", bytes: 0 }], 0],
    ["media of one whole chunk", [part(`bytes 0-${unit - 1}/${unit}`, unit)], unit],
    [
      "a part shorter than the request",
      [part("bytes 0-999/2000", 1_000, '"1"'), part("bytes 1000-1999/2000", 1_000, '"1"')],
      2_000,
    ],
    [
      "media of unknown length, which end with 416",
      [part(`bytes 0-${unit - 1}/*`, unit), { status: 416, bytes: 0 }],
      unit,
    ],
    [
      "media of unknown length, whose 416 states the length",
      [part(`bytes 0-${unit - 1}/*`, unit), { status: 416, range: `bytes */${unit}`, bytes: 0 }],
      unit,
    ],
    [
      "parts without a range",
      [
        { status: 206, bytes: 1_000 },
        { status: 206, bytes: 10 },
        { status: 416, bytes: 0 },
      ],
      1_010,
    ],
  ])("accepts %s", async (_, parts, bytes) => {
    expect(await receive(parts)).toBe(bytes);
  });
});

describe("a resumable upload", () => {
  const total = 600_000;
  const content = Buffer.alloc(total, 1);

  /** Returns the ranges of the requests and the outcome. The session holds every byte from its first request on. */
  async function upload(statusAnswers: readonly (number | "done")[]) {
    const ranges: string[] = [];
    await using server = await startServer(({ method, headers }, response) => {
      if (method === "POST") return response.writeHead(200, { location: "/session" }).end();
      ranges.push(headers["content-range"] ?? "");
      const answer = ranges.length === 1 ? 308 : (statusAnswers[ranges.length - 2] ?? 500);
      if (answer === "done") return response.end('{"id":"1"}');
      return response.writeHead(answer, answer === 308 ? { range: `bytes=0-${total - 1}` } : {}).end();
    });
    const client = new ApiClient(drive, { endpoint: server.url, http });
    const outcome = await client
      .upload("zoo.insert", {}, { content, contentType: "a/b" })
      .catch((error: { code: string; message: string }) => error);
    return { ranges, outcome };
  }

  test("finds a session that has every byte but never returns the result", async () => {
    const { ranges, outcome } = await upload([308]);
    expect(ranges).toEqual([`bytes 0-${total - 1}/${total}`, `bytes */${total}`]);
    expect(outcome).toMatchObject({ code: "upload-stalled", message: expect.stringContaining("all 600000 bytes") });
  });

  test("finds such a session after a temporary failure of the status request too", async () => {
    const { ranges, outcome } = await upload([503, 308]);
    expect(ranges.slice(1)).toEqual([`bytes */${total}`, `bytes */${total}`]);
    expect(outcome).toMatchObject({ code: "upload-stalled" });
  });

  test("accepts a session that returns the result to a status request", async () => {
    const { ranges, outcome } = await upload(["done"]);
    expect(ranges).toEqual([`bytes 0-${total - 1}/${total}`, `bytes */${total}`]);
    expect(outcome).toEqual({ id: "1" });
  });
});

describe("batches", () => {
  /** Answers the batch with this number (from 1) by `fault`; answers all others with one part for each call. */
  const answering = (faulty: number, fault: { readonly status: number; readonly body: string }) =>
    startServer(({ body }, response, count) => {
      if (count === faulty) {
        response.writeHead(fault.status, { "content-type": "application/json" }).end(fault.body);
        return;
      }
      const ids = [...body.matchAll(/content-id: <(\d+)>/g)].map(([, id]) => id);
      const parts = ids.map(
        (id) =>
          `--b\r\ncontent-type: application/http\r\ncontent-id: <response-${id}>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{"n":${id}}\r\n`,
      );
      response.writeHead(200, { "content-type": "multipart/mixed; boundary=b" }).end(`${parts.join("")}--b--\r\n`);
    });
  const calls = Array.from({ length: 150 }, (_, index) => ({ method: "zoo.list", parameters: { id: `i${index}` } }));
  const refusal = { status: 400, body: '{"error":{"code":400,"message":"boom"}}' };

  it.each([
    ["a refusal of the second batch", 2, refusal, [100, 50], { code: "service-refused", status: 400 }],
    ["a refusal of the first batch", 1, refusal, [50, 100], { code: "service-refused", status: 400 }],
    [
      "a page of a gateway instead of the second batch",
      2,
      { status: 404, body: "<html>" },
      [100, 50],
      { code: "service-refused", status: 404 },
    ],
    ["an answer that is not a batch", 2, { status: 200, body: "{}" }, [100, 50], { code: "answer-malformed" }],
  ] as const)("finds %s, and keeps the results of the other calls", async (_, faulty, fault, [good, bad], error) => {
    await using server = await answering(faulty, fault);
    const results = await new ApiClient(drive, { endpoint: server.url, http }).batch(calls);
    expect(results).toHaveLength(150);
    expect(results.filter((result) => "answer" in result)).toHaveLength(good);
    const failed = results.filter((result) => "error" in result);
    expect(failed).toHaveLength(bad);
    for (const result of failed) expect(result).toMatchObject({ error });
    expect(results[faulty === 1 ? 100 : 0]).toEqual({ status: 200, answer: { n: 1 } });
  });

  test("accepts 150 calls with one result for each", async () => {
    await using server = await answering(0, refusal);
    const results = await new ApiClient(drive, { endpoint: server.url, http }).batch(calls);
    expect(results.map((result) => ("answer" in result ? result.status : 0))).toEqual(Array(150).fill(200));
  });
});

describe("pages with a selection of fields", () => {
  it.each([
    ["finds a token in brackets only", "files(name,nextPageToken,id)", true],
    ["finds a token in brackets within brackets", "files(a(b,nextPageToken,c),d)", true],
    ["finds a token of a field by path", "files/nextPageToken", true],
    ["finds a star in brackets only", "files(id,*,name)", true],
    ["finds a star of a field by path", "files/*", true],
    ["finds a name that only begins with that of the token", "nextPageTokens", true],
    ["accepts the token after a bracket", "files(id,*),nextPageToken", false],
    ["accepts the token with spaces around it", "files(id) , nextPageToken ", false],
    ["accepts the token as the first field", "nextPageToken,files(id)", false],
    ["accepts a star beside a field", "kind,*", false],
  ])("%s", async (_, fields, isAdded) => {
    await using server = await startServer((_request, response) => response.end("{}"));
    const client = new ApiClient(drive, { endpoint: server.url, http });
    for await (const page of client.pages("zoo.list", { parameters: { fields } })) expect(page).toEqual({});
    const asked = new URL(server.requests[0]?.target ?? "", server.url).searchParams.get("fields");
    expect(asked).toBe(isAdded ? `${fields},nextPageToken` : fields);
  });
});
