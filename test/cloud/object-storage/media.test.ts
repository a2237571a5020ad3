import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, ApiDescription, ownDescription } from "../../../lib/discovery";
import { createHttpClient } from "../../../lib/http";
import { startTestCloud, type TestCloud } from "../../support/cloud";

const unit = 256 * 1024;
/** Every byte value, in an order without period: text decoders break most of it. */
const content = Buffer.concat(
  Array.from({ length: Math.ceil((3 * unit + 12_345) / 32) }, (_, index) =>
    createHash("sha256").update(String(index)).digest(),
  ),
).subarray(0, 3 * unit + 12_345);
const contentType = "application/x-test";
const storage = ownDescription("storage:v1");
const http = createHttpClient({ retry: { maxAttempts: 1 } });

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterEach(() => cloud.faults.set({}));
afterAll(() => cloud.stop());

function client(): ApiClient {
  return new ApiClient(storage, { endpoint: cloud.endpoints.http, http });
}

async function downloaded(name: string, chunkBytes = unit): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const parameters = { bucket: "b-1", object: name };
  for await (const piece of client().download("storage.objects.get", { parameters }, { chunkBytes }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Sends a request that the description makes. */
async function send(input: Parameters<typeof storage.request>[1]): Promise<Response> {
  const { url, method, headers, body } = storage.request("storage.objects.insert", {
    ...input,
    endpoint: cloud.endpoints.http,
  });
  return fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
  });
}

function media(name: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${cloud.endpoints.http}storage/v1/b/b-1/o/${encodeURIComponent(name)}?alt=media`, { headers });
}

/** Begins a resumable upload. @returns address of the session */
async function begin(name: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const url = `${cloud.endpoints.http}upload/storage/v1/b/b-1/o?uploadType=resumable&name=${name}`;
  const answer = await fetch(url, { method: "POST", headers });
  expect(answer.status).toBe(200);
  return answer.headers.get("location") ?? "";
}

async function put(session: string, range: string | undefined, body: Uint8Array = new Uint8Array()) {
  const headers: Record<string, string> = range === undefined ? {} : { "content-range": range };
  const answer = await fetch(session, { method: "PUT", headers, body: new Uint8Array(body) });
  return { status: answer.status, range: answer.headers.get("range"), text: await answer.text() };
}

describe("upload in one request", () => {
  it("stores the bytes of a simple upload as they are", async () => {
    const answer = await send({
      parameters: { bucket: "b-1", name: "dir/simple.bin" },
      media: { contentType, content },
    });

    expect(await answer.json()).toMatchObject({
      kind: "storage#object",
      bucket: "b-1",
      name: "dir/simple.bin",
      contentType,
      size: String(content.byteLength),
      md5Hash: createHash("md5").update(content).digest("base64"),
    });
    expect((await downloaded("dir/simple.bin")).equals(content)).toBe(true);
  });

  it("stores metadata and bytes of a multipart upload whose content has line breaks and delimiters", async () => {
    const odd = Buffer.concat([Buffer.from("\r\n--\r\n"), content, Buffer.from("\r\n--part_\r\n")]);
    const body = { name: "multipart.bin", metadata: { owner: "é" }, contentType: "image/png" };
    const answer = await send({ parameters: { bucket: "b-1" }, body, media: { contentType, content: odd } });

    expect(await answer.json()).toMatchObject({ ...body, size: String(odd.byteLength) });
    expect((await downloaded("multipart.bin")).equals(odd)).toBe(true);
  });

  it("answers with the fields that the caller selects", async () => {
    const parameters = { bucket: "b-1", name: "fields", fields: "name,size" };
    const answer = await send({ parameters, media: { contentType, content: "abc" } });

    expect(await answer.json()).toEqual({ name: "fields", size: "3" });
  });

  it.each([
    ["without a name", "b/b-1/o?uploadType=media", {}, "x", 400, "name"],
    ["into a bucket that can't exist", "b/B/o?uploadType=media&name=x", {}, "x", 400, "bucket"],
    ["of an unknown type", "b/b-1/o?uploadType=chunked&name=x", {}, "x", 400, "uploadType"],
    [
      "with half a surrogate pair as name",
      "b/b-1/o?uploadType=resumable",
      { "content-type": "application/json" },
      '{"name":"\\ud800"}',
      400,
      "name",
    ],
    ["with a parameter that the method does not have", "b/b-1/o?uploadType=media&name=x&acl=1", {}, "x", 400, "acl"],
    [
      "in parts without a boundary",
      "b/b-1/o?uploadType=multipart&name=x",
      { "content-type": "multipart/related" },
      "x",
      400,
      "boundary",
    ],
    [
      "in one part",
      "b/b-1/o?uploadType=multipart&name=x",
      { "content-type": "multipart/related; boundary=a" },
      "--a\r\n\r\n{}\r\n--a--",
      400,
      "1 parts",
    ],
    [
      "with another hash than stated",
      "b/b-1/o?uploadType=multipart&name=x",
      { "content-type": "multipart/related; boundary=a" },
      '--a\r\n\r\n{"md5Hash":"abc"}\r\n--a\r\n\r\nx\r\n--a--',
      400,
      "MD5",
    ],
    [
      "of an object that must exist",
      "b/b-1/o?uploadType=media&name=x&ifGenerationMatch=7",
      {},
      "x",
      412,
      "ifGenerationMatch",
    ],
    [
      "longer than a body may be",
      "b/b-1/o?uploadType=media&name=x",
      {},
      "x".repeat(10 * 1024 * 1024 + 1),
      413,
      "longer",
    ],
  ])("refuses an upload %s", async (_, path, headers, body, status, told) => {
    const answer = await cloud.call("POST", `/upload/storage/v1/${path}`, body, headers);

    expect({ status: answer.status, text: JSON.stringify(answer.body) }).toEqual({
      status,
      text: expect.stringContaining(told),
    });
    expect((await cloud.call("GET", "/storage/v1/b/b-1/o/x")).status).toBe(404);
  });

  it("refuses an insertion without media, and media in a batch", async () => {
    const insert = await cloud.call("POST", "/storage/v1/b/b-1/o", { name: "x" });
    expect(insert.body).toMatchObject({ error: { errors: [{ reason: "wrongUrlForUpload" }] } });
    const part =
      "--a\r\nContent-Type: application/http\r\n\r\nGET /storage/v1/b/b-1/o/x?alt=media HTTP/1.1\r\n\r\n\r\n--a--";
    const headers = { "content-type": "multipart/mixed; boundary=a" };
    const batch = await fetch(`${cloud.endpoints.http}batch/storage/v1`, { method: "POST", headers, body: part });
    expect(await batch.text()).toContain("a batch carries no media");
  });
});

describe("resumable upload", () => {
  const parameters = { bucket: "b-1" };

  it("sends the content in pieces, and reports what the cloud has received", async () => {
    const progress: number[] = [];
    const answer = await client().upload(
      "storage.objects.insert",
      { parameters, body: { name: "pieces.bin", metadata: { a: "b" } } },
      { content, contentType, chunkBytes: unit, onProgress: (sent) => progress.push(sent) },
    );

    expect(answer).toMatchObject({
      name: "pieces.bin",
      contentType,
      metadata: { a: "b" },
      size: String(content.length),
    });
    expect(progress).toEqual([unit, 2 * unit, 3 * unit, content.byteLength]);
    expect((await downloaded("pieces.bin")).equals(content)).toBe(true);
  });

  it.each([
    ["0 bytes", 0],
    ["one piece exactly", unit],
    ["two pieces exactly", 2 * unit],
  ])("uploads content of %s", async (_, bytes) => {
    const whole = content.subarray(0, bytes);
    await client().upload(
      "storage.objects.insert",
      { parameters: { ...parameters, name: "edge" } },
      { content: whole, contentType, chunkBytes: unit },
    );

    expect((await downloaded("edge")).equals(whole)).toBe(true);
  });

  it.each([
    ["answers 503", { status: "UNAVAILABLE" }],
    ["cuts the connection", { cut: true }],
  ])("resumes after the cloud %s in the middle", async (_, fault) => {
    let isArmed = true;
    const before = cloud.requests().length;
    const onProgress = () => {
      // Strikes the piece after the first, and the status query after it.
      if (isArmed) cloud.faults.set({ requests: [{ method: "storage.objects.insert", times: 2, ...fault }] });
      isArmed = false;
    };
    await client().upload(
      "storage.objects.insert",
      { parameters: { ...parameters, name: "interrupted" } },
      { content, contentType, chunkBytes: unit, onProgress },
    );

    expect((await downloaded("interrupted")).equals(content)).toBe(true);
    const statuses = cloud
      .requests()
      .slice(before)
      .filter(({ httpMethod }) => httpMethod === "PUT")
      .map(({ status }) => status);
    const failed = "cut" in fault ? 0 : 503;
    expect(statuses).toEqual([308, failed, failed, 308, 308, 308, 200]);
  });

  it("resumes with only the session's address after a connection that broke during a piece", async () => {
    const session = await begin("resumed", { "x-upload-content-type": contentType });
    expect(await put(session, `bytes 0-${unit - 1}/*`, content.subarray(0, unit))).toMatchObject({ status: 308 });
    await dieIn(session, `bytes ${unit}-${2 * unit - 1}/${content.length}`, content.subarray(unit, unit + 1_000));

    expect(await put(session, "bytes */*")).toEqual({ status: 308, range: `bytes=0-${unit - 1}`, text: "" });
    const last = await put(session, `bytes ${unit}-${content.length - 1}/${content.length}`, content.subarray(unit));
    expect(last.status).toBe(200);
    expect(await put(session, "bytes */*")).toEqual(last);
    expect((await downloaded("resumed")).equals(content)).toBe(true);
  });

  it("stores whole multiples of 256 KiB of a piece, and repeated bytes once", async () => {
    const session = await begin("odd");
    const first = await put(session, `bytes 0-${unit + 99}/*`, content.subarray(0, unit + 100));
    expect(first).toEqual({ status: 308, range: `bytes=0-${unit - 1}`, text: "" });
    const rest = `bytes 1000-${content.length - 1}/${content.length}`;
    expect((await put(session, rest, content.subarray(1_000))).status).toBe(200);
    expect((await downloaded("odd")).equals(content)).toBe(true);
  });

  it("accepts the complete content without a Content-Range", async () => {
    expect((await put(await begin("whole"), undefined, content)).status).toBe(200);
    expect((await downloaded("whole")).equals(content)).toBe(true);
  });

  it.each([
    ["a gap", `bytes ${unit}-${unit + 9}/${unit + 10}`, 10, "begins at byte"],
    ["a length that differs from the body", "bytes 0-9/10", 11, "does not fit the body"],
    ["bytes beyond the stated length", "bytes 0-9/5", 10, "does not fit the body"],
    ["a short piece that is not the last", "bytes 0-9/*", 10, "multiple of 262144"],
    ["a Content-Range in another unit", "items 0-9/10", 10, "can't be read"],
    ["a status query with a body", "bytes */10", 10, "status request"],
    ["an object beyond the limit", `bytes 0-9/${64 * 1024 * 1024 + 1}`, 10, "67108864 bytes per object"],
  ])("refuses %s, and keeps the session", async (_, range, bytes, told) => {
    const session = await begin("refused");
    const answer = await put(session, range, content.subarray(0, bytes));

    expect([400, 413]).toContain(answer.status);
    expect(answer.text).toContain(told);
    expect(await put(session, "bytes */*")).toEqual({ status: 308, range: null, text: "" });
  });

  it("refuses a total that differs from the total at the beginning of the session", async () => {
    const session = await begin("total", { "x-upload-content-length": "20" });
    expect((await put(session, "bytes 0-9/10", content.subarray(0, 10))).text).toContain("began with 20 bytes");
  });

  it("refuses content beyond the limit when the upload begins", async () => {
    const headers = { "x-upload-content-length": String(64 * 1024 * 1024 + 1) };
    const answer = await cloud.call(
      "POST",
      "/upload/storage/v1/b/b-1/o?uploadType=resumable&name=x",
      undefined,
      headers,
    );
    expect(answer).toMatchObject({ status: 413, body: { error: { errors: [{ reason: "uploadTooLarge" }] } } });
  });

  it("deletes a session that is cancelled or a week old", async () => {
    const cancelled = await begin("cancelled");
    expect((await fetch(cancelled, { method: "DELETE" })).status).toBe(499);
    expect((await put(cancelled, "bytes */*")).status).toBe(404);
    await using other = await startTestCloud();
    const url = `${other.endpoints.http}upload/storage/v1/b/b-1/o?uploadType=resumable&name=old`;
    const session = (await fetch(url, { method: "POST" })).headers.get("location") ?? "";
    await other.clock.advance(7 * 24 * 60 * 60 * 1_000);
    expect((await put(session, "bytes */*")).status).toBe(308);
    await other.clock.advance(1);
    expect((await put(session, "bytes */*")).status).toBe(404);
  });
});

describe("download", () => {
  const bytes = Buffer.from([0, 0xff, 0xfe, 0x80, 10, 13, 0xc3, 0x28, 0xed, 0xa0]);
  beforeAll(async () => {
    const parameters = { bucket: "b-1", name: "ten" };
    await send({ parameters, body: { cacheControl: "no-store" }, media: { contentType, content: bytes } });
    await send({ parameters: { bucket: "b-1", name: "empty" }, media: { contentType, content: "" } });
  });

  it("answers with the complete content, its type and its hash", async () => {
    const answer = await media("ten");

    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": contentType,
      "content-length": "10",
      "cache-control": "no-store",
      etag: expect.stringMatching(/^".+"$/),
      "x-goog-hash": `md5=${createHash("md5").update(bytes).digest("base64")}`,
    });
  });

  it.each([
    ["bytes=0-0", 206, "bytes 0-0/10", [0, 1]],
    ["bytes=3-5", 206, "bytes 3-5/10", [3, 6]],
    ["bytes=7-", 206, "bytes 7-9/10", [7, 10]],
    ["bytes=7-999", 206, "bytes 7-9/10", [7, 10]],
    ["bytes=-4", 206, "bytes 6-9/10", [6, 10]],
    ["bytes=-999", 206, "bytes 0-9/10", [0, 10]],
    ["bytes=5-3", 200, null, [0, 10]],
    ["lines=1-2", 200, null, [0, 10]],
  ])("answers Range: %s with status %i", async (range, status, contentRange, [from, end]) => {
    const answer = await media("ten", { range });

    expect({ status: answer.status, contentRange: answer.headers.get("content-range") }).toEqual({
      status,
      contentRange,
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, end))).toBe(true);
  });

  it.each([
    ["ten", "bytes=10-"],
    ["ten", "bytes=-0"],
    ["empty", "bytes=0-9"],
  ])("answers a range of %s that has no bytes with 416: %s", async (name, range) => {
    expect((await media(name, { range })).status).toBe(416);
  });

  it("returns no bytes for an object without content", async () => {
    expect((await downloaded("empty")).byteLength).toBe(0);
  });

  it("detects an object that is replaced between two pieces", async () => {
    const name = "replaced";
    await send({ parameters: { bucket: "b-1", name }, media: { contentType, content } });
    const pieces = client().download(
      "storage.objects.get",
      { parameters: { bucket: "b-1", object: name } },
      { chunkBytes: unit },
    );
    await pieces.next();
    await send({ parameters: { bucket: "b-1", name }, media: { contentType, content } });

    await expect(pieces.next()).rejects.toMatchObject({ code: "download-changed" });
  });

  it("reports a deleted object as missing, in JSON", async () => {
    const input = { parameters: { bucket: "b-1", object: "gone/x" } };
    await send({ parameters: { bucket: "b-1", name: "gone/x" }, media: { contentType, content } });
    expect(await client().call("storage.objects.get", input)).toMatchObject({ name: "gone/x" });
    expect(await client().call("storage.objects.delete", input)).toBeUndefined();
    const answer = await media("gone/x");

    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 404,
      body: { error: { message: "No such object: b-1/gone/x", errors: [{ reason: "notFound" }] } },
    });
  });
});

describe("the cloud and its objects", () => {
  it("injects the same faults into the same uploads, whatever the ids of their sessions are", async () => {
    const statuses = async () => {
      await using other = await startTestCloud({
        faults: { seed: 4, requests: [{ method: "storage.objects.insert", probability: 0.5, status: "UNAVAILABLE" }] },
      });
      const seen: number[] = [];
      for (let number = 0; number < 20; number++) {
        const session = `upload/storage/v1/b/b-1/o?uploadType=resumable&name=o${number}&upload_id=${Math.random()}`;
        seen.push((await put(`${other.endpoints.http}${session}`, "bytes */*")).status);
      }
      return seen;
    };
    const first = await statuses();

    expect(new Set(first)).toEqual(new Set([404, 503]));
    expect(await statuses()).toEqual(first);
  });

  it("serves the API description that clients use for uploads and downloads", async () => {
    const served = ApiDescription.parse(await cloud.make("GET", "/discovery/v1/apis/storage/v1/rest"));
    const api = new ApiClient(served, { http });
    const input = { parameters: { bucket: "b-1", name: "by-description" } };

    await api.upload("storage.objects.insert", input, { content, contentType });
    expect((await downloaded("by-description")).equals(content)).toBe(true);
  });

  it("keeps content out of the request log, the activities and the state file, and deletes objects at a reset", async () => {
    const folder = mkdtempSync(join(tmpdir(), "objects-"));
    const secret = "content-that-nobody-else-sees";
    try {
      await using kept = await startTestCloud({ state: join(folder, "state.jsonl") });
      const path = "/upload/storage/v1/b/b-1/o?uploadType=media&name=secret";
      expect((await kept.call("POST", path, secret)).status).toBe(200);
      const got = await fetch(`${kept.endpoints.http}storage/v1/b/b-1/o/secret?alt=media`);
      expect(await got.text()).toBe(secret);
      const activities = await (
        await fetch(`${kept.endpoints.http}admin/reports/v1/activity/users/all/applications/admin`)
      ).text();
      const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));

      expect(kept.requests().map(({ method }) => method)).toEqual(
        expect.arrayContaining(["storage.objects.insert", "storage.objects.get"]),
      );
      expect(files.length).toBeGreaterThan(0);
      expect(JSON.stringify([kept.requests(), activities, files])).not.toContain(secret);
      await kept.reset();
      expect((await kept.call("GET", "/storage/v1/b/b-1/o/secret")).status).toBe(404);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Sends a part of a piece, and closes the connection. Resolves when the cloud has closed its side. */
function dieIn(session: string, contentRange: string, part: Uint8Array): Promise<void> {
  const { hostname, port, pathname, search, host } = new URL(session);
  const head = [
    `PUT ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Range: ${contentRange}`,
    `Content-Length: ${unit}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      socket.end(part);
    });
    socket.resume();
    socket.once("error", reject);
    socket.once("close", () => resolve());
  });
}
