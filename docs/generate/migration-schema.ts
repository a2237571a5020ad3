import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  readonly comment: string;
}

interface Declaration {
  readonly comment: string;
  /** The text of a type alias; absent for an interface. */
  readonly alias?: string;
  readonly members: Member[];
}

type Json = { readonly [key: string]: unknown };

const files = ["spec.ts", "spec-load-balancer.ts", "spec-traffic.ts"];

/** Returns the text of the types of a migration spec. */
export function specText(): string {
  return files.map((name) => readFileSync(join(__dirname, "../../lib/plan", name), "utf8")).join("\n");
}

/**
 * Returns `migration.schema.json`: the types of a migration spec as JSON Schema, for editors and for the checks of
 * `migration.yaml`.
 *
 * Generators on npm bring their own compiler and write unions as `anyOf`, whose errors name no branch. Conditions name
 * the branch, and keep the message of each mistake.
 *
 * Ranges come from the tags `@minimum`, `@maximum` and `@minItems`.
 */
export function migrationSchema(): string {
  const declarations = readDeclarations(specText());
  const definitions = [...declarations].map(([name, declaration]): readonly [string, Json] => [
    name,
    {
      title: titleOf(name),
      description: described(declaration.comment).description,
      ...(declaration.alias === undefined ? objectSchema(declaration) : aliasSchema(declaration.alias, declarations)),
    },
  ]);
  const { MigrationSpec, ...others } = Object.fromEntries(definitions);
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", ...MigrationSpec, definitions: others };
  return `${withShortLists(JSON.stringify(schema, null, 2))}\n`;
}

/** Reads interfaces and types with their comments. The files contain only plain declarations. */
export function readDeclarations(text: string): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  let comment = "";
  let members: Member[] = [];
  const parts =
    /\/\*\*(?<comment>.*?)\*\/|export interface (?<name>\w+) \{|export type (?<alias>\w+) =(?<union>[^;]*);|^ {2}readonly (?<member>\w+)(?<optional>\??): (?<type>[^;]*);/gms;
  for (const { groups = {} } of text.matchAll(parts)) {
    if (groups.comment !== undefined) {
      comment = groups.comment;
      continue;
    }
    const { name, alias, member } = groups;
    if (name !== undefined) {
      members = [];
      declarations.set(name, { comment, members });
    } else if (alias !== undefined) {
      declarations.set(alias, { comment, alias: onOneLine(groups.union ?? ""), members: [] });
    } else if (member !== undefined) {
      const type = onOneLine(groups.type ?? "");
      members.push({ name: member, isOptional: groups.optional === "?", type, comment });
    }
    comment = "";
  }
  return declarations;
}

type Declarations = ReadonlyMap<string, Declaration>;

function objectSchema({ members }: Declaration): Json {
  const required = members.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const properties = members.map(({ name, type, comment }): readonly [string, Json] => [
    name,
    { ...described(comment), ...typeSchema(type, name), ...limitsOf(comment) },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the schema of a union of words, or of interfaces. */
function aliasSchema(alias: string, declarations: Declarations): Json {
  const words = alias.split(" | ").filter((word) => word !== "");
  if (words.every((word) => word.startsWith('"'))) return { enum: words.map((word): unknown => JSON.parse(word)) };
  const branches = words.map((name) => ({ ref: refTo(name), members: declarations.get(name)?.members ?? [] }));
  const discriminator = branches[0]?.members.find(({ type }) => type.startsWith('"'));
  if (discriminator === undefined) return choiceByProperty(branches);
  const { name } = discriminator;
  const values = branches.map(({ members }) => JSON.parse(members.find((one) => one.name === name)?.type ?? "null"));
  const properties = branches.map(({ members }) => members.find((one) => one.name === name)?.comment ?? "");
  const description = values.map((value, index) => `\`${value}\`: ${described(properties[index] ?? "").description}`);
  return {
    type: "object",
    properties: { [name]: { description: description.join(" "), enum: values } },
    required: [name],
    allOf: branches.map(({ ref }, index) =>
      when({ required: [name], properties: { [name]: { const: values[index] } } }, ref),
    ),
  };
}

/** Returns the schema of two interfaces, of which only one requires a property. */
function choiceByProperty(branches: readonly { readonly ref: Json; readonly members: readonly Member[] }[]): Json {
  const requiring = branches.find(({ members }) => members.some(({ isOptional }) => !isOptional));
  const other = branches.find((branch) => branch !== requiring);
  const property = requiring?.members.find(({ isOptional }) => !isOptional);
  if (property === undefined || other === undefined || branches.length !== 2)
    throw new Error("a union of interfaces needs a member with a literal type, or one required property in one of two");
  return { type: "object", ...when({ required: [property.name] }, requiring?.ref, other.ref) };
}

/** Returns the schema of a member's type. @param name name of the member, for messages */
export function typeSchema(type: string, name = ""): Json {
  const record = /^Readonly<Record<string, (.*)>>$/.exec(type)?.[1];
  if (record !== undefined) return { type: "object", additionalProperties: typeSchema(record, name) };
  const words = type.split(" | ").filter((word) => word !== "");
  if (words.every((word) => word === "null" || word.startsWith('"'))) {
    const values = words.map((word): unknown => JSON.parse(word));
    return values.length === 1 ? { const: values[0] } : { enum: values };
  }
  if (words.length > 1) return unionSchema(words, name);
  const item = /^readonly (\w+)\[\]$/.exec(type)?.[1];
  if (item !== undefined) return { type: "array", items: typeSchema(item, name) };
  if (type === "number") return { type: "integer" };
  return type === "string" || type === "boolean" ? { type } : refTo(type);
}

/** Returns the schema of a union whose parts have different JSON types. */
function unionSchema(words: readonly string[], name: string): Json {
  const list = words.find((word) => word.startsWith("readonly "));
  const [condition] = words.flatMap((word): Json[] => {
    if (word.startsWith('"'))
      return [when({ type: "string" }, { description: `a list of ${name}`, const: JSON.parse(word) })];
    return jsonTypeOf(word) === undefined ? [when({ type: "object" }, refTo(word))] : [];
  });
  return {
    type: words.map((word) => jsonTypeOf(word) ?? "object"),
    ...(list === undefined ? {} : { items: typeSchema(list).items }),
    ...condition,
  };
}

/** Returns the JSON type of a part of a union; undefined for an interface. */
function jsonTypeOf(word: string): unknown {
  if (word === "null") return "null";
  return word.startsWith('"') ? "string" : typeSchema(word).type;
}

function when(condition: Json, schema: Json | undefined, otherwise?: Json): Json {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: condition, then: schema, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

function refTo(name: string): Json {
  return { $ref: `#/definitions/${name}` };
}

/** Returns description and default of a doc comment. A default in words becomes a part of the description. */
function described(comment: string): { readonly description: string; readonly default?: unknown } {
  const plain = comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .trim();
  const [text = "", ...tags] = plain.split(/(?:^|\s+)@(?=[a-zA-Z]+\s)/);
  const given = tags.find((tag) => tag.startsWith("default "))?.slice("default ".length);
  const literal = /^(?:"[^"]*"|\d+|true|false)/.exec(given ?? "")?.[0];
  const byDefault =
    literal === undefined && given !== undefined ? `Default: ${onOneLine(given).replace(/^- /, "")}.` : "";
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.trim().replace(/\n(?!- )\s*/g, " "));
  return {
    description: [...paragraphs, byDefault].filter((paragraph) => paragraph !== "").join("\n\n"),
    ...(literal === undefined ? {} : { default: JSON.parse(literal) }),
  };
}

function limitsOf(comment: string): Json {
  return Object.fromEntries(
    [...comment.matchAll(/@(minimum|maximum|minItems) (\d+)/g)].map(([, name = "", value]) => [name, Number(value)]),
  );
}

/** Returns the words of a type's name, for example `New Target HTTPS Proxy` for `NewTargetHttpsProxySpec`. */
function titleOf(name: string): string {
  return name
    .replace(/Spec$/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .replace(/\b(?:Dns|Https|Ssl)\b/g, (word) => word.toUpperCase());
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Writes lists of words on one line, as the formatter does. */
function withShortLists(json: string): string {
  return json.replace(
    /^( *)(.*)\[\n([^[\]{}]*?)\n\s*\](,?)$/gm,
    (whole, indent: string, before: string, items: string, comma: string) => {
      const line = `${indent}${before}[${onOneLine(items)}]${comma}`;
      return line.length <= 120 ? line : whole;
    },
  );
}
