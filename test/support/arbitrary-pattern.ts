import fc from "fast-check";

const atom = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "ab", "/", "-", "é") },
  { weight: 2, arbitrary: fc.constantFrom("[ab]", "[^a]", "[a-c]", "[-a]", "[^/]", "[.b]", "[\\s/]", "[\\d]") },
  { weight: 2, arbitrary: fc.constantFrom(".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\.", "\\/") },
);
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{0,3}", "{1,}", "{1,9}", "*?", "+?");

const { tree } = fc.letrec<{ readonly tree: string; readonly sequence: string; readonly item: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    tie("sequence"),
    fc.array(tie("sequence"), { minLength: 2, maxLength: 3 }).map((all) => all.join("|")),
  ),
  sequence: fc.array(tie("item"), { minLength: 0, maxLength: 4 }).map((all) => all.join("")),
  item: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    {
      weight: 3,
      arbitrary: fc.tuple(atom, quantifier).map(([text, count]) => (text === "ab" ? `(?:ab)${count}` : text + count)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("tree"), quantifier, fc.boolean())
        .map(([inner, count, capture]) => `(${capture ? "" : "?:"}${inner})${count}`),
    },
  ),
}));

/**
 * A pattern in the syntax that descriptions use, anchored or not; many leave an engine that tries all ways without end.
 */
export const pattern = fc.tuple(tree, fc.boolean(), fc.boolean()).map(([inner, start, end]) => {
  return `${start ? "^" : ""}${start || end ? `(?:${inner})` : inner}${end ? "$" : ""}`;
});

/** A text of the same few characters, among them those that engines see differently. */
export const adversary = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "ab", "aa", "/", "-", "1", ".") },
    { weight: 1, arbitrary: fc.constantFrom("\n", "\r", "\u2028", "\u00a0", "\v", "\ufeff", "é", "🦁", " ", "_") },
  ),
  maxLength: 12,
});
