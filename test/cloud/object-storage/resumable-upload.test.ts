import { connect } from "node:net";
import { startTestCloud, type TestCloud } from "../../support/cloud";
import { content, contentType, downloaded, put, storageClient, unit } from "./storage-client";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterEach(() => cloud.faults.set({}));
afterAll(() => cloud.stop());

/** Begins a resumable upload. @returns address of the session */
async function begin(name: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const url = `${cloud.endpoints.http}upload/storage/v1/b/b-1/o?uploadType=resumable&name=${name}`;
  const answer = await fetch(url, { method: "POST", headers });
  expect(answer.status).toBe(200);
  return answer.headers.get("location") ?? "";
}

const parameters = { bucket: "b-1" };

it("sends the content in pieces, and reports what the cloud has received", async () => {
  const progress: number[] = [];
  const answer = await storageClient(cloud).upload(
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
  expect((await downloaded(cloud, "pieces.bin")).equals(content)).toBe(true);
});

it.each([
  ["0 bytes", 0],
  ["one piece exactly", unit],
  ["two pieces exactly", 2 * unit],
])("uploads content of %s", async (_, bytes) => {
  const whole = content.subarray(0, bytes);
  await storageClient(cloud).upload(
    "storage.objects.insert",
    { parameters: { ...parameters, name: "edge" } },
    { content: whole, contentType, chunkBytes: unit },
  );

  expect((await downloaded(cloud, "edge")).equals(whole)).toBe(true);
});

it.each([
  ["answers 503", { status: "UNAVAILABLE" }],
  ["cuts the connection", { cut: true }],
])("resumes an upload after the cloud %s in the middle", async (_, fault) => {
  let isArmed = true;
  const before = cloud.requests().length;
  const onProgress = () => {
    // The fault affects the second piece and the status query after it.
    if (isArmed) cloud.faults.set({ requests: [{ method: "storage.objects.insert", times: 2, ...fault }] });
    isArmed = false;
  };
  await storageClient(cloud).upload(
    "storage.objects.insert",
    { parameters: { ...parameters, name: "interrupted" } },
    { content, contentType, chunkBytes: unit, onProgress },
  );

  expect((await downloaded(cloud, "interrupted")).equals(content)).toBe(true);
  const statuses = cloud
    .requests()
    .slice(before)
    .filter(({ httpMethod }) => httpMethod === "PUT")
    .map(({ status }) => status);
  const failed = "cut" in fault ? 0 : 503;
  expect(statuses).toEqual([308, failed, failed, 308, 308, 308, 200]);
});

it("resumes an upload with only the session's address after a connection that broke during a piece", async () => {
  const session = await begin("resumed", { "x-upload-content-type": contentType });
  expect(await put(session, `bytes 0-${unit - 1}/*`, content.subarray(0, unit))).toMatchObject({ status: 308 });
  await dieIn(session, `bytes ${unit}-${2 * unit - 1}/${content.length}`, content.subarray(unit, unit + 1_000));

  expect(await put(session, "bytes */*")).toEqual({ status: 308, range: `bytes=0-${unit - 1}`, text: "" });
  const last = await put(session, `bytes ${unit}-${content.length - 1}/${content.length}`, content.subarray(unit));
  expect(last.status).toBe(200);
  expect(await put(session, "bytes */*")).toEqual(last);
  expect((await downloaded(cloud, "resumed")).equals(content)).toBe(true);
});

it("stores whole multiples of 256 KiB of a piece, and repeated bytes once", async () => {
  const session = await begin("odd");
  const first = await put(session, `bytes 0-${unit + 99}/*`, content.subarray(0, unit + 100));
  expect(first).toEqual({ status: 308, range: `bytes=0-${unit - 1}`, text: "" });
  const rest = `bytes 1000-${content.length - 1}/${content.length}`;
  expect((await put(session, rest, content.subarray(1_000))).status).toBe(200);
  expect((await downloaded(cloud, "odd")).equals(content)).toBe(true);
});

it("accepts the complete content without a Content-Range", async () => {
  expect((await put(await begin("whole"), undefined, content)).status).toBe(200);
  expect((await downloaded(cloud, "whole")).equals(content)).toBe(true);
});

it.each([
  ["a gap", `bytes ${unit}-${unit + 9}/${unit + 10}`, 10, "begins at byte"],
  ["a length that differs from the body", "bytes 0-9/10", 11, "does not fit the body"],
  ["bytes beyond the stated length", "bytes 0-9/5", 10, "does not fit the body"],
  ["a short piece that is not the last", "bytes 0-9/*", 10, "multiple of 262144"],
  ["a Content-Range in another unit", "items 0-9/10", 10, "can't be read"],
  ["a status query with a body", "bytes */10", 10, "status request"],
  ["an object beyond the limit", `bytes 0-9/${64 * 1024 * 1024 + 1}`, 10, "67108864 bytes per object"],
])("refuses %s, and keeps the session", async (_, range, bytes, message) => {
  const session = await begin("refused");
  const answer = await put(session, range, content.subarray(0, bytes));

  expect([400, 413]).toContain(answer.status);
  expect(answer.text).toContain(message);
  expect(await put(session, "bytes */*")).toEqual({ status: 308, range: null, text: "" });
});

it("refuses a total that differs from the total at the beginning of the session", async () => {
  const session = await begin("total", { "x-upload-content-length": "20" });
  expect((await put(session, "bytes 0-9/10", content.subarray(0, 10))).text).toContain("began with 20 bytes");
});

it("refuses content beyond the limit when the upload begins", async () => {
  const headers = { "x-upload-content-length": String(64 * 1024 * 1024 + 1) };
  const answer = await cloud.call("POST", "/upload/storage/v1/b/b-1/o?uploadType=resumable&name=x", undefined, headers);
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

/** Sends a part of a piece and closes the connection; resolves when the cloud has closed it too. */
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
