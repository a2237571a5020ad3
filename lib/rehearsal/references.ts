/** References to what is left out of a stack, and what stands in their place. */

/** A text that can stand where a name is wanted, made of the address that was referred to. */
export function placeholderOf(address: string): string {
  const name = address.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `left-out-${name}`
    .replace(/^-+|-+$/g, "")
    .slice(0, 63)
    .replace(/-+$/, "");
}

/**
 * Puts placeholders in the place of references to addresses, at any depth. Items of `depends_on` and `replace_triggered_by` go.
 *
 * @param gone addresses as in `random_id.suffix`, `data.terraform_remote_state.net`, `module.web`
 */
export function withoutReferences<Value>(value: Value, gone: readonly string[]): Value {
  if (gone.length === 0) return value;
  const isGone = new Set(gone);
  const pattern = patternOf(gone);
  const inText = (text: string): string => {
    if (!text.includes("${")) return text;
    const replaced = text.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, (expression) =>
      expression.replace(pattern, (_, address: string) => JSON.stringify(placeholderOf(address))),
    );
    // A text that is known needs no expression, and can be read before Terraform runs.
    return replaced.replace(/\$\{"([a-z0-9-]*)"\}/g, "$1");
  };
  const walk = (item: unknown, key: string): unknown => {
    if (typeof item === "string") return inText(item);
    if (Array.isArray(item)) {
      const isList = key === "depends_on" || key === "replace_triggered_by";
      return (isList ? item.filter((one) => !isGone.has(String(one).split("[")[0] ?? "")) : item).map((one) =>
        walk(one, ""),
      );
    }
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [name, walk(member, name)]));
  };
  return walk(value, "") as Value;
}

/** The addresses of `gone` that the expressions of a text refer to, in the order in which they stand. */
export function referencesTo(text: string, gone: readonly string[]): readonly string[] {
  if (gone.length === 0 || !text.includes("${")) return [];
  const expressions = text.match(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g) ?? [];
  const pattern = patternOf(gone);
  return expressions.flatMap((expression) => [...expression.matchAll(pattern)].map(([, address = ""]) => address));
}

/** Addresses, each with the path that follows it; longer ones first, so that none is taken for the beginning of another. */
function patternOf(gone: readonly string[]): RegExp {
  const addresses = [...gone].sort((a, b) => b.length - a.length).map((address) => address.replace(/[.\\-]/g, "\\$&"));
  return new RegExp(`(?<![\\w.-])(${addresses.join("|")})(?![\\w-])(?:\\[[^\\]]*\\]|\\.(?:[\\w-]+|\\*))*`, "g");
}
