import type { TerraformElement, TerraformStack } from "cdktf";

/**
 * Lets a stack prepare elements by the parts of their blocks that contain tokens. The kit resolves every block twice:
 * first to find references to other stacks, with a result that it discards. Values without tokens make up most of a
 * block, and resolving them takes a fifth of a synthesis.
 *
 * @param elements returns the elements; others are prepared by their whole blocks
 */
export function prepareByTokens(stack: TerraformStack, elements: () => readonly TerraformElement[]): void {
  const prepare = stack.prepareStack.bind(stack);
  stack.prepareStack = () => {
    const light = elements().filter((element) => !Object.hasOwn(element, "toTerraform"));
    for (const element of light) {
      const toTerraform = element.toTerraform.bind(element);
      element.toTerraform = () => partsWithTokens(toTerraform()) ?? {};
    }
    try {
      prepare();
    } finally {
      for (const element of light) Reflect.deleteProperty(element, "toTerraform");
    }
  };
}

/** Returns the parts of a value that the kit has to resolve; undefined if there are none. */
export function partsWithTokens(value: unknown): unknown {
  if (typeof value === "string") return value.includes("TfToken[") ? value : undefined;
  // Tokens for numbers are negative.
  if (typeof value === "number") return value < 0 ? value : undefined;
  if (typeof value === "function") return value;
  if (typeof value !== "object" || value === null) return undefined;
  // A list with a token is resolved as a whole.
  if (Array.isArray(value)) return value.some((item) => partsWithTokens(item) !== undefined) ? value : undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const parts: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    // A mapping with a token as its key is resolved as a whole.
    if (key.includes("TfToken[")) return value;
    const part = partsWithTokens(item);
    if (part !== undefined) parts.push([key, part]);
  }
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
