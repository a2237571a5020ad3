import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareDescriptions, DescriptionClient } from "../../lib/discovery";
import type { MethodDocument, SchemaDocument } from "../../lib/discovery/document";
import { createHttpClient } from "../../lib/http";
import { description, documentOf, methodOf } from "../support/descriptions";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";

/** Defects of descriptions and of services that serve them. A row that begins with "accepts" is harmless. */
const folder = mkdtempSync(join(tmpdir(), "defects-descriptions-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a comparison of moved methods", () => {
  type Methods = Readonly<Record<string, Partial<MethodDocument>>>;
  /** Each key is the resource and the method, for example `things.get`. */
  const api = (methods: Methods) => {
    const resources: Record<string, { methods: Record<string, MethodDocument> }> = {};
    for (const [key, fields] of Object.entries(methods)) {
      const [resource = "", name = ""] = key.split(".");
      resources[resource] ??= { methods: {} };
      resources[resource].methods[name] = methodOf({ id: `zoo.${key}`, ...fields });
    }
    return description({ resources });
  };
  const at = (path: string, httpMethod = "GET") => ({ path, httpMethod });
  const moved = ["resource-changed"];
  const exchanged = ["method-added", "method-removed"];

  it.each<[string, Methods, Methods, readonly string[]]>([
    ["finds another resource", { "things.get": at("v1/x") }, { "items.get": at("v1/x") }, moved],
    ["finds another name", { "things.get": at("v1/x") }, { "things.read": at("v1/x") }, moved],
    [
      "finds another resource and variable",
      { "things.get": at("v1/{a}") },
      { "items.get": at("v1/{b}") },
      [...moved, "path-changed"],
    ],
    ["finds another verb", { "things.set": at("v1/x", "PUT") }, { "items.set": at("v1/x", "POST") }, exchanged],
    ["finds another path", { "things.get": at("v1/x") }, { "items.get": at("v2/x") }, exchanged],
    [
      "finds two methods in place of one",
      { "things.get": at("v1/x") },
      { "items.get": at("v1/x"), "others.get": at("v1/x") },
      ["method-added", ...exchanged],
    ],
    ["accepts the same method", { "things.get": at("v1/x") }, { "things.get": at("v1/x") }, []],
  ])("%s", (_, old, now, kinds) => {
    const { changes } = compareDescriptions(api(old), api(now));
    const reported = changes.map(({ kind }) => kind).filter((kind) => kind !== "parameter-added");
    expect([...reported].sort()).toEqual([...kinds].sort());
  });

  test("finds what changed in a moved method", () => {
    const request = (type: string): SchemaDocument => ({ type: "object", properties: { name: { type } } });
    const { changes, breaking } = compareDescriptions(
      api({ "things.set": { ...at("v1/x", "POST"), request: request("string") } }),
      api({ "items.set": { ...at("v1/x", "POST"), request: request("integer") } }),
    );
    expect(changes.map(({ kind }) => kind).sort()).toEqual(["resource-changed", "type-changed"]);
    expect(breaking).toBe(2);
    expect(changes.find(({ kind }) => kind === "resource-changed")).toMatchObject({
      class: "breaking",
      before: "zoo.things.set",
      after: "zoo.items.set",
    });
  });
});

describe("base addresses", () => {
  const { rootUrl: _, servicePath: __, ...bare } = documentOf({ methods: { get: methodOf({ path: "animals" }) } });
  const root = "https://zoo.example/";

  it.each<[string, object, string | undefined, readonly string[]]>([
    ["accepts a baseUrl alone", { baseUrl: `${root}v1/` }, `${root}v1/animals`, []],
    ["accepts a baseUrl alone, without a slash", { baseUrl: `${root}v1` }, `${root}v1/animals`, []],
    ["accepts a baseUrl below rootUrl", { baseUrl: `${root}v1/`, rootUrl: root }, `${root}v1/animals`, []],
    [
      "accepts a baseUrl below rootUrl, without slashes",
      { baseUrl: `${root}v1`, rootUrl: root.slice(0, -1) },
      `${root}v1/animals`,
      ["root-url"],
    ],
    ["accepts a baseUrl with the service path", { baseUrl: `${root}v1/`, servicePath: "v1/" }, `${root}v1/animals`, []],
    [
      "finds a baseUrl of another host",
      { baseUrl: "https://b.example/v1/", rootUrl: root },
      `${root}animals`,
      ["base-url"],
    ],
    [
      "finds a baseUrl that is not rootUrl and servicePath",
      { baseUrl: `${root}v2/`, rootUrl: root, servicePath: "v1/" },
      `${root}v1/animals`,
      ["base-url"],
    ],
    ["finds no address", {}, undefined, ["root-url"]],
  ])("%s", async (_title, fields, url, codes) => {
    const document = { ...bare, ...fields };
    const path = join(folder, "zoo.json");
    writeFileSync(path, JSON.stringify(document));
    const { stdout } = await runCli(["api", "show", path]);
    const api = description({
      ...fields,
      methods: bare.methods,
      ...("rootUrl" in fields ? {} : { rootUrl: undefined }),
      ...("servicePath" in fields ? {} : { servicePath: undefined }),
    } as object);
    const about = ["root-url", "base-url", "service-path"];
    expect(api.warnings.flatMap(({ code }) => (about.includes(code) ? [code] : []))).toEqual(codes);
    if (url === undefined) {
      expect(stdout).toContain("address    not in the description");
      expect(() => api.request("zoo.get", {})).toThrow();
    } else {
      expect(api.request("zoo.get", {}).url).toBe(url);
      expect(stdout).toContain(`address    ${url.replace("animals", "")}\n`);
      expect(stdout).toContain(`batches    ${root}batch\n`);
    }
  });
});

describe("a listed address without a description", () => {
  const http = createHttpClient({ sleep: async () => undefined, random: () => 0 });
  const text = JSON.stringify(documentOf());
  type Answer = readonly [status: number, type: string, body: string];

  /** A service whose list names an address on another host; its own address has the description. */
  async function get(listedAt: (service: string) => string) {
    await using service = await startServer(({ target }, response) => {
      if (target.startsWith("/discovery/v1/apis?")) {
        const item = {
          id: "zoo:v1",
          name: "zoo",
          version: "v1",
          preferred: true,
          discoveryRestUrl: listedAt(service.url),
        };
        return response.end(JSON.stringify({ kind: "discovery#directoryList", discoveryVersion: "v1", items: [item] }));
      }
      return target.startsWith("/$discovery/rest?") ? response.end(text) : response.writeHead(404).end();
    });
    const { id } = await new DescriptionClient({ rootUrl: service.url, http }).get("zoo:v1");
    return { id, targets: service.requests.map(({ target }) => target) };
  }

  it.each<[string, Answer]>([
    ["finds 401", [401, "application/json", "{}"]],
    ["finds 403", [403, "application/json", '{"error":{"code":403,"message":"no"}}']],
    ["finds 404", [404, "text/html", "<html>"]],
    ["finds a page in place of the description", [200, "text/html", "<html><body>log in</body></html>"]],
    ["finds the description of another API", [200, "application/json", text.replaceAll("zoo", "ape")]],
    ["finds an outage", [503, "text/html", "<html>"]],
  ])("%s, and uses the API's own address", async (_, [status, type, body]) => {
    await using listed = await startServer((_request, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    expect(await get(() => `${listed.url}zoo.json`)).toMatchObject({ id: "zoo:v1" });
    expect(listed.requests.length).toBeGreaterThan(0);
  });

  test("finds that nothing listens there, and uses the API's own address", async () => {
    expect(await get(() => "http://127.0.0.1:1/zoo.json")).toMatchObject({ id: "zoo:v1" });
  });

  test("accepts the listed address", async () => {
    await using listed = await startServer((_request, response) => response.end(text));
    const { targets } = await get(() => `${listed.url}zoo.json`);
    expect(targets).toHaveLength(1);
  });

  test("finds an outage of the whole service with one attempt for each address", async () => {
    await using service = await startServer((_request, response) => response.writeHead(500).end());
    const client = new DescriptionClient({ rootUrl: service.url, http });
    await expect(client.get("zoo:v1")).rejects.toMatchObject({ code: "service-refused", status: 500 });
  });
});

describe("addresses that a description can't distinguish", () => {
  const parameter = (pattern?: string): SchemaDocument => ({
    type: "string",
    location: "path",
    required: true,
    ...(pattern === undefined ? {} : { pattern }),
  });
  type Route = readonly [path: string, patterns?: Readonly<Record<string, string>>];
  const ambiguous = (routes: readonly Route[]) => {
    const methods = routes.map(([path, patterns = {}], index): [string, MethodDocument] => {
      const names = [...path.matchAll(/\{\+?([a-z]+)\}/g)].map(([, name = ""]) => name);
      const parameters = Object.fromEntries(names.map((name) => [name, parameter(patterns[name])]));
      return [`m${index}`, methodOf({ id: `zoo.m${index}`, path, parameters, parameterOrder: names })];
    });
    const found = description({ methods: Object.fromEntries(methods) }).warnings;
    return found.flatMap(({ code, pointer }) => (code === "address-ambiguous" ? [pointer] : []));
  };

  it.each<[string, readonly Route[], number]>([
    ["accepts a file and every path below it", [["v1/files/{name}"], ["v1/{+path}", { path: "^files/.*$" }]], 0],
    ["accepts two levels and every path below them", [["v1/files/{a}/{b}"], ["v1/{+path}", { path: "^files/.+$" }]], 0],
    [
      "accepts any letter beside one letter",
      [
        ["v1/{+name}", { name: "^[a-z]/[^/]+$" }],
        ["v1/{+other}", { other: "^a/[^/]+$" }],
      ],
      0,
    ],
    [
      "accepts any digit beside one digit",
      [
        ["v1/{+name}", { name: "^[0-9]/[^/]+$" }],
        ["v1/{+other}", { other: "^0/[^/]+$" }],
      ],
      0,
    ],
    [
      "accepts a further alternative",
      [
        ["v1/{+name}", { name: "^(?:cats|dogs)/[^/]+$" }],
        ["v1/{+other}", { other: "^cats/[^/]+$" }],
      ],
      0,
    ],
    [
      "finds one letter beside longer words, which are taken",
      [
        ["v1/{+name}", { name: "^[a-z]+/x$" }],
        ["v1/{+other}", { other: "^[a-z]/x$" }],
      ],
      1,
    ],
    ["accepts any path beside a fixed one", [["v1/{+name}"], ["v1/zz"]], 0],
    [
      "finds two patterns of the same texts",
      [["v1/{+name}", { name: "^files/[^/]+$" }], ["v1/{+other}", { other: "^files/[^/]+$" }], ["v1/files/{id}"]],
      1,
    ],
    ["finds a narrower pattern that never counts", [["v1/files/{name}"], ["v1/{+path}", { path: "^files/[^/]+$" }]], 1],
  ])("%s", (_, routes, least) => {
    const found = ambiguous(routes);
    if (least === 0) expect(found).toEqual([]);
    else expect(found.length).toBeGreaterThanOrEqual(least);
  });
});

test("suggests a preview instead of an equally similar deletion", () => {
  const api = description({
    methods: {
      preview: methodOf({ id: "zoo.preview", httpMethod: "POST" }),
      review: methodOf({ id: "zoo.review", httpMethod: "DELETE" }),
      retire: methodOf({ id: "zoo.retire", httpMethod: "DELETE", path: "b" }),
      retime: methodOf({ id: "zoo.retime", httpMethod: "PATCH", path: "b" }),
    },
  });
  const messageOf = (id: string) => {
    try {
      return api.method(id) && "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(messageOf("zoo.pevriew")).toContain("'zoo.preview'");
  expect(messageOf("zoo.pevriew")).not.toContain("'zoo.review'");
  expect(messageOf("zoo.retize")).toContain("'zoo.retime'");
  expect(messageOf("zoo.retize")).not.toContain("'zoo.retire'");
});
