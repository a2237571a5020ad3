import {
  ApiDescription,
  createDescriptionService,
  DescriptionClient,
  ownDescription,
  type RequestInput,
} from "../../lib/discovery";
import { createHttpClient } from "../../lib/http";
import { startTestCloud, type TestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";

/** Defects in services that hand out descriptions and in media that the cloud takes and hands out. */

describe("services of descriptions", () => {
  const description = ownDescription("cloudbilling:v1").document;
  const http = createHttpClient({ retry: { maxAttempts: 1 } });

  it.each([
    ["finds a description at the address in the list only", "/elsewhere/x", "/elsewhere/x"],
    ["finds a description at the API itself where the list is empty", undefined, "/$discovery/rest?version=v1"],
    [
      "finds a description at the API itself if the list's address no longer works",
      "/gone",
      "/$discovery/rest?version=v1",
    ],
  ])("%s", async (_, listed, place) => {
    await using server = await startServer(({ target }, response) => {
      const item = { id: "cloudbilling:v1", name: "cloudbilling", version: "v1", discoveryRestUrl: listed };
      const items = listed === undefined ? [] : [item];
      if (target.startsWith("/discovery/v1/apis?") || target === "/discovery/v1/apis")
        return response.end(JSON.stringify({ kind: "discovery#directoryList", items }));
      return target === place ? response.end(JSON.stringify(description)) : response.writeHead(404).end("{}");
    });
    const client = new DescriptionClient({ rootUrl: server.url, http });
    expect((await client.get("cloudbilling:v1")).id).toBe("cloudbilling:v1");
    const shown = await runCli(["api", "show", "cloudbilling:v1", "--root-url", server.url]);
    expect(shown.exitCode).toBe(0);
  });

  it("accepts a selection of fields", () => {
    const service = createDescriptionService({ descriptions: [description] });
    const { status, body } = service.answer({
      method: "GET",
      url: "/discovery/v1/apis?fields=items/id",
      headers: { host: "a" },
    });
    expect({ status, keys: new Set(JSON.parse(body).items.flatMap(Object.keys)) }).toEqual({
      status: 200,
      keys: new Set(["id"]),
    });
  });

  it.each([
    ["finds the length that GET has in the answer to HEAD", "HEAD", {}],
    ["finds no length in an answer without content", "GET", { "if-none-match": "*" }],
  ])("%s", async (_, method, headers) => {
    await using cloud = await startTestCloud();
    const url = `${cloud.endpoints.http}discovery/v1/apis`;
    const whole = await (await fetch(url)).text();
    const answer = await fetch(url, { method, headers });
    const expected = method === "HEAD" ? String(Buffer.byteLength(whole)) : null;
    expect(answer.headers.get("content-length")).toBe(expected);
  });
});

describe("media uploads and downloads", () => {
  let storage: ApiDescription;
  const binary = Buffer.from(Array.from({ length: 2_048 }, (_, index) => (index * 151) % 256));
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
    storage = ApiDescription.parse(await cloud.make("GET", "/discovery/v1/apis/storage/v1/rest"));
  });
  afterAll(() => cloud.stop());

  async function send(id: string, input: RequestInput, more: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { url, method, headers, body } = storage.request(id, { endpoint: cloud.endpoints.http, ...input });
    const bytes = typeof body === "string" || body === undefined ? body : new Uint8Array(body);
    return fetch(url, { method, headers: { ...headers, ...more }, ...(bytes === undefined ? {} : { body: bytes }) });
  }

  const object = { bucket: "scans", object: "page 1/ü" };
  const insert = (kind: "simple" | "multipart") =>
    send("storage.objects.insert", {
      parameters: { bucket: object.bucket, name: object.object },
      ...(kind === "multipart" ? { body: { contentLanguage: "de" } } : {}),
      media: { kind, contentType: "image/tiff", content: binary },
    });
  const media = { parameters: { ...object, alt: "media" } };

  it.each(["simple", "multipart"] as const)("accepts binary data in a %s upload", async (kind) => {
    expect((await insert(kind)).status).toBe(200);
    const answer = await send("storage.objects.get", media);
    expect(Buffer.from(await answer.arrayBuffer()).equals(binary)).toBe(true);
  });

  it.each([
    ["accepts a range in the middle of media", "bytes=100-199", 206, "bytes 100-199/2048"],
    ["finds a range behind the end of media", "bytes=2048-", 416, null],
  ])("%s", async (_, range, status, contentRange) => {
    await insert("simple");
    const answer = await send("storage.objects.get", media, { range });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([status, contentRange]);
  });

  it.each([
    ["finds a gap between the pieces of an upload", "bytes 262144-264191/264192", 400],
    ["finds a piece that is shorter than its Content-Range", "bytes 0-4095/4096", 400],
    ["accepts a piece that is the whole content", "bytes 0-2047/2048", 200],
  ])("%s", async (_, range, status) => {
    const started = await send("storage.objects.insert", {
      parameters: { bucket: "scans", name: "pieces" },
      media: { kind: "resumable", contentType: "image/tiff" },
    });
    const session = started.headers.get("location") ?? "";
    const answer = await fetch(session, { method: "PUT", headers: { "content-range": range }, body: binary });
    expect(answer.status).toBe(status);
  });

  it("finds an upload over an object that must not exist", async () => {
    await insert("simple");
    const answer = await send("storage.objects.insert", {
      parameters: { bucket: object.bucket, name: object.object, ifGenerationMatch: "0" },
      media: { kind: "simple", contentType: "image/tiff", content: binary },
    });
    expect(answer.status).toBe(412);
  });
});
