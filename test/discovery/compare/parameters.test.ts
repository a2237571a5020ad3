import { compareDescriptions, type DescriptionChange, type NameMap, type SchemaDocument } from "../../../lib/discovery";
import { description, differences, withMethod } from "./description";

type Parameters = NameMap<SchemaDocument>;

const query = { type: "string", location: "query" };
const path = { type: "string", location: "path", required: true };

describe("a method's parameters", () => {
  test.each<[string, Parameters, Parameters, readonly string[]]>([
    ["a parameter more", {}, { x: query }, ["compatible parameter-added"]],
    ["a parameter more that is required", {}, { x: { ...query, required: true } }, ["breaking parameter-added"]],
    ["a parameter more in the path", {}, { x: path }, ["breaking parameter-added"]],
    ["a parameter less", { x: query }, {}, ["breaking parameter-removed"]],
    ["required", { x: query }, { x: { ...query, required: true } }, ["breaking required-gained"]],
    ["required no longer", { x: { ...query, required: true } }, { x: query }, ["compatible required-lost"]],
    ["in the path, where all are required anyway", { x: path }, { x: { type: "string", location: "path" } }, []],
    ["in the path now", { x: { ...query, required: true } }, { x: path }, ["breaking location-changed"]],
    ["several times", { x: query }, { x: { ...query, repeated: true } }, ["compatible repeated-gained"]],
    ["only once", { x: { ...query, repeated: true } }, { x: query }, ["breaking repeated-lost"]],
    ["narrowed by a pattern", { x: query }, { x: { ...query, pattern: "a+" } }, ["breaking pattern-narrowed"]],
    ["narrowed by a maximum", { x: query }, { x: { ...query, maximum: "9" } }, ["breaking maximum-narrowed"]],
    [
      "widened by a minimum",
      { x: { ...query, minimum: "9" } },
      { x: { ...query, minimum: "1" } },
      ["compatible minimum-widened"],
    ],
    ["another type", { x: query }, { x: { ...query, type: "integer" } }, ["breaking type-changed"]],
    [
      "another format",
      { x: { ...query, format: "byte" } },
      { x: { ...query, format: "date" } },
      ["breaking format-changed"],
    ],
    [
      "a value less",
      { x: { ...query, enum: ["A", "B"] } },
      { x: { ...query, enum: ["B"] } },
      ["breaking enum-value-removed"],
    ],
    [
      "a value more",
      { x: { ...query, enum: ["B"] } },
      { x: { ...query, enum: ["A", "B"] } },
      ["compatible enum-value-added"],
    ],
    [
      "another default",
      { x: { ...query, default: "1" } },
      { x: { ...query, default: "2" } },
      ["breaking default-changed"],
    ],
    ["deprecated", { x: query }, { x: { ...query, deprecated: true } }, ["compatible deprecation-gained"]],
    [
      "other words",
      { x: { ...query, description: "a" } },
      { x: { ...query, description: "b" } },
      ["noise description-changed"],
    ],
  ])("%s", (_, before, after, expected) => {
    const lines = expected.map((line) => `${line} shop.carts.get ?x`);

    expect(differences(withMethod({ parameters: before }), withMethod({ parameters: after }))).toEqual(lines);
  });
});

test("of the API are reported once", () => {
  const before = description({ parameters: { alt: { ...query, enum: ["json", "media"] }, key: query } });
  const after = description({ parameters: { alt: { ...query, enum: ["json"] }, quota: query } });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    {
      kind: "enum-value-removed",
      class: "breaking",
      subject: "?alt",
      before: "media",
      message: "'?alt' has no value 'media' any longer",
    },
    { kind: "parameter-removed", class: "breaking", subject: "?key", message: "'?key' was removed" },
    { kind: "parameter-added", class: "compatible", subject: "?quota", message: "'?quota' is new" },
  ]);
});

describe("a parameter that moves between a method and its API", () => {
  test("still belongs to the method if the API declares it", () => {
    const before = withMethod({ parameters: { x: query } });
    const after = withMethod({}, { parameters: { x: query } });

    expect(differences(before, after)).toEqual(["compatible parameter-added ?x"]);
  });

  test("is not removed if every method declares it", () => {
    const before = withMethod({}, { parameters: { x: query } });
    const after = withMethod({ parameters: { x: query } });

    expect(differences(before, after)).toEqual(["noise parameter-removed ?x"]);
  });

  test("is narrowed if the two differ", () => {
    const before = withMethod({}, { parameters: { x: query } });
    const after = withMethod({ parameters: { x: { ...query, pattern: "a" } } }, { parameters: { x: query } });

    expect(differences(before, after)).toEqual(["breaking pattern-narrowed shop.carts.get ?x"]);
  });
});

test("a schema that a parameter refers to counts as sent", () => {
  const parameters = { x: { $ref: "X", location: "query" } };
  const before = withMethod({ parameters }, { schemas: { X: { type: "string" } } });
  const after = withMethod({ parameters }, { schemas: { X: { type: "string", pattern: "a" } } });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    {
      kind: "pattern-narrowed",
      class: "breaking",
      subject: "X",
      after: "a",
      message: "'X' has the pattern 'a' now, where it had none",
      reaches: { request: ["shop.carts.get"], response: [] },
    },
  ]);
});

test("a parameter may have a name that every object inherits", () => {
  const parameters = JSON.parse('{"__proto__": {"type": "string"}, "toString": {"type": "string"}}');

  expect(differences(withMethod({}), withMethod({ parameters }))).toEqual([
    "compatible parameter-added shop.carts.get ?__proto__",
    "compatible parameter-added shop.carts.get ?toString",
  ]);
});
