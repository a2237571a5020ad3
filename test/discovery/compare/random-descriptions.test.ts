import fc from "fast-check";
import {
  ApiDescription,
  type ChangeKind,
  compareDescriptions,
  type DescriptionDocument,
  type SchemaDocument,
} from "../../../lib/discovery";
import { reverseKeys } from "./description";

describe("random descriptions", () => {
  test("equal their copies, whatever the order of keys", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const copy = ApiDescription.parse(reverseKeys(structuredClone(document)));

        expect(compareDescriptions(ApiDescription.parse(document), copy).changes).toEqual([]);
      }),
    );
  });

  test("have the same changes in any order of keys", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const [old, now] = [ApiDescription.parse(before), ApiDescription.parse(after)];
        const reordered = ApiDescription.parse(reverseKeys(structuredClone(after)));

        expect(compareDescriptions(old, reordered)).toEqual(compareDescriptions(old, now));
      }),
    );
  });

  test("report an addition in one direction as a removal in the other", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (before, after) => {
        const [old, now] = [ApiDescription.parse(before), ApiDescription.parse(after)];
        const there = compareDescriptions(old, now).changes.map(({ kind, subject }) => `${kind} ${subject}`);
        const backwards = compareDescriptions(now, old).changes;
        // The changes of a moved method have its old id as their subject, which is the new id one way.
        const moved = new Map(
          backwards.flatMap(({ kind, subject, before, after }) =>
            kind === "resource-changed" && before === subject ? [[subject, String(after)] as const] : [],
          ),
        );
        const back = backwards.map(({ kind, subject }) => {
          const [method = "", ...rest] = subject.split(" ");
          return [mirror(kind), moved.get(method) ?? method, ...rest].join(" ");
        });

        expect(back.sort()).toEqual(there.sort());
      }),
    );
  });
});

const opposites = new Map([
  ["added", "removed"],
  ["gained", "lost"],
  ["narrowed", "widened"],
  ["dangling", "fixed"],
]);

function mirror(kind: ChangeKind): string {
  const [, what, happened] = /^(.*)-([a-z]+)$/.exec(kind) ?? [];
  for (const [one, other] of opposites) {
    if (happened === one) return `${what}-${other}`;
    if (happened === other) return `${what}-${one}`;
  }
  return kind;
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

/** Schemas that both have or neither has: other rules report added and removed names. */
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
