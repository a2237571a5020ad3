import fc from "fast-check";
import { relatePatterns } from "../../../lib/discovery/compare/pattern-relation";
import { runs } from "../../support/runs";

test.each([
  ["a", "a", "same"],
  ["^[a-z]+$", "[a-z]+", "same"],
  ["(?:a|b)", "^a$|^b$", "same"],
  ["[0-9]", "\\d", "same"],
  ["[a-z]+", "[a-z0-9]+", "widened"],
  ["[a-z]{1,10}", "[a-z]{1,20}", "widened"],
  ["[a-z]+", "[a-z]*", "widened"],
  ["C.+", "C.+|my_customer", "widened"],
  ["^projects/[^/]+/keys/[^/]+$", "^projects/[^/]+/keys/.*$", "widened"],
  ["^projects/[^/]+$", "^projects/.+$", "widened"],
  ["^projects/[^/]+$", "^.*$", "widened"],
  ["^projects/[^/]+$", "^projects/[^/]+(/zones/[a-z]+)?$", "widened"],
  ["(admin)|(calendar)", "(admin)|(calendar)|(chat)", "widened"],
  ["[a-z0-9]+", "[a-z]+", "narrowed"],
  ["[a-z]{0,10}", "[a-z]{1,5}", "narrowed"],
  [".*", "/?[a-z]+", "narrowed"],
  ["projects/[^/]+", "folders/[^/]+", "changed"],
  ["[a-m]+", "[g-z]+", "changed"],
  ["[a-z]{2,3}", "[a-z]{3,4}", "changed"],
  // The same texts, written so differently that it isn't seen.
  ["a[bc]", "ab|ac", "narrowed"],
  ["(?:ab)*a", "a(?:ba)*", "changed"],
  // What isn't read is not guessed at.
  ["(?i)a", "(?i)a|b", "changed"],
  ["é", "[éè]", "changed"],
  ["a$b", "a$b|c", "changed"],
  ["a".repeat(2_000), "a".repeat(2_001), "changed"],
])("classifies %s → %s as %s", (before, after, relation) => {
  expect(relatePatterns(before, after)).toBe(relation);
});

const part: fc.Arbitrary<string> = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "[bc]", "\\w"),
    fc
      .tuple(tie("part"), fc.constantFrom("*", "+", "?", "{0,2}", "{1,3}"))
      .map(([inner, count]) => `(?:${inner})${count}`),
    fc.tuple(tie("part"), tie("part")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("part"), tie("part")).map(([a, b]) => `(?:${a}|${b})`),
  ),
})).part;
const texts = ["", ..."abcz/", ..."ab ba aa bb ac cc zz aaa aba abc bbb aaaa abab aaaaa".split(" ")];

test("calls a pattern wider only if it matches every text of the other", () => {
  fc.assert(
    fc.property(part, part, (before, after) => {
      const matches = (pattern: string) => texts.filter((text) => new RegExp(`^(?:${pattern})$`, "u").test(text));
      const [old, now] = [matches(before), matches(after)];
      const relation = relatePatterns(before, after);
      if (relation !== "narrowed" && relation !== "changed") expect(now).toEqual(expect.arrayContaining([...old]));
      if (relation !== "widened" && relation !== "changed") expect(old).toEqual(expect.arrayContaining([...now]));
    }),
    runs(1_000),
  );
});
