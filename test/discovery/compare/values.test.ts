import { compareDescriptions, type SchemaDocument } from "../../../lib/discovery";
import { differences, withSchemas } from "./description";

/** Schemas with the property in a body that is sent, and in one that is received. */
const around = (property: SchemaDocument) =>
  withSchemas({
    Sent: { type: "object", properties: { x: property } },
    Received: { type: "object", properties: { x: property } },
  });

const text = { type: "string" };
const number = { type: "integer", format: "int32" };

test.each<[string, SchemaDocument, SchemaDocument, kind: string, sent: string, received: string]>([
  ["another type", text, { type: "boolean" }, "type-changed", "breaking", "breaking"],
  ["any type", text, { type: "any" }, "type-widened", "compatible", "breaking"],
  ["a certain type", { type: "any" }, text, "type-narrowed", "breaking", "compatible"],
  ["whole numbers become any", { type: "integer" }, { type: "number" }, "type-widened", "compatible", "breaking"],
  ["numbers become whole", { type: "number" }, { type: "integer" }, "type-narrowed", "breaking", "compatible"],
  ["no type is any type", {}, { type: "any" }, "", "", ""],
  ["a format", text, { ...text, format: "date" }, "format-narrowed", "breaking", "compatible"],
  ["no format", { ...text, format: "date" }, text, "format-widened", "compatible", "breaking"],
  [
    "another format",
    { ...text, format: "date" },
    { ...text, format: "byte" },
    "format-changed",
    "breaking",
    "breaking",
  ],
  ["a larger format", number, { ...number, format: "int64" }, "format-widened", "compatible", "breaking"],
  ["a smaller format", { ...number, format: "int64" }, number, "format-narrowed", "breaking", "compatible"],
  [
    "another name for a format",
    { ...text, format: "date-time" },
    { ...text, format: "google-datetime" },
    "format-changed",
    "noise",
    "noise",
  ],
  ["a pattern", text, { ...text, pattern: "a+" }, "pattern-narrowed", "breaking", "compatible"],
  ["no pattern", { ...text, pattern: "a+" }, text, "pattern-widened", "compatible", "compatible"],
  [
    "a narrower pattern",
    { ...text, pattern: "a*" },
    { ...text, pattern: "a+" },
    "pattern-narrowed",
    "breaking",
    "compatible",
  ],
  [
    "a wider pattern",
    { ...text, pattern: "a+" },
    { ...text, pattern: "a*" },
    "pattern-widened",
    "compatible",
    "compatible",
  ],
  [
    "another pattern",
    { ...text, pattern: "a" },
    { ...text, pattern: "b" },
    "pattern-changed",
    "breaking",
    "compatible",
  ],
  ["the pattern anchored", { ...text, pattern: "a" }, { ...text, pattern: "^a$" }, "pattern-changed", "noise", "noise"],
  ["a list of values", text, { ...text, enum: ["A"] }, "enum-narrowed", "breaking", "compatible"],
  ["no list of values", { ...text, enum: ["A"] }, text, "enum-widened", "compatible", "compatible"],
  [
    "one value less",
    { ...text, enum: ["A", "B"] },
    { ...text, enum: ["A"] },
    "enum-value-removed",
    "breaking",
    "breaking",
  ],
  [
    "one value more",
    { ...text, enum: ["A"] },
    { ...text, enum: ["B", "A"] },
    "enum-value-added",
    "compatible",
    "compatible",
  ],
  ["values in another order", { ...text, enum: ["A", "B"] }, { ...text, enum: ["B", "A"] }, "", "", ""],
  ["a minimum", number, { ...number, minimum: "1" }, "minimum-narrowed", "breaking", "compatible"],
  ["no minimum", { ...number, minimum: "1" }, number, "minimum-widened", "compatible", "compatible"],
  [
    "a larger minimum",
    { ...number, minimum: "1" },
    { ...number, minimum: "2" },
    "minimum-narrowed",
    "breaking",
    "compatible",
  ],
  [
    "a smaller minimum",
    { ...number, minimum: "2" },
    { ...number, minimum: "1" },
    "minimum-widened",
    "compatible",
    "compatible",
  ],
  ["a maximum", number, { ...number, maximum: "9" }, "maximum-narrowed", "breaking", "compatible"],
  ["no maximum", { ...number, maximum: "9" }, number, "maximum-widened", "compatible", "compatible"],
  [
    "a smaller maximum",
    { ...number, maximum: "9" },
    { ...number, maximum: "8" },
    "maximum-narrowed",
    "breaking",
    "compatible",
  ],
  [
    "a larger maximum",
    { ...number, maximum: "9" },
    { ...number, maximum: "10" },
    "maximum-widened",
    "compatible",
    "compatible",
  ],
  [
    "a larger maximum beyond what a double holds",
    { ...number, maximum: "9007199254740992" },
    { ...number, maximum: "9007199254740993" },
    "maximum-widened",
    "compatible",
    "compatible",
  ],
  [
    "the maximum in other digits",
    { ...number, maximum: "9" },
    { ...number, maximum: "9.0" },
    "maximum-changed",
    "noise",
    "noise",
  ],
  [
    "a maximum that is not a number",
    { ...number, maximum: "9" },
    { ...number, maximum: "?" },
    "maximum-changed",
    "breaking",
    "compatible",
  ],
  [
    "another default",
    { ...text, default: "a" },
    { ...text, default: "b" },
    "default-changed",
    "breaking",
    "compatible",
  ],
  ["a default", text, { ...text, default: "b" }, "default-changed", "compatible", "compatible"],
  ["no default", { ...text, default: "a" }, text, "default-changed", "compatible", "compatible"],
  ["deprecated", text, { ...text, deprecated: true }, "deprecation-gained", "compatible", "compatible"],
  ["deprecated no longer", { ...text, deprecated: true }, text, "deprecation-lost", "compatible", "compatible"],
  ["explicitly not deprecated", text, { ...text, deprecated: false }, "", "", ""],
  [
    "other words",
    { ...text, description: "a" },
    { ...text, description: "b" },
    "description-changed",
    "noise",
    "noise",
  ],
  ["an unknown field", text, { ...text, variant: { a: [1] } }, "field-changed", "noise", "noise"],
  ["an unknown field gone", { ...text, variant: { a: [1] } }, text, "field-changed", "noise", "noise"],
  ["an unknown field in another order", { variant: { a: 1, b: 2 } }, { variant: { b: 2, a: 1 } }, "", "", ""],
])("the values that a property allows %s", (_, before, after, kind, sent, received) => {
  const inOrder = ["breaking", "compatible", "noise"];
  const expected = [`${sent} ${kind} Sent.x`, `${received} ${kind} Received.x`].sort(
    (a, b) => inOrder.indexOf(a.split(" ")[0]!) - inOrder.indexOf(b.split(" ")[0]!) || (a.endsWith("Sent.x") ? 1 : -1),
  );

  expect(differences(around(before), around(after))).toEqual(kind === "" ? [] : expected);
});

test("move with their notes, in any order", () => {
  const before = { enum: ["A", "B"], enumDescriptions: ["First.", "Second."], enumDeprecated: [false, true] };
  const after = { enum: ["B", "C", "A"], enumDescriptions: ["Second.", "Third.", "First."], enumDeprecated: [true] };
  const moved = withSchemas({ Sent: { type: "string", ...before } });

  expect(differences(moved, withSchemas({ Sent: { type: "string", ...after } }))).toEqual([
    "compatible enum-value-added Sent",
  ]);
});

test("may become deprecated, and no longer deprecated", () => {
  const before = withSchemas({ Sent: { type: "string", enum: ["A", "B"], enumDeprecated: [false, true] } });
  const after = withSchemas({ Sent: { type: "string", enum: ["A", "B"], enumDeprecated: [true, false] } });

  expect(differences(before, after)).toEqual([
    "compatible deprecation-gained Sent=A",
    "compatible deprecation-lost Sent=B",
  ]);
});

test("reports the previous value, the new value, and the methods that send and receive it", () => {
  const before = withSchemas({ Sent: { type: "string", enum: ["OPEN", "SHUT"], description: "State." } });
  const after = withSchemas({ Sent: { type: "string", enum: ["OPEN"], description: "The state." } });

  expect(compareDescriptions(before, after)).toEqual({
    from: { id: "shop:v1", revision: undefined },
    to: { id: "shop:v1", revision: undefined },
    changes: [
      {
        kind: "enum-value-removed",
        class: "breaking",
        subject: "Sent",
        before: "SHUT",
        message: "'Sent' has no value 'SHUT' any longer",
        reaches: { request: ["shop.carts.put"], response: [] },
      },
      {
        kind: "description-changed",
        class: "noise",
        subject: "Sent",
        before: "State.",
        after: "The state.",
        message: "'Sent' is described in other words",
        reaches: { request: ["shop.carts.put"], response: [] },
      },
    ],
    breaking: 1,
    compatible: 0,
    noise: 1,
    findings: [],
  });
});
