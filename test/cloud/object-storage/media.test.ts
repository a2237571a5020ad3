import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32cOf } from "../../../lib/cloud/object-storage/crc32c";
import { ApiClient, ApiDescription } from "../../../lib/discovery";
import { startTestCloud, type TestCloud } from "../../support/cloud";
import { content, contentType, downloaded, http, put, storage, storageClient, unit } from "./storage-client";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

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
    crc32c: crc32cOf(content),
  });
  expect((await downloaded(cloud, "dir/simple.bin")).equals(content)).toBe(true);
});

it("stores metadata and bytes of a multipart upload whose content has line breaks and delimiters", async () => {
  const odd = Buffer.concat([Buffer.from("\r\n--\r\n"), content, Buffer.from("\r\n--part_\r\n")]);
  const body = { name: "multipart.bin", metadata: { owner: "é" }, contentType: "image/png" };
  const answer = await send({ parameters: { bucket: "b-1" }, body, media: { contentType, content: odd } });

  expect(await answer.json()).toMatchObject({ ...body, size: String(odd.byteLength) });
  expect((await downloaded(cloud, "multipart.bin")).equals(odd)).toBe(true);
});

it.each([
  ["the bytes", Buffer.from("abc")],
  ["bytes with line breaks of both forms", Buffer.from("\r\nhe\nllo\r\n")],
  ["bytes that end with a carriage return", Buffer.from("abc\r")],
  ["no bytes", Buffer.alloc(0)],
])("stores %s of an upload of Google's client for Python, whose lines end with LF", async (_, odd) => {
  const boundary = "===============5896825679054896337==";
  // The body of google-api-python-client 2.202.0.
  const head = `--${boundary}\nContent-Type: application/json\nMIME-Version: 1.0\n\n{"name": "python", "metadata": {"a": "\\u00e9"}}\n--${boundary}\nContent-Type: text/plain\nMIME-Version: 1.0\nContent-Transfer-Encoding: binary\n\n`;
  const answer = await fetch(`${cloud.endpoints.http}upload/storage/v1/b/b-1/o?uploadType=multipart`, {
    method: "POST",
    headers: { "content-type": `multipart/related; boundary="${boundary}"` },
    body: Buffer.concat([Buffer.from(head), odd, Buffer.from(`\n--${boundary}--\n`)]),
  });
  const resource = { name: "python", contentType: "text/plain", metadata: { a: "é" }, size: String(odd.byteLength) };
  expect(await answer.json()).toMatchObject(resource);
  expect((await downloaded(cloud, "python")).equals(odd)).toBe(true);
});

it("answers an upload with the fields that the caller selects", async () => {
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
    "with another checksum than stated",
    "b/b-1/o?uploadType=multipart&name=x",
    { "content-type": "multipart/related; boundary=a" },
    '--a\r\n\r\n{"crc32c":"AAAAAA=="}\r\n--a\r\n\r\nx\r\n--a--',
    400,
    "CRC32C",
  ],
  [
    "of an object that must exist",
    "b/b-1/o?uploadType=media&name=x&ifGenerationMatch=7",
    {},
    "x",
    412,
    "ifGenerationMatch",
  ],
  ["longer than a body may be", "b/b-1/o?uploadType=media&name=x", {}, "x".repeat(10 * 1024 * 1024 + 1), 413, "longer"],
])("refuses an upload %s", async (_, path, headers, body, status, message) => {
  const answer = await cloud.call("POST", `/upload/storage/v1/${path}`, body, headers);

  expect({ status: answer.status, text: JSON.stringify(answer.body) }).toEqual({
    status,
    text: expect.stringContaining(message),
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

describe("download", () => {
  const bytes = Buffer.from([0, 0xff, 0xfe, 0x80, 10, 13, 0xc3, 0x28, 0xed, 0xa0]);
  beforeAll(async () => {
    const parameters = { bucket: "b-1", name: "ten" };
    await send({ parameters, body: { cacheControl: "no-store" }, media: { contentType, content: bytes } });
    await send({ parameters: { bucket: "b-1", name: "empty" }, media: { contentType, content: "" } });
  });

  it("answers at the path of downloads of Google's storage client for Python too", async () => {
    const answer = await fetch(`${cloud.endpoints.http}download/storage/v1/b/b-1/o/ten?alt=media`);

    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, bytes]);
  });

  it("answers with the complete content, its type and its hash", async () => {
    const answer = await media("ten");

    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": contentType,
      "content-length": "10",
      "cache-control": "no-store",
      etag: expect.stringMatching(/^".+"$/),
      "x-goog-hash": `crc32c=${crc32cOf(bytes)},md5=${createHash("md5").update(bytes).digest("base64")}`,
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
    expect((await downloaded(cloud, "empty")).byteLength).toBe(0);
  });

  it("detects an object that is replaced between two pieces", async () => {
    const name = "replaced";
    await send({ parameters: { bucket: "b-1", name }, media: { contentType, content } });
    const pieces = storageClient(cloud).download(
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
    expect(await storageClient(cloud).call("storage.objects.get", input)).toMatchObject({ name: "gone/x" });
    expect(await storageClient(cloud).call("storage.objects.delete", input)).toBeUndefined();
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
        behavior: {
          faults: {
            seed: 4,
            requests: [{ method: "storage.objects.insert", probability: 0.5, status: "UNAVAILABLE" }],
          },
        },
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
    expect((await downloaded(cloud, "by-description")).equals(content)).toBe(true);
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
        await fetch(`${kept.endpoints.http}admin/reports/v1/activity/users/all/applications/admin?access_token=t`)
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
