import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly required?: readonly string[];
}

const folder = join(__dirname, "../../../lib/plan");
const schema = JSON.parse(readFileSync(join(folder, "migration.schema.json"), "utf8")) as Schema & {
  readonly definitions: Readonly<Record<string, Schema>>;
};
const definitions: Readonly<Record<string, Schema>> = { ...schema.definitions, MigrationSpec: schema };

interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  /** The literal that a `@default` begins with. */
  readonly default?: unknown;
}

const specText = ["spec.ts", "spec-load-balancer.ts", "spec-traffic.ts"]
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");

/** The interfaces and types of `spec.ts` and what it hands on, read from their text: types are gone at run time. */
function readSpec(): { readonly interfaces: Map<string, readonly Member[]>; readonly types: Map<string, string> } {
  const interfaces = new Map<string, Member[]>();
  const types = new Map<string, string>();
  let comment = "";
  let members: Member[] = [];
  const parts =
    /\/\*\*(?<comment>.*?)\*\/|export interface (?<name>\w+) \{|export type (?<alias>\w+) =(?<union>[^;]*);|^ {2}readonly (?<member>\w+)(?<optional>\??): (?<type>[^;]*);/gms;
  for (const { groups = {} } of specText.matchAll(parts)) {
    if (groups.comment !== undefined) {
      comment = groups.comment;
      continue;
    }
    if (groups.name !== undefined) {
      members = [];
      interfaces.set(groups.name, members);
    } else if (groups.alias !== undefined) {
      types.set(groups.alias, groups.union!.replace(/\s+/g, " ").trim());
    } else {
      const literal = /@default ("[^"]*"|\d+|true|false)/.exec(comment)?.[1];
      members.push({
        name: groups.member!,
        optional: groups.optional === "?",
        type: groups.type!.replace(/\s+/g, " ").trim(),
        ...(literal === undefined ? {} : { default: JSON.parse(literal) }),
      });
    }
    comment = "";
  }
  return { interfaces, types };
}

const { interfaces, types } = readSpec();
const members = [...interfaces].flatMap(([owner, list]) => list.map((member) => [owner, member.name, member] as const));

function expectedKind(word: string): Schema["type"] {
  return word === "null" ? "null" : expectedShape(word).type;
}

/** What a TypeScript type looks like in the schema, as far as a property alone shows it. */
function expectedShape(type: string): Schema {
  const record = /^Readonly<Record<string, (.*)>>$/.exec(type)?.[1];
  if (record !== undefined) return { type: "object", additionalProperties: expectedShape(record) };
  const words = type.split(" | ").filter((word) => word !== "");
  if (words.every((word) => word === "null" || word.startsWith('"'))) {
    const values = words.map((word): unknown => JSON.parse(word));
    return values.length === 1 ? { const: values[0] } : { enum: values };
  }
  if (words.length > 1) {
    const kinds = words.map((word) => (word.startsWith('"') ? "string" : (expectedKind(word) ?? "object")));
    const list = words.find((word) => word.startsWith("readonly "));
    return { type: kinds.flat(), ...(list === undefined ? {} : { items: expectedShape(list).items! }) };
  }
  const item = /^readonly (\w+)\[\]$/.exec(type)?.[1];
  if (item !== undefined) return { type: "array", items: expectedShape(item) };
  if (type === "number") return { type: "integer" };
  if (type === "string" || type === "boolean") return { type };
  return { $ref: `#/definitions/${type}` };
}

/** A schema without what says more than a TypeScript type can. */
function shapeOf({ $ref, type, enum: words, const: word, items, additionalProperties }: Schema): Schema {
  return {
    ...($ref === undefined ? {} : { $ref }),
    ...(type === undefined ? {} : { type }),
    ...(words === undefined ? {} : { enum: words }),
    ...(word === undefined ? {} : { const: word }),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: additionalProperties && shapeOf(additionalProperties) }),
  };
}

test("the reader of spec.ts sees all of it", () => {
  expect(interfaces.size + types.size).toBe(specText.match(/^export (?:interface|type \w)/gm)?.length);
  expect(members.length).toBe(specText.match(/^ {2}readonly /gm)?.length);
});

test("the schema defines what spec.ts exports, and nothing else", () => {
  expect(Object.keys(definitions).sort()).toEqual([...interfaces.keys(), ...types.keys()].sort());
});

test.each([...interfaces])("%s has the same properties in the schema, the same of them required", (name, list) => {
  expect(Object.keys(definitions[name]?.properties ?? {})).toEqual(list.map((member) => member.name));
  expect(definitions[name]?.required ?? []).toEqual(
    list.filter(({ optional }) => !optional).map((member) => member.name),
  );
  expect(definitions[name]?.additionalProperties).toBe(false);
});

test.each(members)("%s.%s has the same type and default in the schema", (owner, name, member) => {
  const property = definitions[owner]?.properties?.[name] ?? {};

  expect(shapeOf(property)).toEqual(expectedShape(member.type));
  expect(property.default).toEqual(member.default);
});

test.each([...types].filter(([, union]) => union.includes('"')))("%s allows the same words", (name, union) => {
  expect(shapeOf(definitions[name] ?? {})).toEqual(expectedShape(union));
});

test.each([
  ["DnsSpec", ["CloudDnsSpec", "ExternalDnsSpec"]],
  ["PreviousRecords", ["PreviousAlias", "PreviousAddresses"]],
])("%s is one of %j", (name, parts) => {
  expect(JSON.stringify(definitions[name]).match(/(?<=#\/definitions\/)\w+/g)).toEqual(parts);
  expect(types.get(name)?.split(" | ").sort()).toEqual([...parts].sort());
});

test.each(Object.entries(definitions))("editors show a title and a description for %s and its properties", (_, one) => {
  expect(one.title).toMatch(/^\S.*\S$/);
  expect(one.description).toMatch(/[.:`]/);
  for (const property of Object.values(one.properties ?? {})) expect(property.description).toMatch(/^.+[.]$/ms);
});

test("the schema is valid as draft-07 and strict about types", () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });

  expect(ajv.validateSchema(schema)).toBe(true);
  expect(ajv.compile(schema)).toBeInstanceOf(Function);
});
