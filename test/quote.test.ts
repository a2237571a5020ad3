import fc from "fast-check";
import { quote } from "../lib/quote";

test.each([
  ["shop.example.com", "'shop.example.com'"],
  ["it's", "'it\\'s'"],
  ["a\\b", "'a\\\\b'"],
  ["a b", "'a b'"],
  ["a\u00a0b", "'a\\u{a0}b'"],
  ["line\nbreak", "'line\\u{a}break'"],
  ["\u001b[31mred", "'\\u{1b}[31mred'"],
  ["\u009b31m", "'\\u{9b}31m'"],
  ["a\u202eb", "'a\\u{202e}b'"],
  ["zero\u200bwidth", "'zero\\u{200b}width'"],
  ["\ud800", "'\\u{d800}'"],
  ["bücher 中文 💩", "'bücher 中文 💩'"],
  ["a".repeat(120), `'${"a".repeat(120)}'`],
  ["a".repeat(121), `'${"a".repeat(120)}…' (121 characters)`],
])("%j is quoted as %s", (text, expected) => {
  expect(quote(text)).toBe(expected);
});

test("two different short texts never look the same", () => {
  const text = fc.string({ unit: "binary", maxLength: 8 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(quote(a) === quote(b)).toBe(a === b);
    }),
  );
});
