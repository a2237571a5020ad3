import { compareHostnames } from "../../hostnames";
import { escapeUnsafe } from "../../text/quote";
import type { MigrationSpec } from "../spec";
import { yaml } from "./tree";

/** Content at the top of a document. */
export interface WriteOptions {
  /**
   * Location of the schema for editors: a path from the document's folder, or a URL.
   *
   * @default "./node_modules/cdktf-google-cert-migration/dist/plan/migration.schema.json"
   */
  readonly schema?: string;

  /**
   * Comment lines at the top, below the line that names the schema. Each line is escaped, so that untrusted text is
   * safe.
   *
   * @default - the purpose of the document, and that wildcards need quotes
   */
  readonly comment?: readonly string[];
}

const SCHEMA = "./node_modules/cdktf-google-cert-migration/dist/plan/migration.schema.json";

const COMMENT: readonly string[] = [
  "What is migrated to Google Cloud, and how. Names that begin with '*' need quotes.",
  "The schema lists the allowed members.",
];

/** The part of the published schema that defines the order of properties. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/**
 * Writes a migration spec as YAML that {@link parseMigrationDocument} reads back as the same spec. The same spec always
 * gives the same bytes: properties are in the order of the schema, and user-defined names in the order of their code
 * units. Text that YAML 1.1 would read as another type (`yes`, `1:30`) is quoted, so that older readers get the same
 * value.
 */
export function writeMigrationDocument(spec: MigrationSpec, options: WriteOptions = {}): string {
  const { Document } = yaml();
  const schema = require("../migration.schema.json") as Schema;
  const document = new Document(ordered(spec, schema, schema.definitions ?? {}), {
    aliasDuplicateObjects: false,
    compat: "yaml-1.1",
  });
  const comment = [`yaml-language-server: $schema=${options.schema ?? SCHEMA}`, ...(options.comment ?? COMMENT)];
  const header = comment.map((line) => `# ${escapeUnsafe(line)}`.trimEnd()).join("\n");
  return `${header}\n\n${document.toString({ lineWidth: 0 })}`;
}

/**
 * Returns a copy with keys in the order of the schema. Keys that the schema does not name are in the order of their
 * code units; undefined values are left out.
 */
function ordered(value: unknown, schema: Schema, definitions: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => ordered(item, itemSchema(schema, definitions), definitions));
  if (typeof value !== "object" || value === null) return value;
  const properties = propertiesOf(schema, definitions);
  const rank = new Map(Object.keys(properties).map((key, index) => [key, index]));
  const last = rank.size;
  const others = additionalOf(schema, definitions);
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (rank.get(a) ?? last) - (rank.get(b) ?? last) || compareHostnames(a, b))
    .map(([key, item]) => [key, ordered(item, properties[key] ?? others, definitions)] as const);
  return new Map(entries);
}

/** Returns a schema and all schemas that apply to the same value, by reference, by condition or by `allOf`. */
function alternatives(schema: Schema, definitions: Readonly<Record<string, Schema>>): readonly Schema[] {
  const target = schema.$ref === undefined ? undefined : definitions[schema.$ref.replace("#/definitions/", "")];
  const next = [target, schema.then, schema.else, ...(schema.allOf ?? [])].filter(
    (schemaPart) => schemaPart !== undefined,
  );
  return [schema, ...next.flatMap((branch) => alternatives(branch, definitions))];
}

function propertiesOf(schema: Schema, definitions: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...alternatives(schema, definitions).map((alternative) => alternative.properties ?? {}));
}

function itemSchema(schema: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  return alternatives(schema, definitions).find((alternative) => alternative.items !== undefined)?.items ?? {};
}

function additionalOf(schema: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  for (const { additionalProperties } of alternatives(schema, definitions)) {
    if (typeof additionalProperties === "object") return additionalProperties;
  }
  return {};
}
