import fc from "fast-check";
import type { DescriptionServiceOptions } from "../../../lib/discovery";
import { anyText } from "../../support/any-text";
import { runs } from "../../support/runs";
import { documentOf, errorIn, host, rest, service, shop } from "./shop-service";

const url = rest("shop", "v1");

it("an answer has a strong tag of its content, an age, a type and a length", () => {
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

it("an answer is indented by default", () => {
  const { get } = service();
  expect(get(url).body).toContain('\n  "name": "shop"');
  expect(get(`${url}?prettyPrint=true`).body).toBe(get(url).body);
  expect(get(`${url}?prettyPrint=false`).body).not.toContain("\n");
});

it("an answer has the same tag for the same content, from another service too, and another tag for other content", () => {
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

it("an answer contains the tag in a description that has one, instead of the tag that it was fetched with", () => {
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
])("an answer is omitted if the client has it: If-None-Match names %s", (_, header, status) => {
  const answer = service().get(url, { "if-none-match": header });
  expect(answer.status).toBe(status);
  if (status === 304) {
    expect(answer).toEqual({ status, headers: { etag, "cache-control": "public, max-age=300" }, body: "" });
  }
});

it("an answer is omitted for a list too", () => {
  const { get } = service();
  const first = get("/discovery/v1/apis").headers.etag ?? "";
  expect(get("/discovery/v1/apis", { "if-none-match": first }).status).toBe(304);
  expect(get("/discovery/v1/apis?name=shop", { "if-none-match": first }).status).toBe(200);
});

it("an answer is not 304 for a missing resource, even if any tag matches", () => {
  expect(service().get(rest("pub", "v1"), { "if-none-match": "*" }).status).toBe(404);
});

test.each([url, "/discovery/v1/apis", rest("pub", "v1"), "/discovery/v1/apis?x=1"])(
  "an answer to HEAD equals the answer to GET without its body: %s",
  (target) => {
    const { answer } = service();
    const { body, ...get } = answer({ method: "GET", url: target, headers: host });
    const { body: none, ...head } = answer({ method: "HEAD", url: target, headers: host });
    expect(head).toEqual(get);
    expect({ none, long: body.length > 0 }).toEqual({ none: "", long: true });
  },
);

it("a request that can't be answered is reported in the service's form", () => {
  const { status, headers, body } = service().get(rest("pub", "v1"));
  const message = "'pub:v1' has no description here";
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
])("a request that can't be answered fails at %s: not found", (url) => {
  expect(errorIn(service().get(url))).toEqual({ status: 404, word: "NOT_FOUND", reasons: ["notFound"] });
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", "\u001b[2J"])(
  "a request that can't be answered fails with the method %j",
  (method) => {
    const answer = service().answer({ method, url: "/discovery/v1/apis", headers: host });
    expect(errorIn(answer)).toEqual({ status: 405, word: "UNIMPLEMENTED", reasons: ["httpMethodNotAllowed"] });
    expect(answer.headers.allow).toBe("GET, HEAD");
    expect(JSON.parse(answer.body).error.message).not.toContain("\u001b");
  },
);

test.each([
  ["an unknown parameter", "?nme=shop", ["unknown query parameter 'nme'"]],
  ["a parameter of the other method", "?api=shop", ["unknown query parameter 'api'"]],
  ["an invalid boolean", "?preferred=yes", ["parameter 'preferred' can't be 'yes': give true or false"]],
  ["another form than JSON", "?alt=media", ["parameter 'alt' can't be 'media': give one of 'json'"]],
  ["an invalid form", "?prettyPrint=1", ["parameter 'prettyPrint' can't be '1': give true or false"]],
  [
    "a selection of fields that is not closed",
    "?fields=items(id",
    ["'fields': can't be read: a bracket is not closed"],
  ],
  ["a selection of an unknown field", "?fields=itemz", ["'fields': Invalid field selection itemz"]],
  [
    "several mistakes, all at once",
    "?x=1&preferred=2&alt=csv",
    [
      "unknown query parameter 'x'",
      "parameter 'preferred' can't be '2': give true or false",
      "parameter 'alt' can't be 'csv': give one of 'json'",
    ],
  ],
])("a request that can't be answered fails with %s", (_, query, messages) => {
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

test("a selection of fields omits the others, and has a tag of its own", () => {
  const whole = service().get("/discovery/v1/apis");
  const ids = service().get("/discovery/v1/apis?fields=items(id,preferred)");
  const { items } = JSON.parse(ids.body);
  expect(new Set(items.flatMap(Object.keys))).toEqual(new Set(["id", "preferred"]));
  expect(Object.keys(JSON.parse(ids.body))).toEqual(["items"]);
  expect(ids.headers.etag).not.toBe(whole.headers.etag);
  expect(Number(ids.headers["content-length"])).toBe(Buffer.byteLength(ids.body));
  const parts = service().get(`${rest("shop", "v1")}?fields=name,version`);
  expect(JSON.parse(parts.body)).toEqual({ name: "shop", version: "v1" });
});

test("every request gets an answer in the service's form", () => {
  const { answer } = service();
  const path = fc.oneof(
    anyText(),
    fc.constantFrom("/discovery/v1/apis", rest("shop", "v1"), "//", "http://[", "/discovery/v1/apis/%/%/rest"),
  );
  const query = fc.oneof(fc.constant(""), fc.webQueryParameters(), anyText());
  const headers = fc.dictionary(fc.constantFrom("host", "if-none-match", "accept"), anyText());
  const method = fc.constantFrom("GET", "HEAD", "POST", "");
  fc.assert(
    fc.property(method, path, query, headers, (verb, before, after, given) => {
      const { status, body } = answer({ method: verb, url: `${before}?${after}`, headers: { ...host, ...given } });
      expect([200, 304, 400, 404, 405]).toContain(status);
      if (body !== "") JSON.parse(body);
    }),
    runs(300),
  );
});
