import type { SchemaDocument, ValidateOptions } from "../../lib/discovery";
import { cpuTimeOf } from "../support/cpu-time";
import { codesOf, description } from "../support/descriptions";

function findingsFor(
  schema: SchemaDocument,
  value: unknown,
  options?: ValidateOptions,
  others: Record<string, SchemaDocument> = {},
) {
  return description({ schemas: { A: schema, ...others } }).validate("A", value, options);
}
const summaries = (...given: Parameters<typeof findingsFor>) =>
  findingsFor(...given).map(({ code, severity, subject }) => `${severity} ${code} ${subject}`);
const object = (properties: Record<string, SchemaDocument>) => ({ type: "object", properties });

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ["string", ["", "a"], [1, true, {}, [], 1n, null, undefined]],
  ["boolean", [true, false], ["true", 1, {}, null]],
  [
    "integer",
    [1, -1, "5", 2n ** 70n, 1e300],
    [null, 1.5, "1.5", "", "x", true, Number.NaN, Number.POSITIVE_INFINITY, {}],
  ],
  [
    "number",
    [1.5, "1.5", "NaN", "-Infinity", 1e308, 5n],
    [null, "x", "", " 1", "0x10", true, Number.NaN, Number.POSITIVE_INFINITY, []],
  ],
  ["object", [{}, { a: 1 }], [[], "x", 1, () => 1, null]],
  ["array", [[], [1]], [{}, "x", 1, null]],
  ["any", [1, "x", {}, [], true, null], []],
  ["odd", [1, "x", {}], []],
])("checks that a value has the type %s", (type, good, bad) => {
  expect(good.flatMap((value) => summaries({ type }, value))).toEqual([]);
  expect(bad.map((value) => summaries({ type }, value))).toEqual(bad.map(() => ["error type "]));
});

test("accepts 64-bit integers as text, or as exact numbers", () => {
  const long = { type: "string", format: "int64" };

  expect(["5", 5, 5n, 2 ** 53 - 1].flatMap((value) => summaries(long, value))).toEqual([]);
  expect(summaries(long, 2 ** 53)).toEqual(["error type "]);
  expect(summaries(long, "x")).toEqual(["error format "]);
  expect(summaries({ type: "string" }, 5)).toEqual(["error type "]);
});

test("accepts anything without a schema", () => {
  expect(summaries({}, { a: [1] })).toEqual([]);
  expect(summaries({}, null)).toEqual([]);
});

test.each<[string, SchemaDocument, unknown, readonly string[]]>([
  [
    "properties",
    { properties: { n: { type: "integer" } } },
    { n: "x", m: 1 },
    ["error type /n", "error unknown-property /m"],
  ],
  ["additionalProperties", { additionalProperties: { type: "integer" } }, { n: "x" }, ["error type /n"]],
  ["items", { items: { type: "integer" } }, [1, "x"], ["error type /1"]],
  ["properties, for a text", { properties: {} }, "x", ["error type "]],
  ["items, for an object", { items: {} }, {}, ["error type "]],
])("recognizes the type of a schema without a type by its %s", (_, schema, value, findings) => {
  expect(summaries(schema, value)).toEqual(findings);
});

test("null means 'not set' inside an object, and is a value if any value is allowed", () => {
  const list = (items: SchemaDocument) => ({ type: "array", items });

  expect(summaries(object({ a: { type: "integer" } }), { a: null })).toEqual([]);
  expect(findingsFor({ type: "object" }, null)[0]?.message).toBe(
    "the value can't be null: it can only stand inside an object, for a field that is not set",
  );
  expect(findingsFor(list({ type: "string" }), ["a", null])[0]?.message).toBe(
    "'/1' can't be null: leave it out of the list",
  );
  for (const items of [{}, { type: "any" }, { type: "object", format: "google.protobuf.Value" }, { $ref: "Any" }]) {
    expect(summaries(list(items), [null], {}, { Any: { type: "any" } })).toEqual([]);
  }
});

test.each<[string, SchemaDocument, unknown, string, string]>([
  [
    "format",
    { type: "string", format: "date" },
    "today",
    "error format ",
    "the value must be a date as in 2026-11-21, got 'today'",
  ],
  [
    "pattern, as a whole",
    { type: "string", pattern: "[a-z]+" },
    "a1",
    "error pattern ",
    "the value must match '[a-z]+' as a whole, got 'a1'",
  ],
  [
    "a pattern that can't be evaluated",
    { type: "string", pattern: "(" },
    "a",
    "warning pattern-unchecked ",
    "the value could not be checked against '('",
  ],
  ["enum", { type: "string", enum: ["a", "b"] }, "c", "error enum ", "the value must be one of 'a', 'b', got 'c'"],
  ["minimum", { type: "integer", minimum: "5" }, 4, "error minimum ", "the value must be at least 5, got '4'"],
  ["maximum", { type: "number", maximum: "0.5" }, 0.75, "error maximum ", "the value must be at most 0.5, got '0.75'"],
  ["type", { type: "boolean" }, "yes", "error type ", "the value must be true or false, got the text 'yes'"],
  [
    "numbers that JSON has",
    { type: "number" },
    Number.NaN,
    "error type ",
    "the value must be a finite number, or 'NaN', 'Infinity' or '-Infinity' as text, got number 'NaN'",
  ],
  [
    "dangling references",
    { $ref: "Nowhere" },
    1,
    "warning reference-dangling ",
    "the value can't be checked: its schema 'Nowhere' is not in the description, or refers to itself",
  ],
  [
    "references in a circle",
    { $ref: "A" },
    1,
    "warning reference-dangling ",
    "the value can't be checked: its schema 'A' is not in the description, or refers to itself",
  ],
])("checks a value against %s", (_, schema, value, short, message) => {
  expect(summaries(schema, value)).toEqual([short]);
  expect(findingsFor(schema, value)[0]?.message).toBe(message);
});

test("reports each of several mistakes at its place", () => {
  const schema = object({
    name: { type: "string" },
    "a/b~c": { type: "array", items: object({ n: { type: "integer", maximum: "9" } }) },
    map: { type: "object", additionalProperties: { type: "boolean" } },
  });
  const value = { name: 1, "a/b~c": [{ n: 10 }, null, { n: "x", z: 1 }], map: { k: "v" }, other: 1 };

  expect(summaries(schema, value)).toEqual([
    "error type /name",
    "error maximum /a~1b~0c/0/n",
    "error type /a~1b~0c/1",
    "error type /a~1b~0c/2/n",
    "error unknown-property /a~1b~0c/2/z",
    "error type /map/k",
    "error unknown-property /other",
  ]);
});

describe("a request", () => {
  const schema = object({
    id: { type: "string", readOnly: true },
    inner: { $ref: "Inner" },
    name: { type: "string", annotations: { required: ["zoo.insert"] } },
    old: { type: "string", deprecated: true },
    kind: { type: "string", enum: ["NEW", "OLD"], enumDeprecated: [false, true] },
  });
  const Inner = { type: "object", readOnly: true, properties: {} };

  test("needs what its method requires, at every level", () => {
    const nested = object({ list: { type: "array", items: schema } });

    expect(summaries(schema, {}, { as: "request", methodId: "zoo.insert" })).toEqual(["error required /name"]);
    expect(summaries(schema, { name: null }, { as: "request", methodId: "zoo.insert" })).toEqual([
      "error required /name",
    ]);
    expect(summaries(nested, { list: [{}] }, { as: "request", methodId: "zoo.insert" })).toEqual([
      "error required /list/0/name",
    ]);
    expect(summaries(schema, {}, { as: "request", methodId: "zoo.patch" })).toEqual([]);
    expect(summaries(schema, {}, { as: "request" })).toEqual([]);
  });

  test("returns findings for ignored and deprecated fields", () => {
    const value = { id: "1", inner: {}, old: "x", kind: "OLD" };

    expect(summaries(schema, value, { as: "request" }, { Inner })).toEqual([
      "warning read-only /id",
      "warning read-only /inner",
      "warning deprecated /old",
      "warning deprecated /kind",
    ]);
    expect(summaries(schema, value, {}, { Inner })).toEqual([]);
    expect(summaries(schema, { id: null, old: undefined }, { as: "request" }, { Inner })).toEqual([]);
  });

  test("returns such findings for lists and maps too", () => {
    const nested = object({
      list: { type: "array", items: { type: "string", readOnly: true } },
      refs: { type: "array", items: { $ref: "Inner" } },
      map: { type: "object", additionalProperties: { type: "string", readOnly: true, deprecated: true } },
    });
    const value = { list: ["a"], refs: [{}], map: { k: "v" } };

    expect(summaries(nested, value, { as: "request" }, { Inner })).toEqual([
      "warning read-only /list/0",
      "warning read-only /refs/0",
      "warning read-only /map/k",
      "warning deprecated /map/k",
    ]);
    expect(summaries(nested, value, {}, { Inner })).toEqual([]);
  });
});

test("accepts in a response fields and enum values that are newer than the description", () => {
  const schema = object({ kind: { type: "string", enum: ["A"] } });

  expect(summaries(schema, { kind: "B", later: 1 }, { as: "response" })).toEqual([
    "warning enum /kind",
    "warning unknown-property /later",
  ]);
  expect(summaries(schema, { kind: "B", later: 1 }, { as: "request" })).toEqual([
    "error enum /kind",
    "error unknown-property /later",
  ]);
});

test("treats names of Object.prototype like any other name", () => {
  const schema = object({ constructor: { type: "integer", annotations: { required: ["zoo.insert"] } } } as never);

  expect(summaries(schema, JSON.parse('{"__proto__":1,"toString":2}'), { methodId: "zoo.insert" })).toEqual([
    "error unknown-property /__proto__",
    "error unknown-property /toString",
    "error required /constructor",
  ]);
});

describe("refuses a value that throws when it is read:", () => {
  const throwing = () => {
    throw new Error("no");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();

  test.each<[string, unknown, string]>([
    ["a getter", Object.defineProperty({}, "name", { enumerable: true, get: throwing }), "/name"],
    ["a proxy", new Proxy({}, { ownKeys: throwing }), ""],
    ["a proxy that is revoked", { name: proxy }, "/name"],
    ["an object that can't be converted to text", { name: Object.assign(() => 1, { toString: throwing }) }, "/name"],
  ])("%s", (_, value, pointer) => {
    expect(findingsFor(object({ name: { type: "string" } }), value)).toMatchObject([
      {
        code: "type",
        severity: "error",
        subject: pointer,
        message: `${pointer === "" ? "the value" : `'${pointer}'`} can't be read: it fails when it is looked at`,
      },
    ]);
  });

  test("but reports an invalid schema as a mistake of the description", () => {
    const odd = { $ref: "Odd" };

    expect(codesOf(() => findingsFor(odd, 1, {}, { Odd: { type: 1 } as never }))).toEqual(["description-malformed"]);
    expect(codesOf(() => findingsFor(odd, null, {}, { Odd: { type: 1 } as never }))).toEqual(["description-malformed"]);
  });
});

test("shares one budget for patterns among all values of a body, and reports the rest as unchecked", () => {
  const hostile = `(${Array.from({ length: 30 }, (_, at) => `[a-z/]{${at + 1}}`).join("|")})+!`;
  const list = { type: "array", items: { type: "string", pattern: hostile } };
  const takenMs = cpuTimeOf(() => {
    const all = summaries(
      list,
      Array.from({ length: 199 }, () => "a".repeat(4_000)),
    );

    expect(all).toContain("error pattern /0");
    expect(all).toContain("warning pattern-unchecked /198");
  });

  expect(takenMs).toBeLessThan(2_500);
});

describe("an endless value", () => {
  const Tree = { type: "object", properties: { a: { $ref: "A" }, b: { $ref: "A" } } };

  test("is not followed deeper than 100 levels", () => {
    const loop: Record<string, unknown> = {};
    loop.a = loop;

    expect(findingsFor(Tree, loop)).toMatchObject([
      {
        code: "too-deep",
        severity: "error",
        subject: "/a".repeat(101),
        message: expect.stringMatching(/ is nested too deep: at most 100 levels are allowed$/),
      },
    ]);
  });

  test("gets at most 200 findings", () => {
    const list = { type: "array", items: { type: "string" } };

    expect(
      findingsFor(
        list,
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(200);
  });

  test("is not checked beyond a quarter of a million values", () => {
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value, b: value };
    const takenMs = cpuTimeOf(() => {
      expect(findingsFor(Tree, value).map(({ code }) => code)).toEqual(["too-large"]);
    });

    expect(takenMs).toBeLessThan(3_000);
  });
});

test("accepts an inline schema as well as a schema by ID, and refuses an unknown ID", () => {
  const api = description({ schemas: { A: { type: "string" } } });

  expect(api.validate({ type: "array", items: { $ref: "A" } }, [1]).map(({ subject }) => subject)).toEqual(["/0"]);
  expect(codesOf(() => api.validate("B", 1))).toEqual(["schema-unknown"]);
  expect(api.resolve({ $ref: "A" })).toEqual({ type: "string" });
  expect(api.resolve({ $ref: "B" })).toBeUndefined();
});
