import { type AttributeSchema, type BlockSchema, schemaOf } from "./provider-schema";
import type { ResourceBlock, SynthesizedStack } from "./synth";

const metaArguments = new Set(["depends_on", "lifecycle", "provider", "provisioner", "//"]);
const builtin = new Set(["terraform_data"]);

/**
 * Returns the mistakes that `terraform validate` would refuse, based on the schema of the bindings: unknown or missing
 * attributes, wrong types, references to missing resources, empty lists and nulls.
 */
export function mistakesOf(stack: SynthesizedStack): readonly string[] {
  const mistakes: string[] = [];
  for (const [type, resources] of Object.entries(stack.resource ?? {})) {
    for (const [id, block] of Object.entries(resources)) {
      if (!builtin.has(type)) checkBlock(block, schemaOf(type), `${type}.${id}`, mistakes, true);
    }
  }
  const text = JSON.stringify({ ...stack, "//": undefined });
  checkReferences(stack, text, mistakes);
  for (const empty of ["[]", "null", '""']) {
    if (text.includes(`:${empty}`)) mistakes.push(`the stack holds ${empty}`);
  }
  return mistakes;
}

function checkBlock(block: ResourceBlock, schema: BlockSchema, path: string, mistakes: string[], top: boolean): void {
  for (const [name, value] of Object.entries(block)) {
    if (top && metaArguments.has(name)) continue;
    const attribute = schema.attributes.get(name);
    if (attribute === undefined) mistakes.push(`${path}.${name} is unknown`);
    else if (!attribute.optional && !attribute.required) mistakes.push(`${path}.${name} can't be set`);
    else checkValue(value, attribute, `${path}.${name}`, mistakes);
  }
  for (const [name, attribute] of schema.attributes) {
    if (attribute.required && block[name] === undefined) mistakes.push(`${path}.${name} is missing`);
  }
}

function checkValue(value: unknown, { type }: AttributeSchema, path: string, mistakes: string[]): void {
  if (typeof type === "object") {
    const blocks = Array.isArray(value) ? value : [value];
    for (const block of blocks) {
      if (typeof block !== "object" || block === null) mistakes.push(`${path} is not a block`);
      else checkBlock(block as ResourceBlock, type, path, mistakes, false);
    }
    return;
  }
  const fits = {
    string: typeof value === "string",
    number: typeof value === "number",
    bool: typeof value === "boolean",
    list: Array.isArray(value),
    map: typeof value === "object" && !Array.isArray(value),
    unknown: true,
  }[type];
  if (!fits) mistakes.push(`${path} is not a ${type}: ${JSON.stringify(value)}`);
}

/** Checks that every reference and dependency names a resource of the stack and an existing attribute. */
function checkReferences(stack: SynthesizedStack, text: string, mistakes: string[]): void {
  const exists = (type: string, id: string) => stack.resource?.[type]?.[id] !== undefined;
  for (const [, type, id, attribute] of text.matchAll(/\$\{((?:google|terraform)_\w+)\.([\w-]+)\.(\w+)/g)) {
    if (!exists(type as string, id as string)) mistakes.push(`${type}.${id} is referred to and not there`);
    else if (
      !builtin.has(type as string) &&
      attribute !== "id" &&
      !schemaOf(type as string).attributes.has(attribute as string)
    ) {
      mistakes.push(`${type}.${id} has no ${attribute}`);
    }
  }
  const addresses = Object.values(stack.resource ?? {})
    .flatMap((resources) => Object.values(resources))
    .flatMap((block) => (block.depends_on as readonly string[] | undefined) ?? []);
  for (const address of [...addresses, ...(stack.import ?? []).map(({ to }) => to)]) {
    const [type, id] = address.split(".");
    if (!exists(type as string, id as string)) mistakes.push(`${address} is depended on and not there`);
  }
}
