import { setTimeout as wait } from "node:timers/promises";
import { createDescriptionService, DescriptionClient } from "../../../lib/discovery";
import { createHttpClient } from "../../../lib/http";
import { serve, startServer } from "../../support/loopback";
import { sampleDescription } from "../service/samples";
import { errorOf, sendJson, temporaryFolder, testClient } from "./workshop";

const descriptions = ["shop:v1", "shop:v2", "shop:v3beta1", "bank:v1"].map((id) => sampleDescription(id));
const service = () => serve(createDescriptionService({ descriptions }).handler);

const directory = (...items: readonly object[]) => ({ kind: "discovery#directoryList", discoveryVersion: "v1", items });
const entry = (id: string, discoveryRestUrl: string) => ({
  name: id.split(":")[0] ?? "",
  version: id.split(":")[1] ?? "",
  discoveryRestUrl,
});

test.each([
  ["all of them", {}, ["bank:v1", "discovery:v1", "shop:v1", "shop:v2", "shop:v3beta1"]],
  ["those of a name", { name: "shop" }, ["shop:v1", "shop:v2", "shop:v3beta1"]],
  ["the preferred ones", { preferred: true }, ["bank:v1", "discovery:v1", "shop:v2"]],
  ["all, where preferred is false", { name: "shop", preferred: false }, ["shop:v1", "shop:v2", "shop:v3beta1"]],
  ["the preferred one of a name", { name: "shop", preferred: true }, ["shop:v2"]],
  ["none, where the name is unknown", { name: "pub" }, []],
])("a list of APIs contains %s", async (_, filter, ids) => {
  await using server = await service();
  const items = await testClient({ rootUrl: server.url }).client.list(filter);
  expect(items.map(({ id }) => id)).toEqual(ids);
});

it("a list of APIs is requested with the filters under the service's names", async () => {
  await using server = await startServer((_, response) => sendJson(response, directory()));
  const { client } = testClient({ rootUrl: server.url });
  await client.list();
  await client.list({ name: "a&b c", preferred: true });
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    "GET /discovery/v1/apis",
    "GET /discovery/v1/apis?name=a%26b%20c&preferred=true",
  ]);
});

it("a list of APIs is filtered even if the service ignored the filters", async () => {
  const items = [
    { ...entry("shop:v1", "/a"), preferred: true },
    { ...entry("shop:v2", "/b"), preferred: false },
    { ...entry("bank:v1", "/c"), preferred: true },
  ];
  await using server = await startServer((_, response) => sendJson(response, directory(...items)));
  const listed = await testClient({ rootUrl: server.url }).client.list({ name: "shop", preferred: true });
  expect(listed.map(({ id }) => id)).toEqual(["shop:v1"]);
});

it("a list of APIs has absolute addresses, whatever form the service sends", async () => {
  await using server = await startServer((_, response) =>
    sendJson(
      response,
      directory(
        entry("shop:v1", "apis/shop/v1/rest"),
        entry("shop:v2", "/$discovery/rest?version=v2"),
        entry("shop:v3", "https://shop.example.com/$discovery/rest?version=v3#top"),
        entry("shop:v4", "ftp://shop.example.com/"),
      ),
    ),
  );
  const items = await testClient({ rootUrl: server.url }).client.list();
  expect(items.map(({ discoveryRestUrl }) => discoveryRestUrl)).toEqual([
    `${server.url}discovery/v1/apis/shop/v1/rest`,
    `${server.url}$discovery/rest?version=v2`,
    "https://shop.example.com/$discovery/rest?version=v3",
    "ftp://shop.example.com/",
  ]);
});

test.each([
  ["is not a list", { kind: "discovery#restDescription" }, /'kind' must be "discovery#directoryList"/],
  ["has an entry without an address", directory({ name: "shop", version: "v1" }), /'\/items\/0\/discoveryRestUrl'/],
  ["has items of another shape", { ...directory(), items: "many" }, /'\/items' must be a list, got string/],
])("a list of APIs fails if the answer %s", async (_, answer, message) => {
  await using server = await startServer((_request, response) => sendJson(response, answer));
  const error = await errorOf(testClient({ rootUrl: server.url }).client.list());
  expect(error).toMatchObject({
    name: "ServiceError",
    code: "answer-malformed",
    retryable: false,
    message: expect.stringMatching(message),
  });
  expect(error.message).toContain(`listing APIs: the answer of ${server.url}discovery/v1/apis can't be used: `);
});

it("a description is read unchanged by name and version", async () => {
  await using server = await service();
  const description = await testClient({ rootUrl: server.url }).client.get("shop:v2");
  expect(description.document).toEqual(descriptions[1]);
});

it("a description is read by an entry of the list", async () => {
  await using server = await service();
  const { client } = testClient({ rootUrl: server.url });
  const items = await client.list({ name: "shop" });
  const read = await Promise.all(items.map((item) => client.get(item)));
  expect(read.map(({ id }) => id)).toEqual(["shop:v1", "shop:v2", "shop:v3beta1"]);
});

it("a description is read from the entry's address, on another host too", async () => {
  await using elsewhere = await startServer((_, response) => sendJson(response, sampleDescription("shop:v1")));
  const { client } = testClient({ rootUrl: "http://127.0.0.1:1/" });
  await client.get(entry("shop:v1", `${elsewhere.url}$discovery/rest?version=v1#top`));
  expect(elsewhere.requests.map(({ target }) => target)).toEqual(["/$discovery/rest?version=v1"]);
});

it("a description is read from an address relative to the list's", async () => {
  await using server = await service();
  const { client } = testClient({ rootUrl: server.url });
  expect((await client.get(entry("shop:v1", "apis/shop/v1/rest"))).id).toBe("shop:v1");
});

test.each(["file:///etc/passwd", "ftp://host/", "data:application/json,{}", "javascript:0", "http://"])(
  "a description fails before any request if the entry's address is %s",
  async (url) => {
    const error = await errorOf(testClient({}).client.get(entry("shop:v1", url)));
    expect(error).toMatchObject({
      code: "entry-url-invalid",
      message: `the entry of 'shop:v1' leads to '${url}': only https:// and http:// can be fetched`,
    });
  },
);

test.each(["shop", "shop:", ":v1", ""])("a description fails before any request for the ID '%s'", async (id) => {
  expect(await errorOf(testClient({}).client.get(id))).toMatchObject({
    code: "api-id-malformed",
    message: `'${id}' names no API: use NAME:VERSION, as in dns:v1`,
  });
});

test.each(["..:v1", "shop:.."])("a description fails before any request if %s would change the address", async (id) => {
  expect(await errorOf(testClient({}).client.get(id))).toMatchObject({ code: "parameter-dot-segment" });
});

test.each([
  ["another API", "bank:v1"],
  ["another version", "shop:v2"],
  ["a name that would steer a terminal", "sh\u001b[2Jop:v1"],
])("a description fails if the service answers with %s", async (_, id) => {
  await using server = await startServer((_request, response) => sendJson(response, sampleDescription(id)));
  const { client } = testClient({ rootUrl: server.url });
  for (const which of ["shop:v1", entry("shop:v1", "/rest")]) {
    const error = await errorOf(client.get(which));
    expect(error).toMatchObject({ name: "ServiceError", code: "description-mismatch", retryable: false });
    expect(error.message).toMatch(
      /^reading the description of 'shop:v1': http.* answered with the description of '.*'$/,
    );
    expect(error.message).not.toContain("\u001b");
  }
});

it("a description fails if the service has no such description, with the service's message", async () => {
  await using server = await service();
  const { client } = testClient({ rootUrl: server.url });
  expect(await errorOf(client.get("shop:v9"))).toMatchObject({
    name: "ServiceError",
    code: "service-refused",
    status: 404,
    reason: "notFound",
    message: `reading the description of 'shop:v9': ${server.url}discovery/v1/apis/shop/v9/rest answered HTTP 404 notFound: 'shop:v9' has no description here`,
  });
});

/** The public service as far as it goes: what is at some URLs, an empty list, and 404 for everything else. */
function publicService(
  entries: Readonly<Record<string, string>>,
  found = (url: string) => url.endsWith("/rest") || url.includes("$discovery/rest"),
) {
  const asked: string[] = [];
  const client = new DescriptionClient({
    http: createHttpClient({
      fetch: async (input) => {
        const url = String(input);
        asked.push(url);
        const list = directory(...Object.entries(entries).map(([id, restUrl]) => entry(id, restUrl)));
        if (/apis(?:\?|$)/.test(url)) return new Response(JSON.stringify(list));
        return found(url)
          ? new Response(JSON.stringify(sampleDescription("shop:v1")))
          : new Response("{}", { status: 404 });
      },
    }),
  });
  return { asked, client };
}

const listUrl = "https://www.googleapis.com/discovery/v1/apis?name=shop";
const restUrl = "https://www.googleapis.com/discovery/v1/apis/shop/v1/rest";
const ownUrl = "https://shop.googleapis.com/$discovery/rest?version=v1";

test.each<[string, Record<string, string>, (url: string) => boolean, readonly string[]]>([
  ["is at the address that the list has for it", { "shop:v1": ownUrl }, () => true, [listUrl, ownUrl]],
  [
    "is at an address of any host that the list has for it",
    { "shop:v2": "https://a.example/2", "shop:v1": "https://b.example/1" },
    () => true,
    [listUrl, "https://b.example/1"],
  ],
  ["is asked for by name where the list doesn't have it", {}, (url) => url === restUrl, [listUrl, restUrl]],
  ["is asked for at the API itself where it is nowhere else", {}, (url) => url === ownUrl, [listUrl, restUrl, ownUrl]],
  [
    "is asked for by name where it is not at the address of the list",
    { "shop:v1": "https://b.example/gone" },
    (url) => url === restUrl,
    [listUrl, "https://b.example/gone", restUrl],
  ],
  ["is asked for nowhere twice", { "shop:v1": restUrl }, (url) => url === ownUrl, [listUrl, restUrl, ownUrl]],
  [
    "is requested by name if the list's address is invalid",
    { "shop:v1": "ftp://b.example/1" },
    (url) => url === restUrl,
    [listUrl, restUrl],
  ],
])("a description by ID %s", async (_, entries, found, expected) => {
  const { asked, client } = publicService(entries, found);
  expect((await client.get("shop:v1")).id).toBe("shop:v1");
  expect(asked).toEqual(expected);
});

it("a description by ID is requested under the address of a service other than the default", async () => {
  await using server = await startServer((request, response) => {
    if (request.target === "/$discovery/rest?version=v1") sendJson(response, sampleDescription("shop:v1"));
    else response.writeHead(404).end("not here");
  });
  expect((await testClient({ rootUrl: server.url }).client.get("shop:v1")).id).toBe("shop:v1");
});

it("a description by ID fails with the answer of the first address if no address has it", async () => {
  const { client } = publicService({ "shop:v1": "https://b.example/gone" }, () => false);
  const error = await errorOf(client.get("shop:v1"));
  expect(error).toMatchObject({ code: "service-refused", status: 404 });
  expect(error.message).toContain("https://b.example/gone");
});

it("a description by ID is not requested elsewhere if the service refuses", async () => {
  await using server = await startServer((request, response) => {
    if (request.target.includes("?name=")) sendJson(response, directory());
    else response.writeHead(403).end("{}");
  });
  expect(await errorOf(testClient({ rootUrl: server.url }).client.get("shop:v1"))).toMatchObject({ status: 403 });
  expect(server.requests).toHaveLength(2);
});

it("a description by ID is read without a request while its copy is fresh, and from its entry's copy offline", async () => {
  await using folder = await temporaryFolder();
  await using server = await startServer((request, response) => {
    if (request.target.includes("?name=")) sendJson(response, directory(entry("shop:v1", "/elsewhere")));
    else sendJson(response, sampleDescription("shop:v1"));
  });
  const options = { rootUrl: server.url, copies: { folder: folder.path } };
  await testClient(options).client.get("shop:v1");
  await testClient(options).client.get("shop:v1");
  await testClient({ ...options, copies: { ...options.copies, offline: true } }).client.get("shop:v1");
  expect(server.requests.map(({ target }) => target)).toEqual(["/discovery/v1/apis?name=shop", "/elsewhere"]);
});

describe("the service's address", () => {
  it("is the public service's by default", async () => {
    const { asked, client } = publicService({});
    await client.list();
    await client.get("shop:v1");
    expect(asked).toEqual([
      "https://www.googleapis.com/discovery/v1/apis",
      "https://www.googleapis.com/discovery/v1/apis?name=shop",
      "https://www.googleapis.com/discovery/v1/apis/shop/v1/rest",
    ]);
  });

  it("may contain a path, with or without a trailing slash", async () => {
    await using server = await startServer((_, response) => sendJson(response, directory()));
    await testClient({ rootUrl: `${server.url}mirror` }).client.list();
    expect(server.requests[0]?.target).toBe("/mirror/discovery/v1/apis");
  });

  it("fails immediately if it is invalid", () => {
    expect(() => new DescriptionClient({ rootUrl: "ftp://host/" })).toThrow(
      expect.objectContaining({ code: "endpoint-invalid" }),
    );
  });
});

describe("a signal", () => {
  it("aborts a request immediately with the signal's reason", async () => {
    const abort = new AbortController();
    await using server = await startServer(() => abort.abort(new Error("enough")));
    const { client } = testClient({ rootUrl: server.url, signal: abort.signal });
    await expect(client.list()).rejects.toThrow("enough");
  });

  it("aborts the wait for another attempt", async () => {
    const abort = new AbortController();
    await using server = await startServer((_, response) => response.writeHead(503).end());
    const { client } = testClient(
      { rootUrl: server.url, signal: abort.signal, onRetry: () => abort.abort(new Error("enough")) },
      { sleep: async (ms, signal) => wait(ms, undefined, { signal }) },
    );
    await expect(client.list()).rejects.toThrow("enough");
    expect(server.requests).toHaveLength(1);
  });

  it("that was aborted before prevents any read, including of a copy", async () => {
    await using folder = await temporaryFolder();
    await using server = await service();
    const options = { rootUrl: server.url, copies: { folder: folder.path } };
    await testClient(options).client.get("shop:v1");
    const { client } = testClient({ ...options, signal: AbortSignal.abort(new Error("enough")) });
    await expect(client.get("shop:v1")).rejects.toThrow("enough");
  });
});
