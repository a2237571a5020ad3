import fc from "fast-check";
import {
  ApiDescription,
  createDescriptionService,
  type DescriptionAnswer,
  type DescriptionDocument,
  type DescriptionServiceOptions,
  type DirectoryList,
  ownDescription,
} from "../../../lib/discovery";
import { serve } from "../../support/loopback";
import { sampleDescription } from "./samples";

const shop = sampleDescription("shop:v1", {
  icons: { x16: "https://shop.example.com/16.png" },
  documentationLink: "https://shop.example.com/docs",
  labels: ["limited_availability"],
});
const some = [sampleDescription("shop:v2"), shop, sampleDescription("shop:v3beta1"), sampleDescription("bank:v1")];

const host = { host: "apis.test:8080" };
const rest = (name: string, version: string) => `/discovery/v1/apis/${name}/${version}/rest`;

function service(options: Partial<DescriptionServiceOptions> = {}) {
  const { answer } = createDescriptionService({ descriptions: some, ...options });
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    answer({ method: "GET", url, headers: { ...host, ...headers } });
  return { answer, get };
}

const listOf = ({ body }: DescriptionAnswer) => JSON.parse(body) as DirectoryList;
const documentOf = ({ body }: DescriptionAnswer) => JSON.parse(body) as DescriptionDocument;
const errorIn = ({ status, body }: DescriptionAnswer) => {
  const { error } = JSON.parse(body);
  expect(error.code).toBe(status);
  return { status, word: error.status, reasons: error.errors.map(({ reason }: { reason: string }) => reason) };
};

describe("the list of APIs", () => {
  it("has an item for each description, with what the description says of itself", () => {
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
  ])("is filtered by name and preferred: '%s'", (query, ids) => {
    expect(listOf(service().get(`/discovery/v1/apis${query}`)).items.map(({ id }) => id)).toEqual(ids);
  });

  it("prefers what it is told to", () => {
    const { get } = service({ preferred: ["shop:v3beta1", "shop:v1"] });
    const { items } = listOf(get("/discovery/v1/apis?preferred=true"));
    expect(items.map(({ id }) => id)).toEqual(["bank:v1", "discovery:v1", "shop:v1", "shop:v3beta1"]);
  });

  test.each([
    ["where it was asked", {}, "http://apis.test:8080/"],
    ["where it is said to be", { baseUrl: "https://apis.example.com" }, "https://apis.example.com/"],
    ["under the path where it is said to be", { baseUrl: "https://example.com/apis/" }, "https://example.com/apis/"],
  ])("leads to the service itself, %s", (_, options, base) => {
    const [item] = listOf(service(options).get("/discovery/v1/apis?name=bank")).items;
    expect(item?.discoveryRestUrl).toBe(`${base}discovery/v1/apis/bank/v1/rest`);
  });

  it("leads to https where it was asked by https", () => {
    const { answer } = service();
    const list = listOf(answer({ method: "GET", url: "/discovery/v1/apis", headers: host, scheme: "https" }));
    expect(list.items[0]?.discoveryRestUrl).toMatch(/^https:\/\/apis\.test:8080\//);
  });

  test.each(["apis.test", "127.0.0.1:80", "[::1]:8080", "a_b.test"])("takes %s for a host", (value) => {
    const answer = service().get("/discovery/v1/apis", { host: value });
    expect(listOf(answer).items[0]?.discoveryRestUrl).toMatch(`http://${value}/`);
  });

  test.each(["", "evil.test/path?", "user@evil.test", "evil.test\r\nx: y", "a b", "[::1", "x:port"])(
    "fails where the Host header is %j",
    (value) => {
      const answer = service().get("/discovery/v1/apis", { host: value });
      expect(errorIn(answer)).toEqual({ status: 400, word: "INVALID_ARGUMENT", reasons: ["badRequest"] });
    },
  );

  it("needs no Host header where it is told its address", () => {
    const { answer } = service({ baseUrl: "https://apis.example.com/" });
    expect(answer({ method: "GET", url: "/discovery/v1/apis" }).status).toBe(200);
  });
});

describe("a description", () => {
  it("is served as it was given, unknown fields included", () => {
    const document = { ...shop, madeUp: { by: ["a", "test"] } };
    const { get } = service({ descriptions: [document] });
    expect(documentOf(get(rest("shop", "v1")))).toEqual(document);
  });

  it("may be given as it was parsed", () => {
    const { get } = service({ descriptions: [ApiDescription.parse(shop)] });
    expect(documentOf(get(rest("shop", "v1")))).toEqual(shop);
  });

  it("is found by its name and version, encoded or not, whatever its id says", () => {
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
  ])("fails for an %s", (_, url) => {
    expect(errorIn(service().get(url))).toEqual({ status: 404, word: "NOT_FOUND", reasons: ["notFound"] });
  });

  it("is served with all its addresses at one place, where that is wanted", () => {
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

  it("gets no address that it hasn't, but for the root", () => {
    const { baseUrl, ...without } = shop;
    const { get } = service({ descriptions: [without], rootUrl: "http://127.0.0.1:9000/" });
    expect(documentOf(get(rest("shop", "v1")))).toEqual({ ...without, rootUrl: "http://127.0.0.1:9000/" });
    expect(baseUrl).toBeDefined();
  });
});

describe("the description of the service itself", () => {
  const self = ApiDescription.parse(service({ rootUrl: "http://elsewhere.test/" }).get(rest("discovery", "v1")).body);

  it("leads to the service, wherever other descriptions lead", () => {
    expect(self.rootUrl()).toBe("http://apis.test:8080/");
    expect(self.document.baseUrl).toBe("http://apis.test:8080/discovery/v1/");
  });

  it("makes requests that the service answers", () => {
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

  it("may be given in other words", () => {
    const own = { ...ownDescription("discovery:v1").document, title: "Ours" };
    const { get } = service({ descriptions: [own] });
    expect(listOf(get("/discovery/v1/apis")).items.map(({ title }) => title)).toEqual(["Ours"]);
    expect(documentOf(get(rest("discovery", "v1"))).title).toBe("Ours");
  });
});

describe("an answer", () => {
  const url = rest("shop", "v1");

  it("has a strong tag of its content, an age, a type and a length", () => {
    const { status, headers, body } = service({ maxAgeSeconds: 60 }).get(url);
    expect({ status, headers }).toEqual({
      status: 200,
      headers: {
        etag: expect.stringMatching(/^"[\w-]{27}"$/),
        "cache-control": "public, max-age=60",
        "content-type": "application/json; charset=UTF-8",
        "content-length": String(Buffer.byteLength(body)),
      },
    });
  });

  it("is indented unless it is told not to be", () => {
    const { get } = service();
    expect(get(url).body).toContain('\n  "name": "shop"');
    expect(get(`${url}?prettyPrint=true`).body).toBe(get(url).body);
    expect(get(`${url}?prettyPrint=false`).body).not.toContain("\n");
  });

  it("has the same tag for the same content, from another service as well, and another tag for another", () => {
    const tagOf = (options: Partial<DescriptionServiceOptions>, target = url) =>
      service(options).get(target).headers.etag;
    const tags = [
      tagOf({}),
      tagOf({ descriptions: [{ ...shop, revision: "20261122" }] }),
      tagOf({ rootUrl: "http://127.0.0.1:9000/" }),
      tagOf({}, `${url}?prettyPrint=false`),
      tagOf({}, rest("shop", "v2")),
      tagOf({}, "/discovery/v1/apis"),
      tagOf({}, "/discovery/v1/apis?name=shop"),
      tagOf({ baseUrl: "http://other.test/" }, "/discovery/v1/apis"),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(tagOf({ descriptions: [shop] })).toBe(tags[0]);
  });

  it("carries the tag in a description that has one, in place of the one it was fetched with", () => {
    const { get } = service({ descriptions: [{ ...shop, etag: '"old"' }] });
    for (const target of [url, `${url}?prettyPrint=false`]) {
      const answer = get(target);
      expect(documentOf(answer).etag).toBe(answer.headers.etag);
    }
  });

  const etag = service().get(url).headers.etag ?? "";
  test.each([
    ["the tag", etag, 304],
    ["the weak form of the tag", `W/${etag}`, 304],
    ["the tag among others", `"a", ${etag} , W/"b"`, 304],
    ["tags with commas in them", `"a,b",${etag}`, 304],
    ["any", "*", 304],
    ["any, with spaces", " * ", 304],
    ["another tag", '"a"', 200],
    ["a part of the tag", etag.slice(0, -2), 200],
    ["the tag without quotes", etag.replaceAll('"', ""), 200],
    ["nothing", "", 200],
  ])("is left out where the asker has it: If-None-Match names %s", (_, header, status) => {
    const answer = service().get(url, { "if-none-match": header });
    expect(answer.status).toBe(status);
    if (status === 304) {
      expect(answer).toEqual({ status, headers: { etag, "cache-control": "public, max-age=300" }, body: "" });
    }
  });

  it("is left out of a list as well", () => {
    const { get } = service();
    const first = get("/discovery/v1/apis").headers.etag ?? "";
    expect(get("/discovery/v1/apis", { "if-none-match": first }).status).toBe(304);
    expect(get("/discovery/v1/apis?name=shop", { "if-none-match": first }).status).toBe(200);
  });

  it("is no 304 for what isn't there, even where any will do", () => {
    expect(service().get(rest("pub", "v1"), { "if-none-match": "*" }).status).toBe(404);
  });

  test.each([url, "/discovery/v1/apis", rest("pub", "v1"), "/discovery/v1/apis?x=1"])(
    "to HEAD is the one to GET without its body: %s",
    (target) => {
      const { answer } = service();
      const { body, ...get } = answer({ method: "GET", url: target, headers: host });
      const { body: none, ...head } = answer({ method: "HEAD", url: target, headers: host });
      expect(head).toEqual(get);
      expect({ none, long: body.length > 0 }).toEqual({ none: "", long: true });
    },
  );
});

describe("a request that can't be answered", () => {
  it("is told in the service's own form", () => {
    const { status, headers, body } = service().get(rest("pub", "v1"));
    const message = "there is no description of 'pub:v1' here";
    expect({ status, ...JSON.parse(body) }).toEqual({
      status: 404,
      error: {
        code: 404,
        message,
        errors: [{ domain: "global", reason: "notFound", message }],
        status: "NOT_FOUND",
      },
    });
    expect(headers).toEqual({
      "content-type": "application/json; charset=UTF-8",
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(body)),
    });
  });

  test.each([
    "/",
    "",
    "/discovery/v1",
    "/discovery/v1/apis/",
    "/discovery/v1/apis/shop",
    "/discovery/v1/apis/shop/v1",
    "/discovery/v1/apis/shop/v1/rest/",
    "/discovery/v2/apis",
    "/Discovery/v1/apis",
    "/discovery/v1/apis/%zz/v1/rest",
    "/discovery/v1/apis/shop/v1/rpc",
  ])("fails at %s: nothing is there", (url) => {
    expect(errorIn(service().get(url))).toEqual({ status: 404, word: "NOT_FOUND", reasons: ["notFound"] });
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", "\u001b[2J"])("fails with the method %j", (method) => {
    const answer = service().answer({ method, url: "/discovery/v1/apis", headers: host });
    expect(errorIn(answer)).toEqual({ status: 405, word: "UNIMPLEMENTED", reasons: ["httpMethodNotAllowed"] });
    expect(answer.headers.allow).toBe("GET, HEAD");
    expect(JSON.parse(answer.body).error.message).not.toContain("\u001b");
  });

  test.each([
    ["an unknown parameter", "?nme=shop", ["there is no query parameter 'nme'"]],
    ["a parameter of the other method", "?api=shop", ["there is no query parameter 'api'"]],
    ["a truth value that is none", "?preferred=yes", ["parameter 'preferred' can't be 'yes': give true or false"]],
    ["another form than JSON", "?alt=media", ["parameter 'alt' can't be 'media': give one of 'json'"]],
    ["a form that is none", "?prettyPrint=1", ["parameter 'prettyPrint' can't be '1': give true or false"]],
    ["a selection of fields", "?fields=items", ["'fields' is not supported here: leave it out"]],
    [
      "several mistakes, all at once",
      "?x=1&preferred=2&alt=csv",
      [
        "there is no query parameter 'x'",
        "parameter 'preferred' can't be '2': give true or false",
        "parameter 'alt' can't be 'csv': give one of 'json'",
      ],
    ],
  ])("fails with %s", (_, query, messages) => {
    const answer = service().get(`/discovery/v1/apis${query}`);
    expect(errorIn(answer)).toEqual({
      status: 400,
      word: "INVALID_ARGUMENT",
      reasons: messages.map(() => "invalidParameter"),
    });
    const { error } = JSON.parse(answer.body);
    expect([error.message, error.errors.map(({ message }: { message: string }) => message)]).toEqual([
      messages[0],
      messages,
    ]);
  });

  test("whatever is asked, there is an answer in the service's form", () => {
    const { answer } = service();
    const path = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("/discovery/v1/apis", rest("shop", "v1"), "//", "http://[", "/discovery/v1/apis/%/%/rest"),
    );
    const query = fc.oneof(fc.constant(""), fc.webQueryParameters(), fc.string({ unit: "binary" }));
    const headers = fc.dictionary(fc.constantFrom("host", "if-none-match", "accept"), fc.string({ unit: "binary" }));
    const method = fc.constantFrom("GET", "HEAD", "POST", "");
    fc.assert(
      fc.property(method, path, query, headers, (verb, before, after, given) => {
        const { status, body } = answer({ method: verb, url: `${before}?${after}`, headers: { ...host, ...given } });
        expect([200, 304, 400, 404, 405]).toContain(status);
        if (body !== "") JSON.parse(body);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a service", () => {
  const failure = (options: DescriptionServiceOptions) => {
    try {
      createDescriptionService(options);
    } catch (error) {
      return error as { readonly problems: readonly { readonly code: string; readonly message: string }[] };
    }
    throw new Error("nothing was thrown");
  };

  it("fails with everything that it can't serve", () => {
    const { problems } = failure({
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
      ["preferred-unknown", "'pub:v1' can't be preferred: there is no such description; name one as NAME:VERSION"],
    ]);
  });

  test.each([{ baseUrl: "apis.example.com" }, { rootUrl: "ftp://host/" }])("fails with the address %j", (options) => {
    expect(failure({ descriptions: [], ...options })).toMatchObject({ code: "endpoint-invalid" });
  });

  it("has itself to list where it has nothing else", () => {
    const { get } = service({ descriptions: [] });
    expect(listOf(get("/discovery/v1/apis")).items.map(({ id }) => id)).toEqual(["discovery:v1"]);
  });

  it("answers over HTTP as it does without", async () => {
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
});
