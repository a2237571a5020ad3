import { type ApiDescription, compareDescriptions, type NameMap, type SchemaDocument } from "../../../lib/discovery";
import { cpuTimeOf } from "../../support/cpu-time";
import { description, outline, withSchemas } from "./description";

test("descriptions with 1,000 methods each are compared in well under a second", () => {
  const [old, now] = [largeDescription("a"), largeDescription("b")];
  const milliseconds = [1, 2, 3].map(() =>
    cpuTimeOf(() => expect(compareDescriptions(old, now).changes).toHaveLength(1_000)),
  );

  // The best of three: other work on the machine shares the caches of the processor.
  expect(Math.min(...milliseconds)).toBeLessThan(700);
});

test("descriptions with a chain of schemas longer than the stack are compared to the end", () => {
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

test("descriptions with rings of schemas of different lengths are cut off, and unvisited schemas count as breaking", () => {
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

test("descriptions with rings of schemas under different names are cut off too", () => {
  const { breaking, findings } = compareDescriptions(
    withSchemas({ Sent: { $ref: "A0" }, ...ring("A", 499) }),
    withSchemas({ Sent: { $ref: "B0" }, ...ring("B", 503) }),
  );

  expect(breaking).toBe(1);
  expect(findings.map(({ code }) => code)).toEqual(["comparison-cut", "methods-cut"]);
});

test("descriptions with too many methods have shortened lists, and the correct class", () => {
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

test("descriptions may contain a field of unknown form at any depth", () => {
  const deep = (inside: string) => {
    const levels = 100_000;
    const json = `${'{"x":'.repeat(levels)}"${inside}"${"}".repeat(levels)}`;
    return withSchemas({ Sent: JSON.parse(`{"type": "string", "variant": ${json}}`) });
  };

  expect(outline(compareDescriptions(deep("a"), deep("b")))).toEqual(["noise field-changed Sent"]);
  expect(outline(compareDescriptions(deep("a"), deep("a")))).toEqual([]);
});

/** Schemas that lead to each other in a ring. */
function ring(prefix: string, length: number): NameMap<SchemaDocument> {
  const schemas = Array.from({ length }, (_, at): [string, SchemaDocument] => [
    `${prefix}${at}`,
    { type: "object", properties: { next: { $ref: `${prefix}${(at + 1) % length}` } } },
  ]);
  return Object.fromEntries(schemas);
}

/**
 * 1,000 methods with bodies of their own, and one property that is called otherwise in the schema which all of them
 * share.
 */
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
