import {
  ApiDescription,
  createDescriptionService,
  type DescriptionServiceOptions,
  ownDescription,
} from "../../../lib/discovery";
import { serve } from "../../support/loopback";
import { documentOf, errorIn, host, listOf, rest, service, shop, some } from "./shop-service";

it("the list of APIs has an item for each description, with the description's own values", () => {
  const { items, ...list } = listOf(service().get("/discovery/v1/apis"));
  expect(list).toEqual({ kind: "discovery#directoryList", discoveryVersion: "v1" });
  expect(items.find(({ id }) => id === "shop:v1")).toEqual({
    kind: "discovery#directoryItem",
    id: "shop:v1",
    name: "shop",
    version: "v1",
    title: "The shop API",
    description: "Keeps things.",
    discoveryRestUrl: "http://apis.test:8080/discovery/v1/apis/shop/v1/rest",
    icons: { x16: "https://shop.example.com/16.png" },
    documentationLink: "https://shop.example.com/docs",
    labels: ["limited_availability"],
    preferred: false,
  });
});

test.each([
  ["", ["bank:v1", "discovery:v1", "shop:v1", "shop:v2", "shop:v3beta1"]],
  ["?name=shop", ["shop:v1", "shop:v2", "shop:v3beta1"]],
  ["?preferred=true", ["bank:v1", "discovery:v1", "shop:v2"]],
  ["?name=shop&preferred=true", ["shop:v2"]],
  ["?name=shop&preferred=false", ["shop:v1", "shop:v2", "shop:v3beta1"]],
  ["?name=Shop", []],
  ["?name=", []],
  ["?alt=json&key=k&quotaUser=q&userIp=1.2.3.4&prettyPrint=false&oauth_token=t&name=bank", ["bank:v1"]],
])("the list of APIs is filtered by name and preferred: '%s'", (query, ids) => {
  expect(listOf(service().get(`/discovery/v1/apis${query}`)).items.map(({ id }) => id)).toEqual(ids);
});

it("the list of APIs marks the configured versions as preferred", () => {
  const { get } = service({ preferred: ["shop:v3beta1", "shop:v1"] });
  const { items } = listOf(get("/discovery/v1/apis?preferred=true"));
  expect(items.map(({ id }) => id)).toEqual(["bank:v1", "discovery:v1", "shop:v1", "shop:v3beta1"]);
});

test.each([
  ["where it was asked", {}, "http://apis.test:8080/"],
  ["at the configured address", { baseUrl: "https://apis.example.com" }, "https://apis.example.com/"],
  ["under the configured path", { baseUrl: "https://example.com/apis/" }, "https://example.com/apis/"],
])("the list of APIs links to the service itself, %s", (_, options, base) => {
  const [item] = listOf(service(options).get("/discovery/v1/apis?name=bank")).items;
  expect(item?.discoveryRestUrl).toBe(`${base}discovery/v1/apis/bank/v1/rest`);
});

it("the list of APIs links to https if it was requested by https", () => {
  const { answer } = service();
  const list = listOf(answer({ method: "GET", url: "/discovery/v1/apis", headers: host, scheme: "https" }));
  expect(list.items[0]?.discoveryRestUrl).toMatch(/^https:\/\/apis\.test:8080\//);
});

test.each(["apis.test", "127.0.0.1:80", "[::1]:8080", "a_b.test"])("the list of APIs accepts %s as a host", (value) => {
  const answer = service().get("/discovery/v1/apis", { host: value });
  expect(listOf(answer).items[0]?.discoveryRestUrl).toMatch(`http://${value}/`);
});

test.each(["", "evil.test/path?", "user@evil.test", "evil.test\r\nx: y", "a b", "[::1", "x:port"])(
  "the list of APIs fails if the Host header is %j",
  (value) => {
    const answer = service().get("/discovery/v1/apis", { host: value });
    expect(errorIn(answer)).toEqual({ status: 400, word: "INVALID_ARGUMENT", reasons: ["badRequest"] });
  },
);

it("the list of APIs needs no Host header if the address is configured", () => {
  const { answer } = service({ baseUrl: "https://apis.example.com/" });
  expect(answer({ method: "GET", url: "/discovery/v1/apis" }).status).toBe(200);
});

it("a description is served unchanged, unknown fields included", () => {
  const document = { ...shop, madeUp: { by: ["a", "test"] } };
  const { get } = service({ descriptions: [document] });
  expect(documentOf(get(rest("shop", "v1")))).toEqual(document);
});

it("a description may be given in parsed form", () => {
  const { get } = service({ descriptions: [ApiDescription.parse(shop)] });
  expect(documentOf(get(rest("shop", "v1")))).toEqual(shop);
});

it("a description is found by its name and version, encoded or not, whatever its ID", () => {
  const { get } = service({ descriptions: [{ ...shop, name: "sh op/ö", version: "v1:x", id: "other:v7" }] });
  const [item] = listOf(get("/discovery/v1/apis")).items.filter(({ name }) => name === "sh op/ö");
  expect(item).toMatchObject({
    id: "sh op/ö:v1:x",
    discoveryRestUrl: "http://apis.test:8080/discovery/v1/apis/sh%20op%2F%C3%B6/v1%3Ax/rest",
  });
  expect(get(item?.discoveryRestUrl ?? "").status).toBe(200);
  expect(get(rest("sh op%2Fö", "v1:x")).status).toBe(200);
  expect(get(rest("sh%20op%2Fö%3Av1", "x")).status).toBe(404);
});

test.each([
  ["unknown API", rest("pub", "v1")],
  ["unknown version", rest("shop", "v9")],
  ["version in another case", rest("shop", "V1")],
  ["inherited name", rest("constructor", "prototype")],
  ["inherited name", rest("__proto__", "v1")],
])("a description fails for an %s", (_, url) => {
  expect(errorIn(service().get(url))).toEqual({ status: 404, word: "NOT_FOUND", reasons: ["notFound"] });
});

it("a description is served with all its addresses on one host if configured", () => {
  const document = {
    ...shop,
    mtlsRootUrl: "https://shop.mtls.example.com/",
    endpoints: [
      { endpointUrl: "https://eu.shop.example.com/", location: "eu", description: "In Europe" },
      { endpointUrl: "https://us.shop.example.com/", location: "us", deprecated: true },
    ],
  };
  const { get } = service({ descriptions: [document], rootUrl: "http://127.0.0.1:9000" });
  expect(documentOf(get(rest("shop", "v1")))).toEqual({
    ...document,
    rootUrl: "http://127.0.0.1:9000/",
    baseUrl: "http://127.0.0.1:9000/shop/v1/",
    mtlsRootUrl: "http://127.0.0.1:9000/",
    endpoints: [
      { endpointUrl: "http://127.0.0.1:9000/", location: "eu", description: "In Europe" },
      { endpointUrl: "http://127.0.0.1:9000/", location: "us", deprecated: true },
    ],
  });
  expect(document.rootUrl).toBe("https://shop.example.com/");
});

it("a description gets no new address except the root", () => {
  const { baseUrl, ...without } = shop;
  const { get } = service({ descriptions: [without], rootUrl: "http://127.0.0.1:9000/" });
  expect(documentOf(get(rest("shop", "v1")))).toEqual({ ...without, rootUrl: "http://127.0.0.1:9000/" });
  expect(baseUrl).toBeDefined();
});

describe("the description of the service itself", () => {
  const self = ApiDescription.parse(service({ rootUrl: "http://elsewhere.test/" }).get(rest("discovery", "v1")).body);

  it("links to the service, wherever other descriptions link", () => {
    expect(self.rootUrl()).toBe("http://apis.test:8080/");
    expect(self.document.baseUrl).toBe("http://apis.test:8080/discovery/v1/");
  });

  it("produces requests that the service answers", () => {
    const { answer } = service();
    for (const [method, parameters] of [
      ["discovery.apis.list", { name: "shop", preferred: true }],
      ["discovery.apis.getRest", { api: "shop", version: "v1", prettyPrint: false }],
    ] as const) {
      const request = self.request(method, { parameters });
      expect(answer({ method: request.method, url: request.url, headers: host }).status).toBe(200);
    }
  });

  it("allows what the service answers", () => {
    const { get } = service();
    expect(self.validate("DirectoryList", listOf(get("/discovery/v1/apis")))).toEqual([]);
    expect(self.validate("RestDescription", documentOf(get(rest("shop", "v1"))))).toEqual([]);
    expect(self.validate("RestDescription", documentOf(get(rest("discovery", "v1"))))).toEqual([]);
  });

  it("may be replaced", () => {
    const own = { ...ownDescription("discovery:v1").document, title: "Ours" };
    const { get } = service({ descriptions: [own] });
    expect(listOf(get("/discovery/v1/apis")).items.map(({ title }) => title)).toEqual(["Ours"]);
    expect(documentOf(get(rest("discovery", "v1"))).title).toBe("Ours");
  });
});

const failureOf = (options: DescriptionServiceOptions) => {
  try {
    createDescriptionService(options);
  } catch (error) {
    return error as { readonly problems: readonly { readonly code: string; readonly message: string }[] };
  }
  throw new Error("nothing was thrown");
};

it("a service fails with everything that it can't serve", () => {
  const { problems } = failureOf({
    descriptions: [
      shop,
      { ...shop, title: "Another" },
      { ...shop, kind: "discovery#other" as "discovery#restDescription" },
      { ...shop, name: ".." },
    ],
    preferred: ["shop:v1", "pub:v1"],
  });
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    [
      "description-duplicate",
      "two descriptions are of 'shop:v1': a service has one of each name and version, leave one out",
    ],
    ["description-kind", expect.stringMatching(/^description 3: .*'kind' must be/)],
    ["parameter-dot-segment", expect.stringMatching(/^'\.\.:v1': parameter 'api'/)],
    ["preferred-unknown", "'pub:v1' can't be preferred: the description does not exist; use NAME:VERSION"],
  ]);
});

test.each([{ baseUrl: "apis.example.com" }, { rootUrl: "ftp://host/" }])(
  "a service fails with the address %j",
  (options) => {
    expect(failureOf({ descriptions: [], ...options })).toMatchObject({ code: "endpoint-invalid" });
  },
);

it("a service lists only itself without descriptions", () => {
  const { get } = service({ descriptions: [] });
  expect(listOf(get("/discovery/v1/apis")).items.map(({ id }) => id)).toEqual(["discovery:v1"]);
});

it("a service answers over HTTP as it does directly", async () => {
  const { handler, answer } = createDescriptionService({ descriptions: some });
  await using server = await serve(handler);
  const headers = { host: new URL(server.url).host };
  for (const [method, url] of [
    ["GET", "/discovery/v1/apis?preferred=true"],
    ["HEAD", rest("shop", "v1")],
    ["POST", "/discovery/v1/apis"],
    ["GET", "/nothing"],
  ] as const) {
    const body = method === "POST" ? { body: "x".repeat(100_000) } : {};
    const response = await fetch(new URL(url, server.url), { method, ...body });
    const expected = answer({ method, url, headers });
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: expected.status,
      body: expected.body,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject(expected.headers);
  }
  const { etag = "" } = answer({ method: "GET", url: rest("shop", "v1"), headers }).headers;
  const again = await fetch(new URL(rest("shop", "v1"), server.url), { headers: { "if-none-match": etag } });
  expect({ status: again.status, etag: again.headers.get("etag"), body: await again.text() }).toEqual({
    status: 304,
    etag,
    body: "",
  });
});
