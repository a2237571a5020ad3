import fc from "fast-check";
import {
  ApiDescription,
  type Change,
  type ChangeKind,
  compareDescriptions,
  type DescriptionDocument,
  type NameMap,
  ownDescription,
  ownDescriptionIds,
  type SchemaDocument,
} from "../../../lib/discovery";
import { codesOf } from "../../support/descriptions";
import { description, outline, withMethod, withSchemas } from "./description";

describe("the revision is not trusted", () => {
  const cart = (revision: string | undefined, title = "Shop") =>
    description({ title, ...(revision === undefined ? {} : { revision }) });

  test.each([
    ["20260101", "20260102", "Shop", []],
    ["20260101", "20260101", "Shop", []],
    [undefined, undefined, "Store", []],
    ["20260101", undefined, "Store", []],
    ["beta", "alpha", "Store", []],
    ["9", "10", "Store", []],
    ["20260101", "20260101", "Store", ["revision-unchanged"]],
    ["20260102", "20260101", "Shop", ["revision-backwards"]],
    ["10", "09", "Store", ["revision-backwards"]],
  ])("%s → %s, title %s: %j", (before, after, title, codes) => {
    expect(compareDescriptions(cart(before), cart(after, title)).findings.map(({ code }) => code)).toEqual(codes);
  });

  test("each version of an API has revisions of its own", () => {
    const alpha = description({ version: "v1alpha", revision: "20261101" });
    const { findings } = compareDescriptions(alpha, description({ version: "v1", revision: "20261101" }));

    expect(findings).toEqual([]);
  });

  test("what is different under the same revision is reported as what it is", () => {
    const before = withMethod({ httpMethod: "GET" }, { revision: "20261109" });
    const after = withMethod({ httpMethod: "POST" }, { revision: "20261109" });

    expect(compareDescriptions(before, after)).toEqual({
      from: { id: "shop:v1", revision: "20261109" },
      to: { id: "shop:v1", revision: "20261109" },
      changes: [
        {
          kind: "http-method-changed",
          class: "breaking",
          subject: "shop.carts.get",
          before: "GET",
          after: "POST",
          message: "'shop.carts.get' is called with 'POST' instead of 'GET'",
        },
      ],
      breaking: 1,
      compatible: 0,
      noise: 0,
      findings: [
        {
          code: "revision-unchanged",
          message: "both descriptions carry the revision '20261109', and they are different",
        },
      ],
    });
  });
});

test("descriptions are taken as they were read, as documents and as texts", () => {
  const [old, now] = [withMethod({ httpMethod: "GET" }), withMethod({ httpMethod: "PUT" })];
  const expected = ["breaking http-method-changed shop.carts.get"];

  expect(outline(compareDescriptions(old.document, now))).toEqual(expected);
  expect(outline(compareDescriptions(JSON.stringify(old.document), now.document))).toEqual(expected);
  expect(codesOf(() => compareDescriptions(old, "{}"))).toEqual(["description-kind"]);
});

test("two APIs are told apart", () => {
  const { findings } = compareDescriptions(description(), description({ name: "store" }));

  expect(findings).toEqual([
    { code: "other-api", message: "the descriptions are of different APIs, 'shop' and 'store'" },
  ]);
});

test("fails where a schema that no method uses is none", () => {
  const broken = () => description({ schemas: { A: JSON.parse('{"type": 1}') } });

  expect(() => compareDescriptions(description(), broken())).toThrow("'/schemas/A/type' must be a text, got number");
  expect(() => compareDescriptions(broken(), description())).toThrow("'/schemas/A/type' must be a text, got number");
});

test("breaking changes come first, each class by subject", () => {
  const before = withSchemas({ Sent: { type: "object", properties: { b: {}, a: {} } } });
  const after = withSchemas({ Sent: { type: "object", properties: { d: {}, c: {} }, description: "Sent." } });

  expect(outline(compareDescriptions(before, after))).toEqual([
    "breaking property-removed Sent.a",
    "breaking property-removed Sent.b",
    "compatible property-added Sent.c",
    "compatible property-added Sent.d",
    "noise description-changed Sent",
  ]);
});

test("nothing in a message can steer a terminal", () => {
  const name = "\u001b[2J\u202e\n";
  const before = withSchemas({ Sent: { type: "object", properties: { [name]: {} } } });
  const [change] = compareDescriptions(before, withSchemas({ Sent: { type: "object", properties: {} } })).changes;

  expect(change).toMatchObject({ subject: `Sent.${name}`, message: "'Sent.\\u{1b}[2J\\u{202e}\\u{a}' is gone" });
});

describe("the project's own descriptions", () => {
  test.each(ownDescriptionIds)("%s is the same as itself, whatever the order of its keys", (id) => {
    const { document } = ownDescription(id);
    const reordered = ApiDescription.parse(reverseKeys(document));

    expect(compareDescriptions(ownDescription(id), reordered)).toEqual({
      from: { id, revision: document.revision },
      to: { id, revision: document.revision },
      changes: [],
      breaking: 0,
      compatible: 0,
      noise: 0,
      findings: [],
    });
  });

  test("a property that compute loses is told with the methods that send and receive it", () => {
    const document = structuredClone(ownDescription("compute:v1").document);
    const properties = document.schemas?.TargetHttpsProxy?.properties as Record<string, SchemaDocument>;
    delete properties.certificateMap;
    const { changes, findings } = compareDescriptions(ownDescription("compute:v1"), ApiDescription.parse(document));

    expect(changes).toEqual<Change[]>([
      {
        kind: "property-removed",
        class: "breaking",
        subject: "TargetHttpsProxy.certificateMap",
        message: "'TargetHttpsProxy.certificateMap' is gone",
        reaches: {
          request: [
            "compute.regionTargetHttpsProxies.insert",
            "compute.regionTargetHttpsProxies.patch",
            "compute.targetHttpsProxies.insert",
            "compute.targetHttpsProxies.patch",
          ],
          response: [
            "compute.regionTargetHttpsProxies.get",
            "compute.regionTargetHttpsProxies.list",
            "compute.targetHttpsProxies.aggregatedList",
            "compute.targetHttpsProxies.get",
            "compute.targetHttpsProxies.list",
          ],
        },
      },
    ]);
    expect(findings.map(({ code }) => code)).toEqual(["revision-unchanged"]);
  });
});

describe("of random descriptions", () => {
  test("one is the same as its copy, whatever the order of keys", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const copy = ApiDescription.parse(reverseKeys(structuredClone(document)));

        expect(compareDescriptions(ApiDescription.parse(document), copy).changes).toEqual([]);
      }),
    );
  });

  test("the order of keys changes no change", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const [old, now] = [ApiDescription.parse(before), ApiDescription.parse(after)];
        const reordered = ApiDescription.parse(reverseKeys(structuredClone(after)));

        expect(compareDescriptions(old, reordered)).toEqual(compareDescriptions(old, now));
      }),
    );
  });

  test("what is added one way is removed the other way", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const [old, now] = [ApiDescription.parse(before), ApiDescription.parse(after)];
        const there = compareDescriptions(old, now).changes.map(({ kind, subject }) => `${kind} ${subject}`);
        const back = compareDescriptions(now, old).changes.map(({ kind, subject }) => `${mirror(kind)} ${subject}`);

        expect(back.sort()).toEqual(there.sort());
      }),
    );
  });
});

describe("however large or tangled", () => {
  test("two descriptions of 1,000 methods take well under a second", () => {
    const [old, now] = [largeDescription("a"), largeDescription("b")];
    const milliseconds = [1, 2, 3].map(() => {
      const started = process.cpuUsage();
      expect(compareDescriptions(old, now).changes).toHaveLength(1_000);
      return process.cpuUsage(started).user / 1_000;
    });

    // Processor time, and the best of three: other work on the machine shall not count.
    expect(Math.min(...milliseconds)).toBeLessThan(700);
  });

  test("a chain of schemas longer than any stack ends", () => {
    const chain = (last: string) =>
      withSchemas(
        Object.fromEntries(
          Array.from({ length: 20_000 }, (_, at) => [
            at === 0 ? "Sent" : `S${at}`,
            { type: "object", properties: at === 19_999 ? { [last]: {} } : { next: { $ref: `S${at + 1}` } } },
          ]),
        ),
      );

    expect(outline(compareDescriptions(chain("x"), chain("y")))).toEqual([
      "breaking property-removed S19999.x",
      "compatible property-added S19999.y",
    ]);
  });

  test("rings of schemas of different lengths are cut off, and what was not followed counts as breaking", () => {
    const both = { ...ring("A", 499), ...ring("B", 503) };
    const { changes, findings } = compareDescriptions(
      withSchemas({ Sent: { $ref: "A0" }, ...both }),
      withSchemas({ Sent: { $ref: "B0" }, ...both }),
    );

    expect(changes.map(({ kind, class: inClass, subject }) => [kind, inClass, subject])).toEqual([
      ["reference-changed", "breaking", "Sent"],
    ]);
    expect(findings.map(({ code }) => code)).toEqual(["comparison-cut"]);
  });

  test("rings of schemas that are all called otherwise are cut off, too", () => {
    const { breaking, findings } = compareDescriptions(
      withSchemas({ Sent: { $ref: "A0" }, ...ring("A", 499) }),
      withSchemas({ Sent: { $ref: "B0" }, ...ring("B", 503) }),
    );

    expect(breaking).toBe(1);
    expect(findings.map(({ code }) => code)).toEqual(["comparison-cut", "methods-cut"]);
  });

  test("lists of methods end where there are too many, and the class is right all the same", () => {
    const chain = (property: string) =>
      withSchemas(
        Object.fromEntries(
          Array.from({ length: 3_000 }, (_, at) => [
            at === 0 ? "Sent" : `S${at}`,
            { type: "object", properties: { next: { $ref: `S${at + 1}` }, [property]: {} } },
          ]),
        ),
      );
    const { changes, breaking, findings } = compareDescriptions(chain("x"), chain("y"));

    expect(breaking).toBe(3_000);
    expect(changes.filter(({ reaches }) => reaches === undefined).length).toBeGreaterThan(0);
    expect(findings.map(({ code }) => code)).toEqual(["methods-cut"]);
  });

  test("a field of unknown form may be of any depth", () => {
    const deep = (inside: string) => {
      const levels = 100_000;
      const json = `${'{"x":'.repeat(levels)}"${inside}"${"}".repeat(levels)}`;
      return withSchemas({ Sent: JSON.parse(`{"type": "string", "variant": ${json}}`) });
    };

    expect(outline(compareDescriptions(deep("a"), deep("b")))).toEqual(["noise field-changed Sent"]);
    expect(outline(compareDescriptions(deep("a"), deep("a")))).toEqual([]);
  });
});

/** Schemas that lead to each other in a ring. */
function ring(prefix: string, length: number): NameMap<SchemaDocument> {
  const schemas = Array.from({ length }, (_, at): [string, SchemaDocument] => [
    `${prefix}${at}`,
    { type: "object", properties: { next: { $ref: `${prefix}${(at + 1) % length}` } } },
  ]);
  return Object.fromEntries(schemas);
}

/** A copy with the keys of every object the other way round. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}

const opposites = new Map([
  ["added", "removed"],
  ["gained", "lost"],
  ["narrowed", "widened"],
  ["dangling", "mended"],
]);

function mirror(kind: ChangeKind): string {
  const [, what, happened] = /^(.*)-([a-z]+)$/.exec(kind) ?? [];
  for (const [one, other] of opposites) {
    if (happened === one) return `${what}-${other}`;
    if (happened === other) return `${what}-${one}`;
  }
  return kind;
}

/** 1,000 methods with bodies of their own, and one property that is called otherwise in the schema which all of them share. */
function largeDescription(property: string): ApiDescription {
  const numbers = Array.from({ length: 1_000 }, (_, at) => at);
  const fields = Object.fromEntries(
    numbers.slice(0, 10).map((at) => [`field${at}`, { type: "string", pattern: "a+" }]),
  );
  const methods = numbers.map((at) => [
    `m${at}`,
    {
      id: `shop.m${at}`,
      path: `carts/m${at}/{x}`,
      httpMethod: "POST",
      description: property,
      parameters: { x: { type: "string", location: "path", required: true }, ...fields },
      request: { $ref: `Body${at}` },
      response: { $ref: "Shared" },
    },
  ]);
  const bodies = numbers.map((at) => [
    `Body${at}`,
    {
      type: "object",
      properties: { ...fields, inner: { $ref: `Body${(at * 7) % 1_000}` }, shared: { $ref: "Shared" } },
    },
  ]);
  return description({
    methods: Object.fromEntries(methods),
    schemas: { ...Object.fromEntries(bodies), Shared: { type: "object", properties: { x: {} } } },
  });
}

const names = ["A", "B", "C"];
const anySchema: fc.Arbitrary<SchemaDocument> = fc.letrec<{ schema: SchemaDocument }>((tie) => {
  const inner = tie("schema");
  const notes = {
    description: fc.constantFrom("one", "two"),
    deprecated: fc.boolean(),
    readOnly: fc.boolean(),
    default: fc.constantFrom("1", "2"),
  };
  const allOf = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>, requiredKeys: readonly string[]) =>
    fc.record<Record<string, unknown>>({ ...fields, ...notes }, { requiredKeys: [...requiredKeys] });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      allOf(
        {
          type: fc.constantFrom("string", "integer", "any"),
          format: fc.constantFrom("int32", "int64", "date"),
          pattern: fc.constantFrom("a", "a+", "^a$"),
          enum: fc.subarray(["X", "Y", "Z"], { minLength: 1 }),
          minimum: fc.constantFrom("1", "2"),
        },
        ["type"],
      ),
      allOf({ $ref: fc.constantFrom(...names, "Nowhere") }, ["$ref"]),
      allOf({ type: fc.constant("array"), items: inner }, ["type"]),
      allOf(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(fc.constantFrom("p", "q", "__proto__"), inner, { maxKeys: 2 }),
          additionalProperties: inner,
        },
        ["type"],
      ),
    ),
  };
}).schema;

const anyMethods = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom("shop.a", "shop.b"),
      path: fc.constantFrom("a", "{+b}"),
      scopes: fc.subarray(["s", "t"]),
      request: anySchema,
      response: anySchema,
      parameters: fc.dictionary(fc.constantFrom("x", "y"), anySchema, { maxKeys: 2 }),
      deprecated: fc.boolean(),
    },
    { requiredKeys: ["id", "path"] },
  ),
  { selector: ({ id }) => id, maxLength: 2 },
);

/** Schemas that both have or neither has: names that come and go are told by rules of their own. */
const anyDocument: fc.Arbitrary<DescriptionDocument> = fc
  .record({
    methods: anyMethods,
    schemas: fc.tuple(anySchema, anySchema, anySchema),
    labels: fc.subarray(["l", "deprecated"]),
  })
  .map(({ methods, schemas, labels }) => ({
    kind: "discovery#restDescription",
    name: "shop",
    version: "v1",
    labels,
    methods: Object.fromEntries(methods.map((method) => [method.id, method])),
    schemas: Object.fromEntries(schemas.map((schema, at) => [names[at] ?? "", schema])),
  })) as fc.Arbitrary<DescriptionDocument>;
