import fc from "fast-check";
import { fitsStarPattern } from "../../lib/cloud/star-pattern";

test.each([
  ["a", "a", true],
  ["a", "ab", false],
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["*", "a.b", true],
  ["a*", "a", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["a*bc*c", "abc", false],
  ["a**c", "abc", true],
  ["a.c", "abc", false],
  ["A", "a", false],
])("'%s' matches '%s': %s", (pattern, text, expected) => {
  expect(fitsStarPattern(pattern, text)).toBe(expected);
});

test("agrees with a regular expression that matches any text for each star", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 8 }).map((list) => list.join(""));
  fc.assert(
    fc.property(letters, fc.array(fc.constantFrom("a", "b"), { maxLength: 10 }), (pattern, list) => {
      const text = list.join("");
      expect(fitsStarPattern(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(text));
    }),
  );
});

test("rejects at once a text that makes regular expressions backtrack", () => {
  expect(fitsStarPattern(`${"a*".repeat(10_000)}b`, "a".repeat(100_000))).toBe(false);
});
