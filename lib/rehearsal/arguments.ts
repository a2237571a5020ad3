/** Arguments that the provider's schema has, as far as it is known here. */
import type { SchemaBlock } from "../terraform-provider";
import type { Block } from "./stack";

/** Terraform's own, of every block. */
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
 * A block without arguments that its schema does not have, as those of a newer provider or of `google-beta`: Terraform refuses them before it does anything.
 *
 * @param schema undefined where nobody knows it: then all is kept
 * @returns names of what was taken out, as in `backend.preference`
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
