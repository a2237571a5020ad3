import { cpuTimeOf } from "../../support/cpu-time";
import { description, methodOf, withMethod, withRoutes } from "../../support/descriptions";

const anything = { type: "string", location: "path" };
const patterned = (pattern: string) => ({ ...anything, pattern });

function idOf(api: ReturnType<typeof description>, request: string): string | undefined {
  const [verb = "", url = ""] = request.split(" ");
  return api.match(verb, url)?.method.id;
}

describe("matches a URL to the method", () => {
  const api = withRoutes(
    { get: "GET v1/animals/{id}", remove: "DELETE v1/animals/{id}", list: "GET v1/animals" },
    { id: anything },
  );

  test.each([
    ["GET /v1/animals/lion", "zoo.get"],
    ["GET https://zoo.example/v1/animals/lion", "zoo.get"],
    ["GET http://127.0.0.1:8080/v1/animals/lion?a=b#c", "zoo.get"],
    ["GET v1/animals/lion", "zoo.get"],
    ["get /v1/animals/lion", "zoo.get"],
    ["DELETE /v1/animals/lion", "zoo.remove"],
    ["GET /v1/animals", "zoo.list"],
    ["GET /v1/animals?", "zoo.list"],
    ["GET /v1/%61nimals", "zoo.list"],
  ])("%s", (request, id) => {
    expect(idOf(api, request)).toBe(id);
  });

  test.each([
    ["another verb", "POST /v1/animals"],
    ["another path", "GET /v1/plants"],
    ["one segment more", "GET /v1/animals/lion/mane"],
    ["an empty variable", "GET /v1/animals/"],
    ["a slash too many", "GET //v1/animals"],
    ["another case", "GET /v1/Animals"],
    ["an encoding that is broken", "GET /v1/animals/%zz"],
    ["no path", "GET https://zoo.example"],
    ["nothing", " "],
    ["a verb such as __proto__", "__proto__ /v1/animals"],
    ["segments such as __proto__", "GET /__proto__/constructor"],
    ["more segments than any API has", `GET ${"/a".repeat(10_000)}`],
    ["more characters than any server takes", `GET /v1/animals/${"a".repeat(100_000)}`],
  ])("but does not match %s", (_, request) => {
    expect(idOf(api, request)).toBeUndefined();
  });
});

describe("if several methods match", () => {
  const animals = withRoutes(
    {
      open: "GET v1/{+name}",
      variable: "GET v1/{kind}/{id}",
      verb: "GET v1/{kind}/{id}:feed",
      longVerb: "GET v1/{kind}/{id}:overfeed",
      prefixed: "GET v1/{kind}/zoo-{id}",
      longPrefixed: "GET v1/{kind}/zoo-big-{id}",
      literal: "GET v1/animals/search",
      half: "GET v1/animals/{id}",
    },
    { name: anything, kind: anything, id: anything },
  );

  test.each([
    ["fixed text goes before a variable", "/v1/animals/search", "zoo.literal"],
    ["a variable with a verb goes before a bare variable", "/v1/plants/fern:feed", "zoo.verb"],
    ["a longer verb goes first", "/v1/plants/fern:overfeed", "zoo.longVerb"],
    ["a variable with text before it goes before a bare variable", "/v1/plants/zoo-fern", "zoo.prefixed"],
    ["more text before a variable goes first", "/v1/plants/zoo-big-fern", "zoo.longPrefixed"],
    ["the leftmost fixed text decides", "/v1/animals/lion", "zoo.half"],
    ["a bare variable goes before one of several segments", "/v1/plants/fern", "zoo.variable"],
    ["one of several segments takes what is left", "/v1/plants/fern/leaf", "zoo.open"],
    ["a path that fails further right is tried otherwise", "/v1/animals/lion:feed", "zoo.half"],
  ])("%s", (_, url, id) => {
    expect(animals.match("GET", url)?.method.id).toBe(id);
  });

  test("the pattern of a variable decides between paths of the same form", () => {
    const api = withRoutes(
      { project: "GET v1/{+project}", folder: "GET v1/{+folder}", deep: "GET v1/{+deep}" },
      {
        project: patterned("^projects/[^/]+$"),
        folder: patterned("^folders/[0-9]{1,4}$"),
        deep: patterned("^projects/[^/]+/(a|b)/.*$"),
      },
    );

    expect(idOf(api, "GET /v1/projects/p")).toBe("zoo.project");
    expect(idOf(api, "GET /v1/folders/12")).toBe("zoo.folder");
    expect(idOf(api, "GET /v1/folders/abc")).toBeUndefined();
    expect(idOf(api, "GET /v1/projects/p/b/c/d")).toBe("zoo.deep");
    expect(idOf(api, "GET /v1/projects/p/c/c/d")).toBeUndefined();
  });

  test("an address of several methods selects the first", () => {
    const api = withRoutes({ first: "GET v1/{a}", second: "GET v1/{b}" }, { a: anything, b: anything });

    expect(idOf(api, "GET /v1/x")).toBe("zoo.first");
  });
});

describe("the path before the method's path", () => {
  const methods = { get: methodOf({ path: "animals" }) };

  test.each([
    ["is servicePath", { servicePath: "zoo/v1/" }, "/zoo/v1/animals"],
    ["is servicePath, slash or no slash", { servicePath: "/zoo/v1" }, "/zoo/v1/animals"],
    ["may be that of rootUrl", { rootUrl: "https://zoo.example/api/" }, "/api/animals"],
    ["may be that of both", { rootUrl: "https://zoo.example/api/", servicePath: "zoo/v1/" }, "/api/zoo/v1/animals"],
    ["may leave that of rootUrl out, as behind a proxy", { rootUrl: "https://zoo.example/api/" }, "/animals"],
    ["may be that of mtlsRootUrl", { mtlsRootUrl: "https://mtls.zoo.example/mtls/" }, "/mtls/animals"],
    [
      "may be that of a regional endpoint, the longest that fits",
      {
        servicePath: "x/",
        endpoints: [{ endpointUrl: "https://eu.zoo.example/eu/" }, { endpointUrl: "https://eu.zoo.example/eu/new" }],
      },
      "/eu/new/x/animals",
    ],
    ["has no variables", { servicePath: "{x}/" }, "/%7Bx%7D/animals"],
  ])("%s", (_, fields, url) => {
    expect(description({ methods, ...fields }).match("GET", url)?.method.id).toBe("zoo.get");
  });
});

test("matches requests to any address of the description to their method", () => {
  const api = withRoutes(
    { get: "GET v1/{id}" },
    { id: anything },
    {
      endpoints: [{ location: "eu", endpointUrl: "https://eu.zoo.example/prefix/" }],
    },
  );
  const { url } = api.request("zoo.get", { parameters: { id: "lion" }, endpoint: { location: "eu" } });

  expect(url).toBe("https://eu.zoo.example/prefix/v1/lion");
  expect(api.match("GET", url)?.parameters).toEqual({ id: "lion" });
  expect(api.match("GET", "/other/v1/lion")).toBeUndefined();
});

describe("splits a segment with several variables by their patterns:", () => {
  test.each<[string, Record<string, string | undefined>, string, Record<string, string> | undefined]>([
    ["{x}-{y}", { x: "[a-z]+", y: ".*" }, "a-b-c", { x: "a", y: "b-c" }],
    ["{x}-{y}", { x: undefined, y: undefined }, "a-b-c", { x: "a-b", y: "c" }],
    ["{x}-{y}", { x: "[a-z-]+", y: "[a-z]-[a-z]" }, "a-b-c-d", { x: "a-b", y: "c-d" }],
    ["{x}.{y}.{z}", { x: "a", y: "b\\.c", z: undefined }, "a.b.c.d", { x: "a", y: "b.c", z: "d" }],
    ["{x}{y}", { x: "[a-z]+", y: "[0-9]+" }, "ab12", { x: "ab", y: "12" }],
    ["{+x}:{y}", { x: "[^:]+", y: undefined }, "a/b:c:d", { x: "a/b", y: "c:d" }],
    ["{x}-{y}", { x: "[0-9]+", y: undefined }, "a-b", undefined],
    ["{x}-{y}", { x: undefined, y: undefined }, "-b", undefined],
    ["{x}-{y}", { x: undefined, y: undefined }, "a-", undefined],
    ["é{x}", { x: undefined }, "%C3%A9a", { x: "a" }],
    ["é{x}", { x: undefined }, "éa", { x: "a" }],
  ])("%s with %j in %s", (path, patterns, segment, parameters) => {
    const schemas = Object.entries(patterns).map(([name, pattern]) => [
      name,
      pattern === undefined ? anything : patterned(pattern),
    ]);
    const api = withRoutes({ get: `GET v1/${path}` }, Object.fromEntries(schemas));

    expect(api.match("GET", `/v1/${segment}`)?.parameters).toEqual(parameters);
  });
});

test("refuses a value that is too long to match its pattern; a pattern that can't be evaluated accepts all values", () => {
  const api = withRoutes(
    { long: "GET v1/{long}", odd: "POST v1/{odd}" },
    { long: patterned("(?:[a-z]{0,500}){2}"), odd: patterned("(?=a)") },
  );

  expect(idOf(api, "GET /v1/abc")).toBe("zoo.long");
  expect(idOf(api, `GET /v1/${"a".repeat(20_000)}`)).toBeUndefined();
  expect(idOf(api, "POST /v1/b")).toBe("zoo.odd");
});

describe("reads the parameters of a URL", () => {
  const api = withMethod({
    path: "v1/{zoo}/{+name}:feed",
    parameters: {
      zoo: { type: "string", location: "path", required: true },
      name: { type: "string", location: "path", required: true },
      count: { type: "integer", format: "int32", location: "query" },
      size: { type: "string", format: "int64", location: "query" },
      weight: { type: "number", location: "query" },
      now: { type: "boolean", location: "query" },
      tag: { type: "string", location: "query", repeated: true },
      "born.year": { type: "integer", location: "query" },
    },
  });
  const read = (query: string) => api.match("GET", `/v1/z/a/b:feed?${query}`);

  test.each([
    ["whole numbers", "count=5", { count: 5 }],
    ["whole numbers beyond what a number holds as text", "count=9007199254740993", { count: "9007199254740993" }],
    ["whole numbers of 64 bits as text", "size=9007199254740993", { size: "9007199254740993" }],
    ["numbers", "weight=-1.5", { weight: -1.5 }],
    ["numbers written otherwise as the text they are", "weight=-1.5e3&count=007", { weight: "-1.5e3", count: "007" }],
    ["zeros at the end as the text they are", "weight=1.50&count=-0", { weight: "1.50", count: "-0" }],
    ["truth values", "now=true&now=false", { now: false }],
    ["texts, a plus sign as space", "tag=a+b%20c%2Bd", { tag: ["a b c+d"] }],
    ["repeated ones in order", "tag=b&tag=a&tag=b", { tag: ["b", "a", "b"] }],
    ["names with dots", "born.year=2026", { "born.year": 2026 }],
    ["encoded names", "born%2Eyear=2026", { "born.year": 2026 }],
    ["the last of one that can't be repeated", "count=1&count=2", { count: 2 }],
    ["what is not of its type as text", "count=5x&weight=heavy&now=yes", { count: "5x", weight: "heavy", now: "yes" }],
    ["nothing where nothing is", "", {}],
  ])("%s", (_, query, parameters) => {
    expect(read(query)?.parameters).toEqual({ zoo: "z", name: "a/b", ...parameters });
    expect(read(query)?.unknownParameters).toEqual([]);
  });

  test("and reports unknown parameters separately, path variables in the query among them", () => {
    expect(read("$alt=json&zoo=other&__proto__=x&tag=a")).toMatchObject({
      parameters: { zoo: "z", name: "a/b", tag: ["a"] },
      unknownParameters: [
        ["$alt", "json"],
        ["zoo", "other"],
        ["__proto__", "x"],
      ],
    });
  });

  test("decodes a slash in a single-segment variable, and keeps it encoded in a variable of several segments", () => {
    expect(api.match("GET", "/v1/a%2Fb/c%2Fd/e:feed")?.parameters).toEqual({ zoo: "a/b", name: "c%2Fd/e" });
  });
});

test("terminates for a URL that can be split in many ways", () => {
  const api = withRoutes(
    { three: "GET {+a}/{+b}/{+c}/x", free: "PUT {+x}/{+y}/{+a}", mixed: "POST {+a}:{+b}/{c}-{d}-{e}" },
    {
      x: anything,
      y: anything,
      a: patterned(".*z"),
      b: patterned("(a+)+z"),
      c: patterned("(a|a)*z"),
      d: patterned(".*.*z"),
      e: patterned(".+z"),
    },
  );
  const takenMs = cpuTimeOf(() => {
    for (const url of [
      "a/".repeat(490),
      `${"a:".repeat(200)}/${"a-".repeat(15_000)}`,
      "a/x/".repeat(240),
      `${"a".repeat(60_000)}/x`,
      `${"a".repeat(130)}/`.repeat(490),
    ]) {
      expect(api.match("GET", `/${url}`)).toBeUndefined();
      expect(api.match("POST", `/${url}`)).toBeUndefined();
      expect(api.match("PUT", `/${url}`)).toBeUndefined();
    }
  });

  expect(takenMs).toBeLessThan(5_000);
});

test("shares one budget among all ways to split a URL", () => {
  const hostile = `(${Array.from({ length: 30 }, (_, at) => `[a-z/]{${at + 1}}`).join("|")})+!`;
  const api = withRoutes({ get: "GET v1/{+a}/{+b}" }, { a: patterned(hostile), b: patterned(hostile) });
  const takenMs = cpuTimeOf(() => {
    expect(api.match("GET", `/v1/${"abc/".repeat(490)}x`)).toBeUndefined();
  });

  expect(takenMs).toBeLessThan(2_000);
});
