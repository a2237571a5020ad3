/** Resolves what a stack reads from other stacks of its app, by cdktf's references across stacks. */
import type { KnownTypes } from "../terraform-provider";
import { providerOf } from "./known-values";
import { type Block, type BlocksByType, isLiteral, projectOfStack, resourcesOf, type StackJson } from "./stack";

/** Stacks of the same app, by name. */
export type OtherStacks = ReadonlyMap<string, StackJson>;

/** Prefix of cdktf's ids for the state of another stack; the name of the stack follows. */
const prefix = "cross-stack-reference-input-";

/** An expression of the other stack, as this stack can write it. */
interface ResolvedOutput {
  /** Expression, for example `"shop"` or `data.google_compute_global_address.shared.address`. */
  readonly expression: string;
  /** Data source that the expression needs. */
  readonly data?: { readonly type: string; readonly id: string; readonly block: Block };
}

/**
 * Returns the stack with the values that it reads from other stacks of its app. Literal values are copied. Resources of
 * other stacks become data sources, so that a rehearsal creates them beforehand. Other values stay references to a
 * state.
 */
export function withOtherStacks(stack: StackJson, otherStacks: OtherStacks, known: KnownTypes): StackJson {
  const states = Object.keys(((stack.data ?? {}) as BlocksByType).terraform_remote_state ?? {});
  return states.reduce((made, id) => {
    const otherStack = otherStacks.get(id.startsWith(prefix) ? id.slice(prefix.length) : "");
    return otherStack === undefined ? made : withOther(made, id, otherStack, known);
  }, stack);
}

function withOther(stack: StackJson, id: string, otherStack: StackJson, known: KnownTypes): StackJson {
  const pattern = new RegExp(
    `data\\.terraform_remote_state\\.${id.replace(/[-.]/g, "\\$&")}\\.outputs\\.([\\w-]+)`,
    "g",
  );
  const data: Record<string, Record<string, Block>> = {};
  let isWhole = true;
  const outputs = (otherStack.output ?? {}) as Readonly<Record<string, Block>>;
  const resolve = (reference: string, name: string): string => {
    const resolved = resolveOutput(outputs[name]?.value, otherStack, known);
    if (resolved?.data !== undefined) {
      const { type, id: dataId, block } = resolved.data;
      data[type] = { ...data[type], [dataId]: block };
    }
    if (resolved === undefined) isWhole = false;
    return resolved?.expression ?? reference;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") {
      const text = value.replace(pattern, resolve);
      return text === value ? value : text.replace(/\$\{"((?:[^"\\$%]|[$%](?!\{))*)"\}/g, "$1");
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, walk(item)]));
  };
  const { data: dataBlocks, ...rest } = stack;
  const walked = walk(rest) as StackJson;
  const { terraform_remote_state: states = {}, ...kinds } = walk(dataBlocks) as Record<string, Record<string, Block>>;
  const { [id]: _read, ...left } = states;
  const kept = isWhole ? left : states;
  const found = Object.entries(data).map(([type, blocks]) => [type, { ...kinds[type], ...blocks }]);
  const all = { ...kinds, ...Object.fromEntries(found) };
  return { ...walked, data: Object.keys(kept).length === 0 ? all : { ...all, terraform_remote_state: kept } };
}

function resolveOutput(value: unknown, otherStack: StackJson, known: KnownTypes): ResolvedOutput | undefined {
  if (isLiteral(value)) return { expression: JSON.stringify(value) };
  if (typeof value === "number" || typeof value === "boolean") return { expression: String(value) };
  const [, type = "", id = "", attribute = ""] = /^\$\{(google_\w+)\.([\w-]+)\.(\w+)\}$/.exec(String(value)) ?? [];
  const block = resourcesOf(otherStack, type)[id];
  if (block === undefined) return undefined;
  const written = block[attribute];
  if (isLiteral(written)) return { expression: JSON.stringify(written) };
  if (!known.hasDataSource(type) || !isLiteral(block.name)) return undefined;
  const provider = providerOf(otherStack, block);
  const places = known.schemaOf("data", type)?.attributes;
  const place = {
    project: block.project ?? provider.project ?? projectOfStack(otherStack),
    region: block.region ?? provider.region,
  };
  const literals = Object.entries(place).filter(([name, text]) => isLiteral(text) && places?.has(name) === true);
  return {
    expression: `data.${type}.${id}.${attribute}`,
    data: { type, id, block: { name: block.name, ...Object.fromEntries(literals) } },
  };
}
