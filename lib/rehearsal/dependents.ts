/** Finds the parts of a stack that can't work without the removed parts. */
import type { AttributeType, SchemaBlock } from "../terraform-provider";
import { expressionsIn, referencesTo, withoutPaths } from "./references";
import type { Block, StackJson } from "./stack";

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
type Blocks = Readonly<Record<string, Readonly<Record<string, Block>>>>;
type Misfit = Pick<Dependent, "needs" | "argument">;

/**
 * Returns every part that needs a removed part where a placeholder name is not a valid value. Examples are a number, a
 * list, an address, a certificate, a condition, `count` and `for_each`. Also returns the parts that need those parts in
 * turn. A data source depends on everything that its arguments refer to.
 *
 * @param gone addresses of removed parts, for example `random_id.suffix`, `data.terraform_remote_state.net`,
 * `module.web`
 */
export function dependentsOf(stack: StackJson, gone: readonly string[], schemaOf: SchemaOf): readonly Dependent[] {
  const found = new Map<string, Dependent>();
  for (;;) {
    const before = found.size;
    const all = [...gone, ...found.keys()];
    for (const { address, misfit } of candidates(stack, schemaOf)) {
      if (found.has(address)) continue;
      const misfits = misfit(all);
      if (misfits !== undefined) found.set(address, { address, ...misfits });
    }
    if (found.size === before) return [...found.values()];
  }
}

interface Candidate {
  readonly address: string;
  readonly misfit: (gone: readonly string[]) => Misfit | undefined;
}

function candidates(stack: StackJson, schemaOf: SchemaOf): readonly Candidate[] {
  const each = (all: unknown, made: (type: string, name: string, block: Block) => Candidate): readonly Candidate[] =>
    Object.entries((all ?? {}) as Blocks).flatMap(([type, blocks]) =>
      Object.entries(blocks).map(([name, block]) => made(type, name, block)),
    );
  const values = (all: unknown, kind: string, pick: (member: unknown) => unknown): readonly Candidate[] =>
    Object.entries((all ?? {}) as Block).map(([name, member]) => ({
      address: `${kind}.${name}`,
      misfit: (gone) => misfitIn(pick(member), undefined, "value", gone),
    }));
  return [
    ...each(stack.resource, (type, name, block) => ({
      address: `${type}.${name}`,
      misfit: (gone) => misfitOfBlock(block, schemaOf("resource", type), gone),
    })),
    ...each(stack.data, (type, name, { depends_on: _, ...block }) => ({
      address: `data.${type}.${name}`,
      misfit: (gone) => anyReference(block, "", gone),
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

function misfitOfBlock(block: Block, schema: SchemaBlock | undefined, gone: readonly string[]): Misfit | undefined {
  for (const [name, value] of Object.entries(block)) {
    if (lenient.has(name)) continue;
    const nested = schema?.blocks.get(name);
    const found = strict.has(name)
      ? anyReference(value, name, gone)
      : name === "lifecycle"
        ? misfitOfLifecycle(value as Block, gone)
        : nested === undefined
          ? misfitIn(value, schema?.attributes.get(name)?.type, name, gone, schema !== undefined)
          : misfitOfNested(value, nested.block, name, gone);
    if (found !== undefined) return found;
  }
  return undefined;
}

function misfitOfNested(
  value: unknown,
  schema: SchemaBlock,
  name: string,
  gone: readonly string[],
): Misfit | undefined {
  const items = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  for (const item of items) {
    const isBlock = typeof item === "object" && item !== null;
    const found = isBlock ? misfitOfBlock(item as Block, schema, gone) : anyReference(item, name, gone);
    if (found !== undefined) return found;
  }
  return undefined;
}

function misfitOfLifecycle(lifecycle: Block, gone: readonly string[]): Misfit | undefined {
  const { precondition = [], postcondition = [] } = lifecycle;
  return anyReference([precondition, postcondition], "lifecycle", gone);
}

/** @param isTyped whether texts must have the format that their argument requires */
function misfitIn(
  value: unknown,
  type: AttributeType | undefined,
  name: string,
  gone: readonly string[],
  isTyped = false,
): Misfit | undefined {
  if (typeof value === "string") {
    const [needs] = referencesTo(value, gone);
    if (needs === undefined) return undefined;
    const fits = (type === undefined || type === "string") && !(isTyped && formed.test(name)) && isText(value, gone);
    return fits ? undefined : { needs, argument: name };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, item] of Object.entries(value)) {
    const found = misfitIn(item, memberType(type, member), Array.isArray(value) ? name : member, gone, isTyped);
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

function anyReference(value: unknown, name: string, gone: readonly string[]): Misfit | undefined {
  if (typeof value === "string") {
    const [needs] = referencesTo(value, gone);
    return needs === undefined ? undefined : { needs, argument: name };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, item] of Object.entries(value)) {
    const found = anyReference(item, name === "" ? member : name, gone);
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
function isText(text: string, gone: readonly string[]): boolean {
  return expressionsIn(text)
    .filter((expression) => referencesTo(expression, gone).length > 0)
    .map((expression) => expression.slice(2, -1).replace(/"(?:[^"\\]|\\.)*"/g, '""'))
    .every(
      (expression) =>
        !/[?<>&|*/%!+]|==|\bfor\b|\[\s*\*/.test(withoutPaths(expression, gone)) &&
        [...expression.matchAll(/(\w+)\(/g)].every(([, name = ""]) => textFunctions.has(name)),
    );
}
