/** Finds the parts of a stack that can't work without the removed parts. */
import type { AttributeType, SchemaBlock } from "../terraform-provider";
import { expressionsIn, referencesTo, withoutPaths } from "./references";
import type { Block, BlocksByType, StackJson } from "./stack";

/** A part of the stack that is removed because it needs a removed part. */
export interface Dependent {
  /**
   * Address, for example `google_compute_global_forwarding_rule.web`, `data.google_dns_managed_zone.z`, `local.zone`,
   * `output.url`.
   */
  readonly address: string;
  /** Address of the removed part that it needs. */
  readonly needs: string;
  /** Argument that refers to the removed part. */
  readonly argument: string;
}

type SchemaOf = (kind: "resource" | "data", type: string) => SchemaBlock | undefined;
/** A reference to a removed part where no placeholder is valid. */
type Conflict = Pick<Dependent, "needs" | "argument">;

/**
 * Returns every part that needs a removed part where a placeholder name is not a valid value. Examples are a number, a
 * list, an address, a certificate, a condition, `count` and `for_each`. Also returns the parts that need those parts in
 * turn. A data source depends on everything that its arguments refer to.
 *
 * @param removed addresses of removed parts, for example `random_id.suffix`, `data.terraform_remote_state.net`,
 * `module.web`
 */
export function dependentsOf(stack: StackJson, removed: readonly string[], schemaOf: SchemaOf): readonly Dependent[] {
  const found = new Map<string, Dependent>();
  for (;;) {
    const before = found.size;
    const all = [...removed, ...found.keys()];
    for (const { address, conflictWith } of candidates(stack, schemaOf)) {
      if (found.has(address)) continue;
      const conflict = conflictWith(all);
      if (conflict !== undefined) found.set(address, { address, ...conflict });
    }
    if (found.size === before) return [...found.values()];
  }
}

interface Candidate {
  readonly address: string;
  readonly conflictWith: (removed: readonly string[]) => Conflict | undefined;
}

function candidates(stack: StackJson, schemaOf: SchemaOf): readonly Candidate[] {
  const each = (all: unknown, made: (type: string, name: string, block: Block) => Candidate): readonly Candidate[] =>
    Object.entries((all ?? {}) as BlocksByType).flatMap(([type, blocks]) =>
      Object.entries(blocks).map(([name, block]) => made(type, name, block)),
    );
  const values = (all: unknown, kind: string, pick: (member: unknown) => unknown): readonly Candidate[] =>
    Object.entries((all ?? {}) as Block).map(([name, member]) => ({
      address: `${kind}.${name}`,
      conflictWith: (removed) => findConflictInValue(pick(member), undefined, "value", removed),
    }));
  return [
    ...each(stack.resource, (type, name, block) => ({
      address: `${type}.${name}`,
      conflictWith: (removed) => findConflictInBlock(block, schemaOf("resource", type), removed),
    })),
    ...each(stack.data, (type, name, { depends_on: _, ...block }) => ({
      address: `data.${type}.${name}`,
      conflictWith: (removed) => findReference(block, "", removed),
    })),
    ...values(stack.locals, "local", (value) => value),
    ...values(stack.output, "output", (output) => (output as Block).value),
  ];
}

/** Meta-arguments that accept no placeholder. */
const strict = new Set(["count", "for_each", "dynamic"]);
/** Meta-arguments in which a reference to a removed part is removed or does no harm. */
const lenient = new Set(["//", "provider", "depends_on", "provisioner", "connection", "timeouts"]);

/** Names of arguments whose text needs a format that a placeholder name does not have. */
const formed =
  /^(?:ip_address|address|rrdatas|domains?|hostname|dns_name|ip_version|ip_cidr_range|source_ip_ranges|source_ranges|certificate|private_key|\w*certificate_pem|\w*private_key_pem|pem_\w+|ports?|port_range|\w+_port|type|location|region|zone|protocol|member)$/;

function findConflictInBlock(
  block: Block,
  schema: SchemaBlock | undefined,
  removed: readonly string[],
): Conflict | undefined {
  for (const [name, value] of Object.entries(block)) {
    if (lenient.has(name)) continue;
    const nested = schema?.blocks.get(name);
    const found = strict.has(name)
      ? findReference(value, name, removed)
      : name === "lifecycle"
        ? findConflictInLifecycle(value as Block, removed)
        : nested === undefined
          ? findConflictInValue(value, schema?.attributes.get(name)?.type, name, removed, {
              isTyped: schema !== undefined,
            })
          : findConflictInNested(value, nested.block, name, removed);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findConflictInNested(
  value: unknown,
  schema: SchemaBlock,
  name: string,
  removed: readonly string[],
): Conflict | undefined {
  const items = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  for (const item of items) {
    const isBlock = typeof item === "object" && item !== null;
    const found = isBlock ? findConflictInBlock(item as Block, schema, removed) : findReference(item, name, removed);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findConflictInLifecycle(lifecycle: Block, removed: readonly string[]): Conflict | undefined {
  const { precondition = [], postcondition = [] } = lifecycle;
  return findReference([precondition, postcondition], "lifecycle", removed);
}

/** @param options.isTyped whether texts must have the format that their argument requires */
function findConflictInValue(
  value: unknown,
  type: AttributeType | undefined,
  name: string,
  removed: readonly string[],
  { isTyped }: { readonly isTyped: boolean } = { isTyped: false },
): Conflict | undefined {
  if (typeof value === "string") {
    const [needs] = referencesTo(value, removed);
    if (needs === undefined) return undefined;
    const fits = (type === undefined || type === "string") && !(isTyped && formed.test(name)) && isText(value, removed);
    return fits ? undefined : { needs, argument: name };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, item] of Object.entries(value)) {
    const found = findConflictInValue(item, memberType(type, member), Array.isArray(value) ? name : member, removed, {
      isTyped,
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberType(type: AttributeType | undefined, member: string): AttributeType | undefined {
  if (type === undefined || typeof type === "string") return undefined;
  const [nesting, element] = type;
  if (nesting !== "object") return element as AttributeType;
  return (element as Readonly<Record<string, AttributeType>>)[member];
}

function findReference(value: unknown, name: string, removed: readonly string[]): Conflict | undefined {
  if (typeof value === "string") {
    const [needs] = referencesTo(value, removed);
    return needs === undefined ? undefined : { needs, argument: name };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, item] of Object.entries(value)) {
    const found = findReference(item, name === "" ? member : name, removed);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Functions that return a text for any texts as arguments. */
const textFunctions = new Set([
  ...["base64encode", "chomp", "concat", "format", "join", "jsonencode", "lower", "md5", "nonsensitive", "replace"],
  ...["sensitive", "sha1", "sha256", "sha512", "substr", "title", "tolist", "toset", "tostring"],
  ...["trim", "trimprefix", "trimspace", "trimsuffix", "upper"],
]);

/** Returns whether an expression stays valid when names replace its references. */
function isText(text: string, removed: readonly string[]): boolean {
  return expressionsIn(text)
    .filter((expression) => referencesTo(expression, removed).length > 0)
    .map((expression) => expression.slice(2, -1).replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    .every(
      (expression) =>
        !/[?<>&|*/%!+]|==|\bfor\b|\[\s*\*/.test(withoutPaths(expression, removed)) &&
        [...expression.matchAll(/(\w+)\(/g)].every(([, name = ""]) => textFunctions.has(name)),
    );
}
