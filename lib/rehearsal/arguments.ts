/** Arguments of blocks that the provider's schema has, as far as this program knows the schema. */
import type { SchemaBlock } from "../terraform-provider";
import type { Block } from "./stack";

/** Names of Terraform's meta-arguments, which every block accepts. */
const ofTerraform = new Set([
  "//",
  "alias",
  "connection",
  "count",
  "depends_on",
  "dynamic",
  "for_each",
  "lifecycle",
  "provider",
  "provisioner",
  "version",
]);

/**
 * Removes the arguments that the provider's schema does not have, for example those of a newer provider or of
 * `google-beta`. Terraform refuses a block with unknown arguments before it changes anything.
 *
 * @param schema schema of the block; if it is undefined, the block is returned unchanged
 * @returns the block, and the names of the removed arguments, for example `backend.preference`
 */
export function withKnownArguments(
  block: Block,
  schema: SchemaBlock | undefined,
): { readonly kept: Block; readonly unknown: readonly string[] } {
  if (schema === undefined) return { kept: block, unknown: [] };
  const unknown = new Set<string>();
  const kept = keep(block, schema, "", unknown);
  return { kept, unknown: [...unknown] };
}

function keep(block: Block, schema: SchemaBlock, path: string, unknown: Set<string>): Block {
  const members = Object.entries(block).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const nested = schema.blocks.get(name)?.block;
    if (nested !== undefined) return [[name, keepNested(value, nested, `${path}${name}.`, unknown)]];
    if (schema.attributes.has(name) || ofTerraform.has(name)) return [[name, value]];
    unknown.add(`${path}${name}`);
    return [];
  });
  return Object.fromEntries(members);
}

function keepNested(value: unknown, schema: SchemaBlock, path: string, unknown: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => keepNested(item, schema, path, unknown));
  return typeof value === "object" && value !== null ? keep(value as Block, schema, path, unknown) : value;
}
