import { compareDescriptions, type DescriptionChange, type NameMap, type SchemaDocument } from "../../../lib/discovery";
import { description, differences, withMethod, withSchemas } from "./description";

type Schemas = NameMap<SchemaDocument>;

const text = { type: "string" };
const object = (properties: NameMap<SchemaDocument>): SchemaDocument => ({ type: "object", properties });
const ref = ($ref: string): SchemaDocument => ({ $ref });
const requiredBy = (...required: string[]): SchemaDocument => ({ ...text, annotations: { required } });

test.each<[string, SchemaDocument, SchemaDocument, readonly string[]]>([
  ["a property more", object({}), object({ x: text }), ["compatible property-added Sent.x"]],
  ["a property less", object({ x: text }), object({}), ["breaking property-removed Sent.x"]],
  [
    "a property more that a known method requires",
    object({}),
    object({ x: requiredBy("shop.carts.put") }),
    ["breaking property-added Sent.x"],
  ],
  [
    "a property more that a new method requires",
    object({}),
    object({ x: requiredBy("shop.carts.move") }),
    ["compatible property-added Sent.x"],
  ],
  [
    "a property that becomes required",
    object({ x: text }),
    object({ x: requiredBy("shop.carts.put") }),
    ["breaking required-gained Sent.x"],
  ],
  [
    "a property that is not required any longer",
    object({ x: requiredBy("shop.carts.put") }),
    object({ x: text }),
    ["compatible required-lost Sent.x"],
  ],
  ["a property that a new method requires", object({ x: text }), object({ x: requiredBy("shop.carts.move") }), []],
  [
    "a property that only the service sets now",
    object({ x: text }),
    object({ x: { ...text, readOnly: true } }),
    ["breaking read-only-gained Sent.x"],
  ],
  [
    "a property that callers may set now",
    object({ x: { ...text, readOnly: true } }),
    object({ x: text }),
    ["compatible read-only-lost Sent.x"],
  ],
  [
    "any properties",
    object({ x: text }),
    { ...object({ x: text }), additionalProperties: text },
    ["compatible additional-properties-added Sent"],
  ],
  [
    "only declared properties",
    { ...object({ x: text }), additionalProperties: text },
    object({ x: text }),
    ["breaking additional-properties-removed Sent"],
  ],
  [
    "other values of any properties",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: { type: "boolean" } },
    ["breaking type-changed Sent.*"],
  ],
  [
    "an object of any form gets properties",
    { type: "object" },
    object({ x: text }),
    ["breaking additional-properties-removed Sent", "compatible property-added Sent.x"],
  ],
  [
    "an object of any form gets values of one type",
    { type: "object" },
    { type: "object", additionalProperties: text },
    ["breaking type-narrowed Sent.*"],
  ],
  [
    "a list of something else",
    { type: "array", items: object({ x: text }) },
    { type: "array", items: object({ x: { type: "boolean" } }) },
    ["breaking type-changed Sent[].x"],
  ],
  ["a list of certain things", { type: "array" }, { type: "array", items: text }, ["breaking type-narrowed Sent[]"]],
  ["nothing but another type", object({ x: text }), { type: "array", items: text }, ["breaking type-changed Sent"]],
])("a schema that is only sent %s", (_, before, after, expected) => {
  expect(differences(withSchemas({ Sent: before }), withSchemas({ Sent: after }))).toEqual(expected);
});

describe("a schema that is only received", () => {
  test.each<[string, SchemaDocument, SchemaDocument, readonly string[]]>([
    ["a property more", object({}), object({ x: text }), ["compatible property-added Received.x"]],
    ["a property less", object({ x: text }), object({}), ["breaking property-removed Received.x"]],
    [
      "a property that a method requires",
      object({ x: text }),
      object({ x: requiredBy("shop.carts.put") }),
      ["noise required-gained Received.x"],
    ],
    [
      "a property that only the service sets",
      object({ x: text }),
      object({ x: { ...text, readOnly: true } }),
      ["noise read-only-gained Received.x"],
    ],
    [
      "only declared properties",
      { ...object({ x: text }), additionalProperties: text },
      object({ x: text }),
      ["breaking additional-properties-removed Received"],
    ],
    [
      "an object of any form gets properties",
      { type: "object" },
      object({ x: text }),
      ["compatible additional-properties-removed Received", "compatible property-added Received.x"],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(differences(withSchemas({ Received: before }), withSchemas({ Received: after }))).toEqual(expected);
  });
});

test.each<[string, Schemas, Schemas, readonly string[]]>([
  [
    "a difference is reported once at its place, however many references lead there",
    { Sent: object({ a: ref("Deep"), b: ref("Deep") }), Received: ref("Deep"), Deep: object({ x: text }) },
    { Sent: object({ a: ref("Deep"), b: ref("Deep") }), Received: ref("Deep"), Deep: object({}) },
    ["breaking property-removed Deep.x"],
  ],
  [
    "a schema that contains itself",
    { Sent: object({ inner: ref("Sent"), x: text }) },
    { Sent: object({ inner: ref("Sent") }) },
    ["breaking property-removed Sent.x"],
  ],
  [
    "schemas that contain each other",
    { Sent: object({ other: ref("Other") }), Other: object({ back: ref("Sent"), x: text }) },
    { Sent: object({ other: ref("Other") }), Other: object({ back: ref("Sent") }) },
    ["breaking property-removed Other.x"],
  ],
  [
    "another name for the same structure, itself included",
    { Sent: object({ a: ref("Old") }), Old: object({ inner: ref("Old"), x: text }) },
    { Sent: object({ a: ref("New") }), New: object({ inner: ref("New"), x: text }) },
    ["noise schema-renamed Old"],
  ],
  [
    "another name and another structure",
    { Sent: object({ a: ref("Old") }), Old: object({ x: text }) },
    { Sent: object({ a: ref("New") }), New: object({ y: text }) },
    ["breaking property-removed Old.x", "compatible property-added Old.y", "noise schema-renamed Old"],
  ],
  [
    "another schema of the same structure",
    { Sent: object({ a: ref("A") }), A: object({ x: text }), B: object({ x: text }) },
    { Sent: object({ a: ref("B") }), A: object({ x: text }), B: object({ x: text }) },
    ["noise reference-changed Sent.a"],
  ],
  [
    "another schema with a property more",
    { Sent: object({ a: ref("A") }), A: object({ x: text }), B: object({ x: text, y: text }) },
    { Sent: object({ a: ref("B") }), A: object({ x: text }), B: object({ x: text, y: text }) },
    ["compatible reference-changed Sent.a"],
  ],
  [
    "another schema that breaks further inside",
    {
      Sent: object({ a: ref("A") }),
      A: object({ inner: ref("A1") }),
      A1: object({ back: ref("A"), x: text }),
      B: object({ inner: ref("B1") }),
      B1: object({ back: ref("B") }),
    },
    {
      Sent: object({ a: ref("B") }),
      A: object({ inner: ref("A1") }),
      A1: object({ back: ref("A"), x: text }),
      B: object({ inner: ref("B1") }),
      B1: object({ back: ref("B") }),
    },
    ["breaking reference-changed Sent.a"],
  ],
  [
    "a schema in place that gets a name",
    { Sent: object({ a: object({ x: text }) }) },
    { Sent: object({ a: ref("A") }), A: object({ x: text }) },
    ["compatible schema-added A", "noise reference-changed Sent.a"],
  ],
  [
    "a name that only the new description has, for a schema that stays",
    { Sent: object({ a: ref("A") }), Received: ref("A"), A: object({ x: text }) },
    { Sent: object({ a: ref("B") }), Received: ref("A"), A: object({ x: text }), B: object({ x: text }) },
    ["compatible schema-added B", "noise reference-changed Sent.a"],
  ],
  [
    "a name that only the old description has, for a schema that was there",
    { Sent: object({ a: ref("A") }), Received: ref("B"), A: object({ x: text }), B: object({ x: text }) },
    { Sent: object({ a: ref("B") }), Received: ref("B"), B: object({ x: text }) },
    ["compatible schema-removed A", "noise reference-changed Sent.a"],
  ],
  [
    "a name that goes, with its schema in place",
    { Sent: object({ a: ref("A") }), A: object({ x: text }) },
    { Sent: object({ a: object({ x: text }) }) },
    ["compatible schema-removed A", "noise reference-changed Sent.a"],
  ],
  [
    "a reference to nowhere",
    { Sent: object({ a: ref("A") }), A: text },
    { Sent: object({ a: ref("A") }) },
    ["breaking reference-dangling Sent.a", "compatible schema-removed A"],
  ],
  [
    "a reference that led nowhere",
    { Sent: object({ a: ref("A") }) },
    { Sent: object({ a: ref("A") }), A: text },
    ["compatible schema-added A", "compatible reference-fixed Sent.a"],
  ],
  [
    "a reference that leads nowhere, as before",
    { Sent: object({ a: ref("A") }) },
    { Sent: object({ a: ref("A") }) },
    [],
  ],
  [
    "a reference that leads nowhere, though elsewhere",
    { Sent: object({ a: ref("A") }) },
    { Sent: object({ a: ref("B") }) },
    ["breaking reference-changed Sent.a"],
  ],
  [
    "references in a circle",
    { Sent: object({ a: ref("A") }), A: ref("B"), B: ref("A") },
    { Sent: object({ a: ref("A") }), A: ref("B"), B: ref("A") },
    [],
  ],
  [
    "a schema that only leads to another one is that one",
    { Sent: object({ a: ref("Alias") }), Alias: ref("A"), A: object({ x: text }) },
    { Sent: object({ a: ref("Alias") }), Alias: ref("A"), A: object({}) },
    ["breaking property-removed A.x"],
  ],
  [
    "read-only by what it leads to",
    { Sent: object({ a: ref("A") }), A: text },
    { Sent: object({ a: ref("A") }), A: { ...text, readOnly: true } },
    ["breaking read-only-gained Sent.a"],
  ],
  [
    "read-only here instead of there",
    { Sent: object({ a: ref("A") }), A: { ...text, readOnly: true } },
    { Sent: object({ a: { ...ref("A"), readOnly: true } }), A: text },
    [],
  ],
])("references %s", (_, before, after, expected) => {
  expect(differences(withSchemas(before), withSchemas(after))).toEqual(expected);
});

describe("schemas that no method refers to", () => {
  test("are insignificant", () => {
    const before = withSchemas({ Lonely: object({ x: text }) });
    const after = withSchemas({ Lonely: object({ y: text }) });

    expect(differences(before, after)).toEqual(["noise property-removed Lonely.x", "noise property-added Lonely.y"]);
  });

  test("count as received if an answer may contain values of any type", () => {
    const operation = object({ metadata: { type: "object", additionalProperties: { type: "any" } } });
    const before = withSchemas({
      Sent: object({ a: ref("Used") }),
      Received: operation,
      Metadata: object({ x: text }),
      Gone: object({}),
      Used: text,
    });
    const after = withSchemas({ Sent: object({ a: text }), Received: operation, Metadata: object({ y: text }) });

    expect(differences(before, after)).toEqual([
      "breaking schema-removed Gone",
      "breaking property-removed Metadata.x",
      "compatible property-added Metadata.y",
      "compatible schema-removed Used",
      "noise reference-changed Sent.a",
    ]);
  });
});

test("reports every method that sends or receives a schema, directly or indirectly", () => {
  const method = (id: string, request: string, response: string) => ({
    id: `shop.${id}`,
    path: id,
    httpMethod: "POST",
    request: ref(request),
    response: ref(response),
  });
  const methods = { c: method("c", "Cart", "Deep"), a: method("a", "Deep", "Cart"), b: method("b", "Other", "Other") };
  const around = { Cart: object({ items: { type: "array", items: ref("Deep") } }), Other: object({}) };
  const before = description({ methods, schemas: { ...around, Deep: object({ x: text }) } });
  const after = description({ methods, schemas: { ...around, Deep: object({}) } });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    {
      kind: "property-removed",
      class: "breaking",
      subject: "Deep.x",
      message: "'Deep.x' was removed",
      reaches: { request: ["shop.a", "shop.c"], response: ["shop.a", "shop.c"] },
    },
  ]);
});

test("reports where a new or removed schema is used", () => {
  const before = withSchemas({ Sent: object({ a: ref("Gone") }), Gone: text });
  const after = withSchemas({ Sent: object({ b: ref("New") }), New: text });

  expect(compareDescriptions(before, after).changes.filter(({ kind }) => kind.startsWith("schema-"))).toEqual<
    DescriptionChange[]
  >([
    {
      kind: "schema-removed",
      class: "compatible",
      subject: "Gone",
      message: "'Gone' was removed",
      reaches: { request: ["shop.carts.put"], response: [] },
    },
    {
      kind: "schema-added",
      class: "compatible",
      subject: "New",
      message: "'New' is new",
      reaches: { request: ["shop.carts.put"], response: [] },
    },
  ]);
});

test("treats names that every object inherits like any other name", () => {
  const odd = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}');
  const before = withSchemas({ Sent: object({}), ...JSON.parse('{"__proto__": {"type": "string"}}') });
  const after = withSchemas({ Sent: object(odd), ...JSON.parse('{"toString": {"type": "string"}}') });

  expect(differences(before, after)).toEqual([
    "compatible property-added Sent.__proto__",
    "compatible property-added Sent.constructor",
    "compatible schema-removed __proto__",
    "compatible schema-added toString",
  ]);
});

test("reports an inline schema by its method", () => {
  const body = (properties: NameMap<SchemaDocument>) =>
    withMethod({ request: object(properties), response: { type: "array", items: object(properties) } });

  expect(differences(body({ x: text }), body({}))).toEqual([
    "breaking property-removed shop.carts.get request.x",
    "breaking property-removed shop.carts.get response[].x",
  ]);
});
