import { ApiClient, ownDescription } from "../../../lib/discovery";
import { createHttpClient } from "../../../lib/http";
import { startTestCloud } from "../../support/cloud";
import { description, methodOf } from "../../support/descriptions";
import { startServer } from "../../support/loopback";

const http = createHttpClient({ sleep: async () => undefined, random: () => 0 });
const drive = description({
  parameters: { alt: { type: "string", location: "query", enum: ["json", "media"] } },
  methods: {
    insert: methodOf({
      id: "zoo.insert",
      httpMethod: "POST",
      path: "files",
      request: { type: "object", properties: { name: { type: "string" } } },
      mediaUpload: { protocols: { resumable: { path: "/resumable/upload/files" }, simple: { path: "/upload/files" } } },
    }),
    get: methodOf({ path: "files/1", supportsMediaDownload: true }),
    list: methodOf({ id: "zoo.list", path: "files", parameters: { pageToken: { location: "query", type: "string" } } }),
  },
});

describe("pages", () => {
  test("of Cloud DNS are read to the last, and a batch creates the listed records", async () => {
    await using cloud = await startTestCloud();
    const dns = new ApiClient(ownDescription("dns:v1"), { endpoint: cloud.endpoints.http, http });
    const zones = ["a", "b", "c", "d", "e"].map((name) => ({
      method: "dns.managedZones.create",
      parameters: { project: "p1" },
      body: { name: `zone-${name}`, dnsName: `${name}.example.com.`, description: "" },
    }));
    const made = await dns.batch([...zones, zones[0]!]);
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 409]);
    expect(made[5]).toMatchObject({ error: { code: "service-refused", status: 409, retryable: false } });
    const names: string[][] = [];
    const input = { parameters: { project: "p1", maxResults: 2, fields: "managedZones/name" } };
    for await (const page of dns.pages("dns.managedZones.list", input)) {
      names.push((page as { managedZones: { name: string }[] }).managedZones.map(({ name }) => name));
    }
    expect(names).toEqual([["zone-a", "zone-b"], ["zone-c", "zone-d"], ["zone-e"]]);
  });

  test("of a method without page tokens are refused before a request", async () => {
    const pages = new ApiClient(drive, { http }).pages("zoo.get");
    await expect(pages.next()).rejects.toMatchObject({ code: "pages-unsupported" });
  });

  test("with a token that repeats end", async () => {
    await using server = await startServer((_, response) => response.end('{"nextPageToken":"t"}'));
    const client = new ApiClient(drive, { endpoint: server.url, http });
    const all = (async () => {
      for await (const _ of client.pages("zoo.list"));
    })();
    await expect(all).rejects.toMatchObject({ code: "page-token-repeated" });
    expect(server.requests).toHaveLength(2);
  });
});

const text = { type: "string" } as const;
const inQuery = { location: "query", ...text } as const;
const object = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const shelves = description({
  parameters: { fields: inQuery },
  methods: {
    // As tabledata.list and jobs.getQueryResults of BigQuery.
    tabledata: methodOf({
      id: "zoo.tabledata",
      path: "data",
      parameters: { pageToken: inQuery },
      response: object("rows", "pageToken"),
    }),
    // As accounts.batchGet of Identity Toolkit.
    accounts: methodOf({
      id: "zoo.accounts",
      path: "accounts",
      parameters: { nextPageToken: inQuery },
      response: object("users", "nextPageToken"),
    }),
    // As relyingparty.downloadAccount of Identity Toolkit 3.
    download: methodOf({
      id: "zoo.download",
      path: "download",
      httpMethod: "POST",
      request: object("nextPageToken"),
      response: object("users", "nextPageToken"),
    }),
    // With both fields, the token of the next page counts.
    both: methodOf({
      id: "zoo.both",
      path: "both",
      parameters: { pageToken: inQuery },
      response: object("pageToken", "nextPageToken"),
    }),
  },
});

test.each([
  ["zoo.tabledata", "pageToken", ["/data", "/data?pageToken=p2", "/data?pageToken=p3"], ["", "", ""]],
  [
    "zoo.accounts",
    "nextPageToken",
    ["/accounts", "/accounts?nextPageToken=p2", "/accounts?nextPageToken=p3"],
    ["", "", ""],
  ],
  [
    "zoo.download",
    "nextPageToken",
    ["/download", "/download", "/download"],
    ["", '{"nextPageToken":"p2"}', '{"nextPageToken":"p3"}'],
  ],
  ["zoo.both", "nextPageToken", ["/both", "/both?pageToken=p2", "/both?pageToken=p3"], ["", "", ""]],
])("page tokens of %s are read from '%s' and followed to the last page", async (method, field, targets, bodies) => {
  await using server = await startServer((_, response, count) => {
    const echoed = field === "pageToken" ? {} : { pageToken: "echo" };
    response.end(JSON.stringify(count < 3 ? { ...echoed, [field]: `p${count + 1}` } : echoed));
  });
  const client = new ApiClient(shelves, { endpoint: server.url, http });
  let pages = 0;
  for await (const _ of client.pages(method)) pages += 1;
  expect(pages).toBe(3);
  expect(server.requests.map(({ target }) => target.replace("/v1", ""))).toEqual(targets);
  expect(server.requests.map(({ body }) => body)).toEqual(bodies);
});

test("page tokens are added to the selected fields under their name", async () => {
  await using server = await startServer((_, response) => response.end("{}"));
  const client = new ApiClient(shelves, { endpoint: server.url, http });
  for await (const _ of client.pages("zoo.tabledata", { parameters: { fields: "rows" } }));
  expect(new URL(server.requests[0]?.target ?? "", server.url).searchParams.get("fields")).toBe("rows,pageToken");
});

describe("an API with the feature dataWrapper", () => {
  const translate = description({
    features: ["dataWrapper"],
    methods: {
      translate: methodOf({
        id: "zoo.translate",
        path: "translate",
        httpMethod: "POST",
        request: { type: "object", properties: { q: { type: "string" } } },
      }),
      list: methodOf({
        id: "zoo.list",
        path: "list",
        parameters: { pageToken: { location: "query", type: "string" } },
      }),
    },
  });

  test("gets its body in 'data', and its answer is taken out of 'data'", async () => {
    await using server = await startServer((_, response) => response.end('{"data":{"translations":["a"]}}'));
    const client = new ApiClient(translate, { endpoint: server.url, http });
    expect(await client.call("zoo.translate", { body: { q: "b" } })).toEqual({ translations: ["a"] });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"data":{"q":"b"}}']);
  });

  test("has the problems of its body at the body's own fields", () => {
    expect(() => translate.request("zoo.translate", { body: { q: 1 } })).toThrow("/q");
  });

  test("is read to the last page", async () => {
    await using server = await startServer((_, response, count) =>
      response.end(JSON.stringify({ data: count < 2 ? { n: 1, nextPageToken: "p2" } : { n: 2 } })),
    );
    const pages: unknown[] = [];
    for await (const page of new ApiClient(translate, { endpoint: server.url, http }).pages("zoo.list"))
      pages.push(page);
    expect(pages).toEqual([{ n: 1, nextPageToken: "p2" }, { n: 2 }]);
  });

  test("gives errors, which have no 'data', as they are", async () => {
    await using server = await startServer((_, response) => response.end('{"kind":"x"}'));
    const client = new ApiClient(translate, { endpoint: server.url, http });
    expect(await client.call("zoo.list")).toEqual({ kind: "x" });
  });
});

test("a request to an API with the label 'deprecated' has a finding", () => {
  const methods = { list: methodOf({ id: "zoo.list", path: "list" }) };
  const old = description({ labels: ["deprecated"], methods });
  expect(old.request("zoo.list").findings).toMatchObject([
    { code: "deprecated", severity: "warning", subject: old.id, message: `the API '${old.id}' is deprecated` },
  ]);
  expect(description({ labels: ["limited_availability"], methods }).request("zoo.list").findings).toEqual([]);
});

describe("a batch", () => {
  test("returns a result for each call, even if the service answers in another order or omits a call", async () => {
    await using server = await startServer((_, response) => {
      const part = (id: number, text: string) =>
        `--b\r\ncontent-type: application/http\r\ncontent-id: <response-${id}>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${text}\r\n`;
      response.writeHead(200, { "content-type": "multipart/mixed; boundary=b" });
      response.end(`${part(3, '{"n":3}')}${part(1, '{"n":1}')}--b--\r\n`);
    });
    const client = new ApiClient(drive, { endpoint: server.url, http });
    const results = await client.batch(Array(3).fill({ method: "zoo.list" }));
    expect(results).toMatchObject([
      { status: 200, answer: { n: 1 } },
      { status: undefined, error: { code: "batch-answer-missing" } },
      { status: 200, answer: { n: 3 } },
    ]);
  });

  test("without calls sends no request", async () => {
    expect(await new ApiClient(drive, { endpoint: "http://127.0.0.1:1/", http }).batch([])).toEqual([]);
  });
});

const unit = 256 * 1024;
const content = Buffer.from(Array.from({ length: unit * 2 + 5 }, (_, at) => at % 251));

/** Starts a service for resumable uploads; at the pieces in `loses` it keeps only a part and answers 503. */
async function uploadService(loses: readonly number[]) {
  let held = 0;
  let pieces = 0;
  const tokens: (string | undefined)[] = [];
  const ranges: string[] = [];
  const server = await startServer(({ method, headers }, response) => {
    tokens.push(headers.authorization);
    if (method === "POST") return response.writeHead(200, { location: "/session/1" }).end();
    const range = headers["content-range"] ?? "";
    ranges.push(range);
    const [, from, to, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(range) ?? [];
    if (from !== undefined && ++pieces && loses.includes(pieces)) {
      held = Number(from) + 1_000;
      return response.writeHead(503).end();
    }
    if (to !== undefined && Number(from) === held) held = Number(to) + 1;
    if (held === Number(total)) return response.end('{"id":"1"}');
    return response.writeHead(308, held === 0 ? {} : { range: `bytes=0-${held - 1}` }).end();
  });
  return { server, ranges, tokens };
}

test("a resumable upload sends pieces, and reports progress", async () => {
  const { server, ranges, tokens } = await uploadService([]);
  await using _ = server;
  const headers = () => ({ authorization: "Bearer t" });
  const client = new ApiClient(drive, { endpoint: server.url, http, headers });
  const progress: number[] = [];
  const media = { content, contentType: "a/b", chunkBytes: unit, onProgress: (sent: number) => progress.push(sent) };
  expect(await client.upload("zoo.insert", { body: { name: "x" } }, media)).toEqual({ id: "1" });
  const total = content.length;
  expect(ranges).toEqual([
    `bytes 0-${unit - 1}/${total}`,
    `bytes ${unit}-${2 * unit - 1}/${total}`,
    `bytes ${2 * unit}-${total - 1}/${total}`,
  ]);
  expect(progress).toEqual([unit, 2 * unit, total]);
  expect(new Set(tokens)).toEqual(new Set(["Bearer t"]));
  expect(server.requests[0]?.headers["x-upload-content-length"]).toBe(String(total));
});

test("a resumable upload requests after a failure how much has arrived, and sends the rest", async () => {
  const { server, ranges } = await uploadService([2]);
  await using _ = server;
  const client = new ApiClient(drive, { endpoint: server.url, http });
  await client.upload("zoo.insert", {}, { content, contentType: "a/b", chunkBytes: unit });
  const total = content.length;
  expect(ranges.slice(1)).toEqual([
    `bytes ${unit}-${2 * unit - 1}/${total}`,
    `bytes */${total}`,
    `bytes ${unit + 1_000}-${2 * unit + 999 > total - 1 ? total - 1 : 2 * unit + 999}/${total}`,
  ]);
});

test("a resumable upload stops if the service makes no progress", async () => {
  await using server = await startServer(({ method }, response) =>
    method === "POST" ? response.writeHead(200, { location: "/s" }).end() : response.writeHead(308).end(),
  );
  const client = new ApiClient(drive, { endpoint: server.url, http });
  const media = { content, contentType: "a/b", chunkBytes: unit };
  await expect(client.upload("zoo.insert", {}, media)).rejects.toMatchObject({ code: "upload-stalled" });
});

test("a resumable upload never sends the caller's headers to another host", async () => {
  const { server, tokens } = await uploadService([]);
  await using _ = server;
  await using start = await startServer((_, response) =>
    response.writeHead(200, { location: `${server.url}session/1` }).end(),
  );
  const headers = () => ({ authorization: "Bearer t" });
  const client = new ApiClient(drive, { endpoint: start.url, http, headers });
  await client.upload("zoo.insert", {}, { content, contentType: "a/b" });
  expect(tokens).toEqual([undefined]);
});

test.each([
  ["a piece that services don't take", { chunkBytes: 1_000 }, "chunk-size"],
  ["no piece", { chunkBytes: 0 }, "chunk-size"],
])("a resumable upload refuses %s", async (_, options, code) => {
  const upload = new ApiClient(drive, { http }).upload("zoo.insert", {}, { content, contentType: "a/b", ...options });
  await expect(upload).rejects.toMatchObject({ code });
});

test("a resumable upload refuses to continue if no session begins", async () => {
  await using server = await startServer((_, response) => response.end("{}"));
  const client = new ApiClient(drive, { endpoint: server.url, http });
  const upload = client.upload("zoo.insert", {}, { content, contentType: "a/b" });
  await expect(upload).rejects.toMatchObject({ code: "upload-session-missing" });
});

describe("a download", () => {
  const media = (etag: (count: number) => string, knowsRanges = true) =>
    startServer(({ headers }, response, count) => {
      const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
      if (!knowsRanges) return response.end(content);
      const part = content.subarray(Number(from), Number(to) + 1);
      if (part.length === 0) return response.writeHead(416).end();
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${content.length}`;
      return response.writeHead(206, { "content-range": range, etag: etag(count) }).end(part);
    });
  const received = async (url: string) => {
    const pieces: Uint8Array[] = [];
    const client = new ApiClient(drive, { endpoint: url, http });
    for await (const piece of client.download("zoo.get", {}, { chunkBytes: unit })) pieces.push(piece);
    return pieces;
  };

  test.each([
    ["in pieces", true, 3],
    ["at once where the service knows no ranges", false, 1],
  ])("is complete %s", async (_, knowsRanges, count) => {
    await using server = await media(() => '"1"', knowsRanges);
    const pieces = await received(server.url);
    expect(pieces).toHaveLength(count);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(server.requests[0]?.target).toBe("/files/1?alt=media");
  });

  test("stops if the media change during the download", async () => {
    await using server = await media((count) => `"${count}"`);
    await expect(received(server.url)).rejects.toMatchObject({ code: "download-changed" });
  });

  test("refuses a method without media", () => {
    expect(() => new ApiClient(drive, { http }).download("zoo.list")).toThrow(
      expect.objectContaining({ code: "download-unsupported" }),
    );
  });
});
