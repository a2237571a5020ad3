import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { migrationSchema, readDeclarations, specText, typeSchema } from "../../../docs/generate/migration-schema";

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const text = readFileSync(join(__dirname, "../../../lib/plan/migration.schema.json"), "utf8");
const schema = JSON.parse(text) as Schema & { readonly definitions: Readonly<Record<string, Schema>> };
const definitions: Readonly<Record<string, Schema>> = { ...schema.definitions, MigrationSpec: schema };

function thenOf(schema: object): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { then: schema };
}

test("generates the schema from the types of a migration spec", () => {
  expect(text).toBe(migrationSchema());
});

test("the generator reads every declaration and member", () => {
  const declarations = readDeclarations(specText());

  expect(declarations.size).toBe(specText().match(/^export (?:interface|type \w)/gm)?.length);
  expect([...declarations.values()].flatMap(({ members }) => members).length).toBe(
    specText().match(/^ {2}readonly /gm)?.length,
  );
  const types = Object.keys(definitions).filter((name) => !/^Text(?:With|$)/.test(name));
  const all = [...declarations.values()];
  const bases = new Set(all.flatMap((declaration) => declaration.bases));
  const used = new Set(all.flatMap(({ members }) => members.map(({ type }) => type)));
  const isDefined = (name: string) => !bases.has(name) || used.has(name);
  expect(types.sort()).toEqual([...declarations.keys()].filter(isDefined).sort());
});

test.each([
  ["string", { type: "string" }],
  ["number", { type: "integer" }],
  ["ZoneSpec", { $ref: "#/definitions/ZoneSpec" }],
  ["readonly string[]", { type: "array", items: { type: "string" } }],
  ["{ readonly [key: string]: boolean }", { type: "object", additionalProperties: { type: "boolean" } }],
  ['"a"', { const: "a" }],
  ['"a" | "b" | null', { enum: ["a", "b", null] }],
  ["string | null", { type: ["string", "null"] }],
  ["string | ZoneSpec", { type: ["string", "object"], if: { type: "object" }, ...thenOf(typeSchema("ZoneSpec")) }],
  [
    '"all" | readonly string[]',
    {
      type: ["string", "array"],
      items: { type: "string" },
      if: { type: "string" },
      ...thenOf({ const: "all", description: "a list of hostnames" }),
    },
  ],
])("converts %s to the right schema", (type, expected) => {
  expect(typeSchema(type, "hostnames")).toEqual(expected);
});

test("converts comments to descriptions, defaults and limits", () => {
  expect(definitions.MigrationSpec?.properties?.gateTimeoutMinutes).toEqual({
    description: expect.stringMatching(/^Timeout of the `wait` gate .* is visible\.$/),
    default: 60,
    type: "integer",
    minimum: 1,
    maximum: 1440,
  });
  expect(definitions.MigrationSpec?.properties?.project?.description).toMatch(
    /\n\nDefault: the project of the Terraform provider\.$/,
  );
  expect(definitions.MigrationSpec?.properties?.certificates).toMatchObject({ minItems: 1 });
  expect(definitions.CloudDnsSpec).toMatchObject({ title: "Cloud DNS", required: ["kind", "zones"] });
});

test.each(Object.entries(definitions))(
  "gives %s and its properties a title and a description for editors",
  (_, one) => {
    expect(one.title).toMatch(/^\S.*\S$/);
    expect(one.description).toMatch(/[.:`]/);
    for (const property of Object.values(one.properties ?? {})) expect(property.description).toMatch(/^.+[.]$/ms);
  },
);

test("has a schema that is valid as draft-07 and strict about types", () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });

  expect(ajv.validateSchema(schema)).toBe(true);
  expect(ajv.compile(schema)).toBeInstanceOf(Function);
});
