import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptedForms, type ReferenceForm, textPattern } from "../../lib/plan/shape/reference";

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
  /** Names of the interfaces that it extends. */
  readonly bases: readonly string[];
  readonly members: Member[];
}

type Json = { readonly [key: string]: unknown };

const files = ["spec.ts", "spec-alerts.ts", "spec-certificates.ts", "spec-load-balancer.ts", "spec-traffic.ts"];

/** Returns the text of the types of a migration spec. */
export function specText(): string {
  return files.map(planText).join("\n");
}

/**
 * Returns `migration.schema.json`: the types of a migration spec as JSON Schema, for editors and for the checks of
 * `migration.yaml`.
 *
 * Generators on npm bring their own compiler and write unions as `anyOf`, whose errors name no branch. Conditions name
 * the branch, and keep the message of each mistake.
 *
 * Ranges come from the tags `@minimum`, `@maximum` and `@minItems`, and the references that a text accepts from the tag
 * `@reference`.
 */
export function migrationSchema(): string {
  return schemaOf(readDeclarations(specText()), "MigrationSpec");
}

/**
 * Returns `props.schema.json` of `AdminChangeAlerts`. Constructs and the names of events are text in it: constructs are
 * replaced by their references before the check, and the catalogue has the names.
 */
export function alertsSchema(): string {
  const text = constructText("admin-change-alerts/props.ts");
  const asText = text.replace("string | LoggingProjectBucketConfig", "string").replace("AdminChange[]", "string[]");
  return schemaOf(readDeclarations(asText), "AdminChangeAlertsProps");
}

/** Returns `props.schema.json` of `CertificateAlerts`, without migrations and provider, which are constructs. */
export function certificateAlertsSchema(): string {
  const [, props = ""] = constructText("certificate-alerts/props.ts").split(/(?=\/\*\* Props of )/);
  const text = props.replace(/ {2}readonly (?:migrations|provider)\??: [^;]*;/g, "");
  return schemaOf(readDeclarations(`${planText("spec-alerts.ts")}\n${text}`), "CertificateAlertsProps");
}

/** Returns `gate-props.schema.json` of `CommandGate`, in which constructs are text, as above. */
export function gateSchema(): string {
  const asText = constructText("gate-props.ts").replace(/readonly \(string \| [^()]*\)\[\]/, "readonly string[]");
  return schemaOf(readDeclarations(asText), "CommandGateProps");
}

function planText(name: string): string {
  return readFileSync(join(__dirname, "../../lib/plan", name), "utf8");
}

function constructText(path: string): string {
  return readFileSync(join(__dirname, "../../lib/constructs", path), "utf8");
}

function schemaOf(declarations: Declarations, root: string): string {
  const bases = new Set([...declarations.values()].flatMap((declaration) => declaration.bases));
  const types = [...declarations.values()].flatMap(({ alias, members }) => [alias, ...members.map(({ type }) => type)]);
  const isUsed = (name: string) => types.some((type) => new RegExp(`\\b${name}\\b`).test(type ?? ""));
  const whole = [...declarations].filter(([name]) => !bases.has(name) || isUsed(name));
  const definitions = whole.map(([name, declaration]): readonly [string, Json] => [
    name,
    {
      title: titleOf(name),
      description: described(declaration.comment).description,
      ...(declaration.alias === undefined
        ? objectSchema(declaration, declarations)
        : aliasSchema(declaration.alias, declarations)),
    },
  ]);
  const { [root]: top, ...others } = Object.fromEntries(definitions);
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...top,
    definitions: { ...others, ...textDefinitions() },
  };
  return `${withShortLists(JSON.stringify(schema, null, 2))}\n`;
}

/** Reads interfaces and types with their comments. The files contain only plain declarations. */
export function readDeclarations(text: string): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  let comment = "";
  let members: Member[] = [];
  const parts =
    /\/\*\*(?<comment>.*?)\*\/|export interface (?<name>\w+)(?:\s+extends (?<bases>[\w,\s]+?))? \{|export type (?<alias>\w+) =(?<union>[^;]*);|^ {2}readonly (?<member>\w+)(?<optional>\??): (?<type>[^;]*);/gms;
  for (const { groups = {} } of text.matchAll(parts)) {
    if (groups.comment !== undefined) {
      comment = groups.comment;
      continue;
    }
    const { name, alias, member } = groups;
    const bases = (groups.bases ?? "").split(/[,\s]+/).filter((base) => base !== "");
    if (name !== undefined) {
      members = [];
      declarations.set(name, { comment, bases, members });
    } else if (alias !== undefined) {
      declarations.set(alias, { comment, alias: onOneLine(groups.union ?? ""), bases, members: [] });
    } else if (member !== undefined) {
      const type = onOneLine(groups.type ?? "");
      members.push({ name: member, isOptional: groups.optional === "?", type, comment });
    }
    comment = "";
  }
  return declarations;
}

type Declarations = ReadonlyMap<string, Declaration>;

/** Properties at the beginning of documents; all others follow in the order of their declaration. */
const leadingProperties = ["kind", "name", "id", "domains", "certificates", "dns", "loadBalancer"];

/** Returns the members of an interface, then the members of the interfaces that it extends. */
function membersOf({ members, bases }: Declaration, declarations: Declarations): readonly Member[] {
  const inherited = bases.map((name) => {
    const base = declarations.get(name);
    if (base === undefined) throw new Error(`the interface ${name} is not in the files of the description`);
    return base;
  });
  return [...members, ...inherited.flatMap((base) => membersOf(base, declarations))];
}

function objectSchema(declaration: Declaration, declarations: Declarations): Json {
  const rank = ({ name }: Member) => leadingProperties.indexOf(name) + 1 || leadingProperties.length + 1;
  const all = membersOf(declaration, declarations);
  const members = declaration.bases.length === 0 ? all : [...all].sort((a, b) => rank(a) - rank(b));
  const required = members.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const properties = members.map(({ name, type, comment }): readonly [string, Json] => [
    name,
    {
      ...described(comment),
      ...withNull(withTextPattern(typeSchema(type, name), formsOf(comment)), comment),
      ...limitsOf(comment),
    },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Adds `null`, with which documents of earlier versions state that there is no value, to members with `@nullable`. */
function withNull(schema: Json, comment: string): Json {
  if (!/@nullable\b/.test(comment)) return schema;
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, "null"] };
}

/** Returns the schema of a union of words, or of interfaces. */
function aliasSchema(alias: string, declarations: Declarations): Json {
  const words = alias
    .replace(/^\| /, "")
    .split(" | ")
    .filter((word) => word !== "");
  if (words.every((word) => word.startsWith('"'))) return { enum: words.map((word): unknown => JSON.parse(word)) };
  const branches = words.map((name) => ({ ref: refTo(name), members: declarations.get(name)?.members ?? [] }));
  const discriminator = branches[0]?.members.find(({ type }) => type.startsWith('"'));
  if (discriminator === undefined) return choiceByProperty(branches);
  const { name } = discriminator;
  const known = branches.flatMap(({ ref, members }) => {
    const member = members.find((candidate) => candidate.name === name);
    return member === undefined ? [] : [{ ref, comment: member.comment, word: JSON.parse(member.type) as string }];
  });
  // A branch without the discriminator is for values that lack it.
  const without = branches.find(({ members }) => members.every((member) => member.name !== name));
  const description = known.map(({ word, comment }) => `\`${word}\`: ${described(comment).description}`);
  const byWord = known.map(({ ref, word }) => when({ required: [name], properties: { [name]: { const: word } } }, ref));
  return {
    type: "object",
    properties: { [name]: { description: description.join(" "), enum: known.map(({ word }) => word) } },
    ...(without === undefined ? { required: [name] } : {}),
    allOf: [...byWord, ...(without === undefined ? [] : [{ if: { required: [name] }, else: without.ref }])],
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
  const record = /^\{ readonly \[\w+: string\]: (.*) \}$/.exec(type)?.[1];
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
  const [text = "", ...tags] = plain.split(/(?:^|\s+)@(?=[a-zA-Z]+(?:\s|$))/);
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

/** Returns the forms of references in a member's tag; undefined for `checked`, a text that the code checks itself. */
function formsOf(comment: string): readonly ReferenceForm[] | undefined {
  const tag = /@reference ([a-z, ]+)/.exec(comment)?.[1] ?? "";
  if (tag.trim() === "checked") return undefined;
  return tag.split(",").flatMap((form) => (form.trim() === "" ? [] : [form.trim() as ReferenceForm]));
}

/** Returns the definition of texts in each combination of forms that a field uses. */
function textDefinitions(): Json {
  const used = [[], ["id"], ["variables"], ["whole"], ["id", "variables"]] as const;
  return Object.fromEntries(
    used.map((forms) => {
      const name = textDefinition(forms);
      const accepted = forms.map((form) => acceptedForms[form]);
      const description =
        accepted.length === 0
          ? "Text without references. Write `$${` and `%%{` for the characters `${` and `%{`."
          : `Text, or ${accepted.join(", or ")}.`;
      return [name, { title: titleOf(name), description, pattern: textPattern(forms) }];
    }),
  );
}

/** Returns the name of the definition for some forms, for example `TextWithIdOrVariables`. */
function textDefinition(forms: readonly ReferenceForm[]): string {
  const words = forms.map((form) => form.charAt(0).toUpperCase() + form.slice(1));
  return `Text${words.length === 0 ? "" : `With${words.join("Or")}`}`;
}

/** Adds the pattern of texts to the schema of a text, of a list of texts, and of a mapping to texts. */
function withTextPattern(schema: Json, accepted: readonly ReferenceForm[] | undefined): Json {
  if (accepted === undefined) return schema;
  const inner = (key: "items" | "additionalProperties") =>
    typeof schema[key] === "object" ? { [key]: withTextPattern(schema[key] as Json, accepted) } : {};
  const isText = [schema.type].flat().includes("string") && schema.enum === undefined && !isWord(schema);
  return {
    ...schema,
    ...inner("items"),
    ...inner("additionalProperties"),
    ...(isText ? { allOf: [refTo(textDefinition(accepted))] } : {}),
  };
}

/** Returns whether the texts of a schema are a single word, as in `"all" | readonly string[]`. */
function isWord(schema: Json): boolean {
  const { then } = schema as { readonly then?: { readonly const?: unknown } };
  return then?.const !== undefined;
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
