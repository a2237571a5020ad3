import type { SchemaDocument } from "../../../lib/discovery";
import { cpuTimeOf } from "../../support/cpu-time";
import { withRoutes } from "../../support/descriptions";

const anything = { type: "string", location: "path" };
const patterned = (pattern: string): SchemaDocument => ({ ...anything, pattern });

/** Returns which of two routes a URL matches, in either order of declaration. */
function winners(
  routes: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, SchemaDocument>>,
  url: string,
): ReadonlySet<string | undefined> {
  const entries = Object.entries(routes);
  const orders = [entries, [...entries].reverse()].map((order) => Object.fromEntries(order));
  return new Set(orders.map((order) => withRoutes(order, parameters).match("GET", url)?.method.id));
}

const parameters = {
  name: patterned("^ops/.*$"),
  parent: patterned("^ops/.*$"),
  any: anything,
  other: anything,
  id: anything,
};

test.each<[string, Record<string, string>, string, string]>([
  [
    "a literal goes before an open variable with text",
    { a: "GET v1/big/{id}", b: "GET v1/{+any}:go" },
    "/v1/big/x:go",
    "zoo.a",
  ],
  ["a variable with text goes before a bare one", { a: "GET v1/{id}:go", b: "GET v1/{other}" }, "/v1/x:go", "zoo.a"],
  [
    "an open variable with text goes before a single one",
    { a: "GET v1/{+any}:go", b: "GET v1/{id}/{other}" },
    "/v1/x/y:go",
    "zoo.a",
  ],
  [
    "a variable with text goes before an open one with as much",
    { a: "GET v1/{id}:go", b: "GET v1/{+any}:go" },
    "/v1/x:go",
    "zoo.a",
  ],
  ["text between two variables counts as text", { a: "GET v1/{id}-{any}", b: "GET v1/{other}" }, "/v1/x-y", "zoo.a"],
  ["a single variable goes before an open one", { a: "GET v1/{id}", b: "GET v1/{+any}" }, "/v1/x", "zoo.a"],
  [
    "an open variable ends where a literal follows",
    { a: "GET v1/{+name}/schema", b: "GET v1/{+parent}" },
    "/v1/ops/1/schema",
    "zoo.a",
  ],
  ["the same without patterns", { a: "GET v1/{+any}/schema", b: "GET v1/{+other}" }, "/v1/ops/1/schema", "zoo.a"],
  [
    "the same where the literal is written encoded",
    { a: "GET v1/{+any}/$export", b: "GET v1/{+other}" },
    "/v1/ops/1/%24export",
    "zoo.a",
  ],
  [
    "an open variable ends where text and a variable follow",
    { a: "GET v1/{+any}/{id}:go", b: "GET v1/{+other}" },
    "/v1/ops/1:go",
    "zoo.a",
  ],
  [
    "a literal that follows goes before text that follows",
    { a: "GET v1/{+any}/x:go", b: "GET v1/{+other}/{id}:go" },
    "/v1/ops/x:go",
    "zoo.a",
  ],
  [
    "a literal that leads nowhere is not taken",
    { a: "GET v1/{+any}/schema/v2", b: "GET v1/{+other}" },
    "/v1/ops/1/schema",
    "zoo.b",
  ],
  [
    "a verb that no method has belongs to the name",
    { a: "GET v1/{+any}:go", b: "GET v1/{+other}" },
    "/v1/ops/1:stop",
    "zoo.b",
  ],
  [
    "a pattern that forbids the value decides first",
    { a: "GET v1/{+name}/schema", b: "GET v1/{+any}" },
    "/v1/other/1/schema",
    "zoo.b",
  ],
])("at each position of a URL, %s", (_, routes, url, id) => {
  expect(winners(routes, parameters, url)).toEqual(new Set([id]));
});

test("returns the values of the selected method", () => {
  const api = withRoutes({ a: "GET v1/{+name}/schema", b: "GET v1/{+parent}" }, parameters);

  expect(api.match("GET", "/v1/ops/1/2/schema")?.parameters).toEqual({ name: "ops/1/2" });
  expect(api.match("GET", "/v1/ops/1/schema/2")?.parameters).toEqual({ parent: "ops/1/schema/2" });
});

test("matches a URL in the same time with many open variables and verbs", () => {
  const path = Array.from({ length: 9 }, (_, at) => `{+x${at}}:a/{+y${at}}`).join("/");
  const api = withRoutes({ a: `GET v1/${path}/end`, b: `GET v1/${path}:go` });
  const long = `/v1${"/q:a".repeat(400)}`;
  expect(cpuTimeOf(() => expect(api.match("GET", long)).toBeUndefined())).toBeLessThan(5_000);
});

describe("methods with the same paths", () => {
  const parameters = { name: patterned("^docs/[^/]+/.*$"), parent: patterned("^docs/[^/]+/.*$"), id: anything };
  const routes = { get: "GET v1/{+name}", list: "GET v1/{+parent}/{id}" };

  test("cause a warning that names both", () => {
    const { warnings } = withRoutes(routes, parameters);

    expect(warnings.filter(({ code }) => code === "address-ambiguous")).toEqual([
      {
        code: "address-ambiguous",
        pointer: "zoo.list",
        message:
          "the URLs of 'v1/{+parent}/{id}' are URLs of 'v1/{+name}' too: nothing distinguishes the method from 'zoo.get', which is taken",
      },
    ]);
  });

  test("are both returned by a match", () => {
    const match = withRoutes(routes, parameters).match("GET", "/v1/docs/1/a/b");

    expect(match?.method.id).toBe("zoo.get");
    expect(match?.alternatives?.map(({ id }) => id)).toEqual(["zoo.list"]);
  });

  test.each<[string, Record<string, string>]>([
    ["a literal distinguishes them", { get: "GET v1/{+name}", list: "GET v1/{+parent}/all" }],
    ["a verb distinguishes them", { get: "GET v1/{+name}", list: "GET v1/{+parent}:all" }],
    ["the HTTP method distinguishes them", { get: "GET v1/{+name}", list: "POST v1/{+parent}/{id}" }],
    ["one pattern is narrower", { get: "GET v1/{+name}", list: "GET v1/{id}" }],
  ])("cause no warning if %s", (_, other) => {
    const api = withRoutes(other, parameters);

    expect(api.warnings.filter(({ code }) => code === "address-ambiguous")).toEqual([]);
    expect(api.match("GET", "/v1/docs/1/a")?.alternatives).toBeUndefined();
  });
});
