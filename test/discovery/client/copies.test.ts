import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDescriptionService, type DescriptionClientOptions } from "../../../lib/discovery";
import { openCacheFolder } from "../../../lib/discovery/client/cache-folder";
import { serve, startServer } from "../../support/loopback";
import { sampleDescription } from "../service/samples";
import { errorOf, sendJson, temporaryFolder, testClient } from "./workshop";

/** The entry with the description's own URL, so that each read takes one request. */
const shopEntry = { name: "shop", version: "v1", discoveryRestUrl: "apis/shop/v1/rest" };

const shop = sampleDescription("shop:v1");

/** Returns a version of the description; its revision shows which response the client read. */
const revision = (count: number) => ({ ...shop, revision: String(count) });

/** Starts a server of `shop:v1` with caching headers; it answers 304 while the ETag is unchanged. */
const shopServer = (
  headers: Readonly<Record<string, string>>,
  { etag }: { readonly etag: (count: number) => string | undefined } = { etag: () => undefined },
) =>
  startServer((request, response, count) => {
    const tag = etag(count);
    const all = tag === undefined ? headers : { ...headers, etag: tag };
    if (tag !== undefined && request.headers["if-none-match"] === tag) return response.writeHead(304, all).end();
    return sendJson(response, revision(count), all);
  });

test.each([
  ["300 seconds with max-age=300", { "cache-control": "max-age=300" }, 299, 300],
  ["an hour by default", {}, 3_599, 3_600],
  ["what is left of its age", { "cache-control": "max-age=300", age: "100" }, 199, 200],
])("a copy is used without a request for %s", async (_, headers, freshSeconds, staleSeconds) => {
  await using folder = await temporaryFolder();
  await using server = await shopServer(headers);
  const { client, pass, warnings } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  pass(freshSeconds);
  expect((await client.get(shopEntry)).document.revision).toBe("1");
  pass(staleSeconds - freshSeconds);
  expect((await client.get(shopEntry)).document.revision).toBe("2");
  expect({ requests: server.requests.length, warnings }).toEqual({ requests: 2, warnings: [] });
});

it("a copy is shared with another process with the same folder, and works for lists too", async () => {
  await using folder = await temporaryFolder();
  await using server = await serve(createDescriptionService({ descriptions: [shop] }).handler);
  const options = { rootUrl: server.url, copies: { folder: folder.path } };
  const first = testClient(options).client;
  const [items, description] = [await first.list(), await first.get(shopEntry)];
  await server[Symbol.asyncDispose]();
  const second = testClient(options).client;
  expect(await second.list()).toEqual(items);
  expect((await second.get(shopEntry)).document).toEqual(description.document);
});

it("a copy is revalidated by its tag when stale, and renewed by 304", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({ "cache-control": "max-age=300" }, { etag: () => '"one"' });
  const { client, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  const revisions: unknown[] = [];
  for (const seconds of [0, 300, 299, 1]) {
    pass(seconds);
    revisions.push((await client.get(shopEntry)).document.revision);
  }
  expect(revisions).toEqual(["1", "1", "1", "1"]);
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"one"', '"one"']);
});

it("a copy is renewed for its previous lifetime if 304 states none", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((request, response) => {
    if (request.headers["if-none-match"] !== undefined) return response.writeHead(304).end();
    return sendJson(response, shop, { etag: 'W/"one"', "cache-control": "max-age=20" });
  });
  const { client, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  for (const seconds of [0, 20, 19, 1]) {
    pass(seconds);
    await client.get(shopEntry);
  }
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, 'W/"one"', 'W/"one"']);
});

it("a copy is replaced if the tag changes every time", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({ "cache-control": "max-age=20" }, { etag: (count) => `"${count}"` });
  const { client, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  const revisions: unknown[] = [];
  for (const seconds of [0, 20, 20]) {
    pass(seconds);
    revisions.push((await client.get(shopEntry)).document.revision);
  }
  expect(revisions).toEqual(["1", "2", "3"]);
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"', '"2"']);
  expect(await readdir(folder.path)).toHaveLength(1);
});

it("a copy is fetched again if 304 confirms another tag", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((request, response, count) => {
    if (request.headers["if-none-match"] !== undefined) return response.writeHead(304, { etag: '"other"' }).end();
    return sendJson(response, revision(count), { etag: '"one"', "cache-control": "max-age=0" });
  });
  const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  expect((await client.get(shopEntry)).document.revision).toBe("3");
});

it.each(["unquoted", '"a"b"', `"${"x".repeat(2_000)}"`])(
  "a copy without a valid tag (%s) is fetched again",
  async (tag) => {
    await using folder = await temporaryFolder();
    await using server = await shopServer({ "cache-control": "max-age=0" }, { etag: () => tag });
    const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
    await client.get(shopEntry);
    expect((await client.get(shopEntry)).document.revision).toBe("2");
    expect(server.requests[1]?.headers["if-none-match"]).toBeUndefined();
  },
);

it("a copy with an invalid tag is used while fresh", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({ "cache-control": "max-age=300" }, { etag: () => "unquoted" });
  const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  await client.get(shopEntry);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["a page of HTML", "<html>"],
  ["another description", JSON.stringify(sampleDescription("shop:v2"))],
])("a copy that contains %s is ignored although complete and fresh", async (_, body) => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({});
  const { client, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await openCacheFolder(folder.path).write({
    url: `${server.url}discovery/v1/apis/shop/v1/rest`,
    fetchedAtMs: Date.parse("2026-11-21T00:00:00Z"),
    maxAgeSeconds: 300,
    body: Buffer.from(body),
  });
  pass(1);
  expect((await client.get(shopEntry)).document.revision).toBe("1");
});

it("a copy from the future is not trusted", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({});
  const { client, pass } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  pass(-60);
  expect((await client.get(shopEntry)).document.revision).toBe("2");
});

it("a copy is not written with no-store, and an earlier copy is deleted", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((_, response, count) =>
    sendJson(response, revision(count), { "cache-control": count === 1 ? "max-age=0" : "no-store" }),
  );
  const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  expect(await readdir(folder.path)).toHaveLength(1);
  await client.get(shopEntry);
  expect(await readdir(folder.path)).toEqual([]);
});

it("a copy is not written for an invalid answer", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((_, response, count) =>
    count === 1 ? response.end("<html>") : sendJson(response, sampleDescription("shop:v2")),
  );
  const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  expect(await errorOf(client.get(shopEntry))).toMatchObject({ code: "answer-not-json" });
  expect(await errorOf(client.get(shopEntry))).toMatchObject({ code: "description-mismatch" });
  expect(await readdir(folder.path)).toEqual([]);
});

it("a copy is readable by its owner only, and leaves no draft behind", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({});
  const cacheFolder = join(folder.path, "deep", "cache");
  await testClient({ rootUrl: server.url, copies: { folder: cacheFolder } }).client.get(shopEntry);
  const [file, ...others] = await readdir(cacheFolder);
  expect(others).toEqual([]);
  expect(file).toMatch(/^[0-9a-f]{64}\.cache$/);
  expect((await stat(join(cacheFolder, file ?? ""))).mode & 0o777).toBe(0o600);
  expect((await stat(cacheFolder)).mode & 0o777).toBe(0o700);
});

it("a copy is replaced atomically: the next write deletes drafts that a process left behind", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({ "cache-control": "max-age=0" });
  const { client } = testClient({ rootUrl: server.url, copies: { folder: folder.path } });
  await client.get(shopEntry);
  const [file] = await readdir(folder.path);
  const [abandoned, recent] = [`${file}.0011.draft`, `${file}.2233.draft`];
  for (const draft of [abandoned, recent]) await writeFile(join(folder.path, draft), "half");
  await utimes(join(folder.path, abandoned), 0, 0);
  await client.get(shopEntry);
  expect((await readdir(folder.path)).sort()).toEqual([file, recent]);
});

describe("a cache file that is incomplete or foreign is a miss:", () => {
  const damages: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ["empty", (path) => writeFile(path, "")],
    ["cut", async (path) => writeFile(path, (await readFile(path)).subarray(0, 500))],
    ["changed in the body", async (path) => writeFile(path, (await readFile(path, "utf8")).replace('"1"', '"7"'))],
    ["changed in the head", async (path) => writeFile(path, (await readFile(path, "utf8")).replace("3600", "9999"))],
    ["of another program", (path) => writeFile(path, JSON.stringify(revision(7)))],
    ["a folder", (path) => rm(path).then(() => mkdir(path))],
    ["a pipe without a writer", (path) => rm(path).then(() => execFileSync("mkfifo", [path]))],
    ["a device without end", (path) => rm(path).then(() => symlink("/dev/zero", path))],
    ["gone", (path) => rm(path)],
  ];

  test.each(damages)("%s", async (_, damage) => {
    await using folder = await temporaryFolder();
    await using server = await shopServer({});
    const options = { rootUrl: server.url, copies: { folder: folder.path } };
    await testClient(options).client.get(shopEntry);
    const [file = ""] = await readdir(folder.path);
    await damage(join(folder.path, file));
    expect((await testClient(options).client.get(shopEntry)).document.revision).toBe("2");
  });
});

describe("a cache folder that can't be written", () => {
  it("is reported, and nothing else fails", async () => {
    await using folder = await temporaryFolder();
    await using server = await shopServer({});
    const cacheFolder = join(folder.path, "file");
    await writeFile(cacheFolder, "");
    const { client, warnings } = testClient({ rootUrl: server.url, copies: { folder: cacheFolder } });
    expect((await client.get(shopEntry)).id).toBe("shop:v1");
    expect(warnings).toEqual([
      {
        code: "cache-unwritable",
        message: `${server.url}discovery/v1/apis/shop/v1/rest can't be kept for later (there is a file in its place): name a cache folder that can be written`,
      },
    ]);
  });
});

describe("concurrent clients", () => {
  it("read and write one copy safely", async () => {
    await using folder = await temporaryFolder();
    await using server = await shopServer({ "cache-control": "max-age=0" });
    const clients = Array.from({ length: 20 }, () =>
      testClient({ rootUrl: server.url, copies: { folder: folder.path } }),
    );
    const read = await Promise.all(clients.map(({ client }) => client.get(shopEntry)));
    expect(new Set(read.map(({ document }) => document.revision)).size).toBe(20);
    expect(clients.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(await readdir(folder.path)).toHaveLength(1);
    await server[Symbol.asyncDispose]();
    const left = await testClient({ rootUrl: server.url, copies: { folder: folder.path, offline: true } }).client.get(
      "shop:v1",
    );
    expect(Number(left.document.revision)).toBeGreaterThan(0);
  });
});

const offline = (options: DescriptionClientOptions) =>
  testClient({ ...options, copies: { ...options.copies, offline: true } });

it("offline, a client uses copies without a request, and reports the age of stale copies", async () => {
  await using folder = await temporaryFolder();
  await using server = await shopServer({});
  const options = { rootUrl: server.url, copies: { folder: folder.path } };
  await testClient(options).client.get(shopEntry);
  const { client, warnings, pass } = offline(options);
  await client.get(shopEntry);
  expect(warnings).toEqual([]);
  pass(3 * 86_400);
  expect((await client.get(shopEntry)).document.revision).toBe("1");
  expect(warnings).toEqual([
    {
      code: "copy-stale",
      message:
        "reading the description of 'shop:v1': offline; using the copy of 2026-11-21T00:00:00.000Z, which is 3 days old",
    },
  ]);
  expect(server.requests).toHaveLength(1);
});

it("offline, a client fails without a copy, and names what is missing", async () => {
  await using folder = await temporaryFolder();
  const { client } = offline({ rootUrl: "http://127.0.0.1:1/", copies: { folder: folder.path } });
  expect(await errorOf(client.get(shopEntry))).toMatchObject({
    name: "InputError",
    code: "offline-miss",
    message:
      "reading the description of 'shop:v1': offline, http://127.0.0.1:1/discovery/v1/apis/shop/v1/rest can't be requested, and no copy of it is in the cache folder; read it once without offline",
  });
  expect(await errorOf(client.list())).toMatchObject({ code: "offline-miss" });
});

it("offline, a client fails without a cache folder", async () => {
  const error = await errorOf(offline({ rootUrl: "http://127.0.0.1:1/" }).client.list());
  expect(error).toMatchObject({
    code: "offline-miss",
    message: expect.stringContaining("and no cache folder is set;"),
  });
});

describe("offline, a client uses what was read under another address:", () => {
  const withService = async (use: (options: DescriptionClientOptions) => Promise<void>) => {
    await using folder = await temporaryFolder();
    const handler = createDescriptionService({ descriptions: [shop, sampleDescription("bank:v1")] }).handler;
    await using server = await serve(handler);
    await use({ rootUrl: server.url, copies: { folder: folder.path } });
  };

  it("part of the list from the whole list", () =>
    withService(async (options) => {
      await testClient(options).client.list();
      const items = await offline(options).client.list({ name: "bank", preferred: true });
      expect(items.map(({ id }) => id)).toEqual(["bank:v1"]);
    }));

  it("a description by ID that was read by its entry", async () => {
    await using elsewhere = await shopServer({});
    await using folder = await temporaryFolder();
    await using server = await startServer((_, response) =>
      sendJson(response, {
        kind: "discovery#directoryList",
        items: [{ name: "shop", version: "v1", discoveryRestUrl: `${elsewhere.url}rest` }],
      }),
    );
    const options = { rootUrl: server.url, copies: { folder: folder.path } };
    const { client } = testClient(options);
    for (const item of await client.list()) await client.get(item);
    expect((await offline(options).client.get("shop:v1")).id).toBe("shop:v1");
  });

  it("a description by entry that was read by its ID", () =>
    withService(async (options) => {
      await testClient(options).client.get("shop:v1");
      const entry = { name: "shop", version: "v1", discoveryRestUrl: "/$discovery/rest?version=v1" };
      expect((await offline(options).client.get(entry)).id).toBe("shop:v1");
    }));
});
