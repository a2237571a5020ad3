import type { SchemaDocument } from "../../lib/discovery";
import { patternExamples } from "../../lib/discovery/patterns/pattern-example";
import { cpuTimeOf } from "../support/cpu-time";
import { codesOf, description } from "../support/descriptions";

const required = { annotations: { required: ["zoo.insert"] } };

describe("creates a valid example of a scalar:", () => {
  test.each<[SchemaDocument, unknown]>([
    [{ type: "string" }, "text"],
    [{ type: "boolean" }, true],
    [{ type: "integer", format: "int32" }, 1],
    [{ type: "integer", minimum: "5", maximum: "9" }, 5],
    [{ type: "integer", maximum: "0" }, 0],
    [{ type: "number", maximum: "0.5" }, 0.5],
    [{ type: "string", format: "uint64" }, "1"],
    [{ type: "string", format: "byte" }, "AA=="],
    [{ type: "string", format: "date" }, "2026-11-21"],
    [{ type: "string", format: "google-datetime" }, "2026-11-21T00:00:00Z"],
    [{ type: "string", format: "google-duration" }, "1s"],
    [{ type: "string", format: "google-fieldmask" }, "name"],
    [{ type: "string", enum: ["OLD", "NEW"], enumDeprecated: [true, false] }, "NEW"],
    [{ type: "string", enum: ["OLD"], enumDeprecated: [true] }, "OLD"],
    [{ type: "string", pattern: "^projects/[^/]+/zones/[0-9]{2,4}$" }, "projects/a/zones/00"],
    [{ type: "any" }, {}],
    [{ type: "boolean", enum: ["false"] }, false],
    [{ type: "integer", enum: ["7"] }, 7],
    [{ type: "integer", minimum: "0.5" }, 1],
    [{ type: "integer", maximum: "-0.5" }, -1],
    [{ type: "integer", minimum: "9007199254740993" }, "9007199254740993"],
    [{ type: "string", format: "uint64", pattern: "[5-9]{2}" }, "55"],
    [{ type: "string", format: "date", pattern: "\\w{4}-\\w\\w-\\d1" }, "2026-11-21"],
    [{ type: "string", format: "int32", pattern: "[a-z0-9]+" }, "1"],
    [{ type: "string", pattern: "[[:alpha:]]{3}" }, "aaa"],
    [{ type: "string", pattern: "[é]+" }, "é"],
    [{ properties: { a: { type: "string" } } }, {}],
    [{ items: { type: "string" } }, []],
    [{ type: "array", items: { type: "string" } }, []],
    [{ type: "object" }, {}],
    [{ type: "object", format: "google.protobuf.Any" }, { "@type": "type.googleapis.com/google.protobuf.Empty" }],
  ])("%j: %j", (schema, value) => {
    const api = description();

    expect(api.example(schema)).toEqual(value);
    expect(api.validate(schema, value)).toEqual([]);
  });
});

test("creates no example of an impossible value", () => {
  const nothing = { type: "integer", minimum: "2", maximum: "1", annotations: { required: ["zoo.insert"] } };
  const api = description();

  expect(api.example(nothing)).toBeUndefined();
  expect(api.example({ type: "object", properties: { nothing } })).toEqual({});
});

describe("an example of an object", () => {
  const schemas = {
    Animal: {
      type: "object",
      properties: {
        name: { type: "string", ...required },
        cage: { $ref: "Cage", ...required },
        tags: { type: "array", items: { type: "string" } },
        id: { type: "string", readOnly: true },
        old: { type: "string", deprecated: true },
        patched: { type: "string", annotations: { required: ["zoo.patch"] } },
      },
    },
    Cage: {
      type: "object",
      properties: { width: { type: "number", ...required }, animal: { $ref: "Animal", ...required } },
    },
  };
  const api = description({ schemas });

  test("contains what some method requires, and no schema within itself", () => {
    expect(api.example("Animal")).toEqual({ name: "text", cage: { width: 1 }, patched: "text" });
  });

  test("contains what one method requires, and is accepted by that method", () => {
    expect(api.example("Animal", { methodId: "zoo.patch" })).toEqual({ patched: "text" });
    expect(
      api.validate("Animal", api.example("Animal", { methodId: "zoo.patch" }), {
        as: "request",
        methodId: "zoo.patch",
      }),
    ).toEqual([]);
  });

  test("contains everything that a caller may set, on request", () => {
    expect(api.example("Animal", { properties: "writable" })).toEqual({
      name: "text",
      cage: { width: 1 },
      tags: ["text"],
      patched: "text",
    });
  });

  test("refuses an unknown schema", () => {
    expect(codesOf(() => api.example("Plant"))).toEqual(["schema-unknown"]);
  });

  test("terminates if each schema refers to all others", () => {
    const names = Array.from({ length: 20 }, (_, index) => `S${index}`);
    const all = Object.fromEntries(names.map((name) => [name, { $ref: name }]));
    const tangle = description({
      schemas: Object.fromEntries(names.map((name) => [name, { type: "object", properties: all }])),
    });
    const takenMs = cpuTimeOf(() => {
      expect(tangle.validate("S0", tangle.example("S0", { properties: "writable" }))).toEqual([]);
    });
    expect(takenMs).toBeLessThan(1_000);
  });
});

test.each([
  ["[a-z]{3}", "aaa"],
  ["(x|y)z?", "x"],
  ["(?i)ab", "ab"],
  ["[0-9]+\\.example", "0.example"],
  ["(?i:ab)c", "abc"],
  ["(?P<n>ab)", "ab"],
  ["(?<n>ab)", "ab"],
  ["\\Aabc\\z", "abc"],
  ["\\bfoo\\b", "foo"],
  ["\\pL\\PL\\p{Lu}[\\p{Nd}]", "a0A0"],
  ["[[:upper:][:digit:]]{2}[[:^alpha:]]", "AA0"],
  ["ü", "ü"],
  ["\\p{Greek}", undefined],
  ["(?=a)", undefined],
  ["a$b", undefined],
  ["(?:(?:a{1000}){1000}){1000}", undefined],
])("creates for the pattern %p the text %p", (pattern, text) => {
  expect(patternExamples(pattern)[0]).toBe(text);
});
