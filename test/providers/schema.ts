import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cloudKinds, dataKinds, keptRows } from "../../lib/terraform-provider/resources";
import { run } from "./run-stacks";

interface SchemaAttribute {
  /** In the form in which Terraform writes types as JSON. */
  readonly type?: unknown;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly write_only?: boolean;
}

export interface SchemaBlock {
  readonly attributes?: Readonly<Record<string, SchemaAttribute>>;
  readonly block_types?: Readonly<Record<string, SchemaNested>>;
}

export interface SchemaNested {
  readonly nesting_mode: string;
  readonly block: SchemaBlock;
  readonly min_items?: number;
  readonly max_items?: number;
}

export interface SchemaEntry {
  readonly version?: number;
  readonly block: SchemaBlock;
}

/** The types that we use, of a provider's schema. */
export interface ProviderSchema {
  readonly resources: Readonly<Record<string, SchemaEntry>>;
  readonly data: Readonly<Record<string, SchemaEntry>>;
}

interface SchemaOutput {
  readonly provider_schemas: Readonly<
    Record<
      string,
      {
        readonly resource_schemas: Readonly<Record<string, SchemaEntry>>;
        readonly data_source_schemas: Readonly<Record<string, SchemaEntry>>;
      }
    >
  >;
}

/** Asks a provider of a mirror for its schema, without descriptions. */
export async function readProviderSchema(mirror: string, version: string): Promise<ProviderSchema> {
  const folder = await mkdtemp(join(tmpdir(), "provider-schema-"));
  try {
    const terraform = { required_providers: { google: { source: "hashicorp/google", version } } };
    await writeFile(join(folder, "stack.tf.json"), JSON.stringify({ terraform }));
    await run(folder, ["init", "-input=false", "-no-color", `-plugin-dir=${resolve(mirror)}`], {});
    const output = JSON.parse(await run(folder, ["providers", "schema", "-json"], {})) as SchemaOutput;
    const schemas = Object.values(output.provider_schemas)[0];
    if (schemas === undefined) throw new Error("the provider has no schema");
    const types = [...cloudKinds, ...keptRows].map(({ type }) => type);
    return {
      resources: pick(schemas.resource_schemas, types),
      data: pick(
        schemas.data_source_schemas,
        dataKinds.map(({ type }) => type),
      ),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pick(
  schemas: Readonly<Record<string, SchemaEntry>>,
  types: readonly string[],
): Readonly<Record<string, SchemaEntry>> {
  const found = [...types].sort().flatMap((type) => {
    const schema = schemas[type];
    return schema === undefined ? [] : [[type, withoutDescriptions(schema) as SchemaEntry] as const];
  });
  return Object.fromEntries(found);
}

/** Descriptions are text of the provider: not recorded. An attribute of that name is an object. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) =>
      !(/^(?:description|description_kind|deprecation_message)$/.test(name) && typeof member === "string"),
  );
  // The type of an attribute may have a member of that name.
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === "type" ? member : withoutDescriptions(member)]),
  );
}
