import type { TerraformElement, TerraformStack } from "cdktf";
import { type Fields, fieldsOf, isFields } from "../json/fields";
import { overridesOf } from "./overrides";
import { isWrittenByKit } from "./synthesis-hooks";

/**
 * Lets the kit resolve only those parts of elements that contain tokens, and adds the other parts to its result. The
 * kit resolves each block three times: once to find references to other stacks, and twice to write the stack. Values
 * without tokens make up most of a block. Resolving them took a fifth of a synthesis at first, and another fifth later.
 *
 * @param elements returns the elements; others are resolved as a whole
 */
export function resolveOnlyTokens(stack: TerraformStack, elements: () => readonly TerraformElement[]): void {
  const prepare = stack.prepareStack.bind(stack);
  // Most blocks have no tokens. To split these too would take 3 % of a synthesis.
  const partsOf = (block: Fields) => (hasTokens(block) ? fieldsOf(splitByTokens(block).withTokens) : {});
  stack.prepareStack = () => withBlocks(elements(), partsOf, prepare);
  // Code that changes the configuration of a stack needs all of it.
  if (!isWrittenByKit(stack)) return;
  const toTerraform = stack.toTerraform.bind(stack);
  stack.toTerraform = () => {
    // They can remove what is not there yet.
    const { resource, output } = overridesOf(stack);
    if (resource !== undefined || output !== undefined) return toTerraform();
    const parts: unknown[] = [];
    const write = ({ resource, output, ...others }: Fields) => {
      const { plain, withTokens } = splitByTokens({ resource, output });
      parts.push(plain);
      return { ...others, ...fieldsOf(withTokens) };
    };
    const written = withBlocks(elements(), write, toTerraform);
    // Another element may have written the same address; the kit then merges the blocks.
    return parts.every((part) => addMissing(written, fieldsOf(part))) ? written : toTerraform();
  };
}

/** Runs an action while elements have other blocks. */
function withBlocks<Result>(
  elements: readonly TerraformElement[],
  change: (block: Fields) => object,
  act: () => Result,
): Result {
  const changed = elements.filter((element) => !Object.hasOwn(element, "toTerraform"));
  for (const element of changed) {
    const toTerraform = element.toTerraform.bind(element);
    element.toTerraform = () => change(toTerraform());
  }
  try {
    return act();
  } finally {
    for (const element of changed) Reflect.deleteProperty(element, "toTerraform");
  }
}

/** Parts of a value; both are undefined if the value is. */
interface Parts {
  /** The parts that the kit has to resolve. */
  readonly withTokens?: unknown;
  /** A copy of the other parts, without undefined values. */
  readonly plain?: unknown;
}

/** Splits a value by whether the kit has to resolve it. */
export function splitByTokens(value: unknown): Parts {
  if (!hasTokens(value)) return { plain: definedCopyOf(value) };
  // A list, or a mapping with a token as its key, is resolved as a whole.
  if (!isMapping(value) || Object.keys(value).some(mayBeToken)) return { withTokens: value };
  const withTokens: Record<string, unknown> = {};
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const parts = splitByTokens(item);
    if (parts.withTokens !== undefined) withTokens[key] = parts.withTokens;
    if (parts.plain !== undefined) plain[key] = parts.plain;
  }
  return { withTokens, plain };
}

function hasTokens(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return mayBeToken(value);
  if (Array.isArray(value)) return value.some(hasTokens);
  return !isMapping(value) || Object.keys(value).some((key) => mayBeToken(key) || hasTokens(value[key]));
}

function definedCopyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(definedCopyOf);
  if (!isMapping(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) copy[key] = definedCopyOf(item);
  return copy;
}

/** Returns whether a value is a mapping; an object of a class resolves itself. */
function isMapping(value: unknown): value is Fields {
  return isFields(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Placeholders of tokens: of texts, lists and mappings; of values of mappings; of numbers, for example -8.1e+298. */
const placeholder = /TfToken\[|Map Token Value|\de\+\d/;

function mayBeToken(value: unknown): boolean {
  if (typeof value === "string") return placeholder.test(value);
  if (typeof value === "number") return value < 0;
  // The kit refuses functions.
  return typeof value === "function";
}

/** Adds values that an object does not have. Returns whether it had none of them. */
function addMissing(target: Record<string, unknown>, values: Fields): boolean {
  return Object.entries(values).every(([key, value]) => {
    const known = target[key];
    if (known !== undefined) return isFields(known) && isFields(value) && addMissing(known, value);
    target[key] = value;
    return true;
  });
}
