/** Finds references to removed parts of a stack, and replaces them by placeholders. */

/** A piece of a text in a stack. */
interface Piece {
  readonly text: string;
  /** Whether Terraform evaluates it, for example `${random_id.suffix.hex}` or `%{ if var.live }`. */
  readonly isExpression: boolean;
}

/** Splits a text into pieces. An expression without a closing brace extends to the end. */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (;;) {
    const begin = beginOfExpression(text, done);
    if (begin > done) pieces.push({ text: text.slice(done, begin), isExpression: false });
    if (begin === text.length) return pieces;
    done = begin + 2;
    for (let depth = 1; depth > 0 && done < text.length; done++) {
      if (text[done] === "{") depth += 1;
      if (text[done] === "}") depth -= 1;
    }
    pieces.push({ text: text.slice(begin, done), isExpression: true });
  }
}

/** @returns the index of the next expression, or the text's length; a doubled sign (`$${`) is literal text */
function beginOfExpression(text: string, from: number): number {
  const pattern = /([$%])(\1?)\{/g;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[2] === "") return found.index;
  }
  return text.length;
}

/** Returns the expressions of a text, with their braces. */
export function expressionsIn(text: string): readonly string[] {
  return piecesOf(text).flatMap((piece) => (piece.isExpression ? [piece.text] : []));
}

/** Returns a text that is valid as a name, derived from the address of a removed part. */
export function placeholderOf(address: string): string {
  const name = address.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `left-out-${name}`
    .replace(/^-+|-+$/g, "")
    .slice(0, 63)
    .replace(/-+$/, "");
}

/**
 * Replaces references to addresses by placeholders, at any depth. Removes such references from `depends_on` and
 * `replace_triggered_by`.
 *
 * @param removed addresses, for example `random_id.suffix`, `data.terraform_remote_state.net`, `module.web`
 */
export function withoutReferences<Value>(value: Value, removed: readonly string[]): Value {
  if (removed.length === 0) return value;
  const removedAddresses = new Set(removed);
  const pattern = patternOf(removed);
  const inPiece = ({ text, isExpression }: Piece): string => {
    if (!isExpression) return text;
    const replaced = text.replace(pattern, (_, address: string) => JSON.stringify(placeholderOf(address)));
    // A literal text needs no expression, and can be read before Terraform runs.
    return replaced.replace(/\$\{"([a-z0-9-]*)"\}/g, "$1");
  };
  const inText = (text: string): string => piecesOf(text).map(inPiece).join("");
  const walk = (item: unknown, key: string): unknown => {
    if (typeof item === "string") return inText(item);
    if (Array.isArray(item)) {
      const isList = key === "depends_on" || key === "replace_triggered_by";
      return (isList ? item.filter((element) => !removedAddresses.has(String(element).split("[")[0] ?? "")) : item).map(
        (element) => walk(element, ""),
      );
    }
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [name, walk(member, name)]));
  };
  return walk(value, "") as Value;
}

/** Returns the addresses of `removed` that the expressions of a text refer to, in the order of the text. */
export function referencesTo(text: string, removed: readonly string[]): readonly string[] {
  if (removed.length === 0) return [];
  const pattern = patternOf(removed);
  return expressionsIn(text).flatMap((expression) =>
    [...expression.matchAll(pattern)].map(([, address = ""]) => address),
  );
}

/** Path after an address: indices, attributes and splats. */
const path = "(?:\\[[^\\]]*\\]|\\.(?:[\\w-]+|\\*))*";

function escaped(address: string): string {
  return address.replace(/[.\\-]/g, "\\$&");
}

/**
 * Returns an expression with empty texts in place of addresses and their paths, because indices and splats are not
 * operators.
 */
export function withoutPaths(expression: string, removed: readonly string[]): string {
  return removed.reduce(
    (left, address) => left.replaceAll(new RegExp(`${escaped(address)}${path}`, "g"), '""'),
    expression,
  );
}

/**
 * Returns a pattern for addresses with their paths. Longer addresses come first, so that a shorter address never
 * matches the beginning of a longer one.
 */
function patternOf(removed: readonly string[]): RegExp {
  const addresses = [...removed].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(`(?<![\\w.-])(${addresses.join("|")})(?![\\w-])${path}`, "g");
}
