import fc from "fast-check";
import { toJson } from "../../lib/cli/text";
import { formatTable } from "../../lib/cli/text-table";
import { anyText } from "../support/any-text";

test("JSON for a terminal escapes control characters and keeps the value", () => {
  const steering = fc.constantFrom(
    "\u007f",
    "\u009b",
    "\u2028",
    "\u202e",
    "\u200b",
    "\u{e0001}",
    "\u001b",
    "\n",
    "\u00a0",
  );
  const texts = fc.array(fc.oneof(anyText(), steering)).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), fc.constantFrom(0, 2), (value, indent) => {
      const json = toJson(value, indent);
      expect(JSON.parse(json)).toEqual(value);
      expect(json).not.toMatch(/(?![ \n])[\p{C}\p{Z}]/u);
    }),
  );
});

test("a table has exactly its rows", () => {
  const rows = Array.from({ length: 150_000 }, (_, row) => [String(row), "x"]);
  const lines = formatTable(["row", "what"], rows).split("\n");
  expect(lines).toHaveLength(rows.length + 2);
  expect([lines[0], lines[1], lines[150_000]]).toEqual(["row     what", "0       x", "149999  x"]);
});

test("prints a certificate's fields as they are read, each in its own line", () => {
  expect(toJson({ subject: "b\u00fccher\u202e\u{e0001}" })).toBe(
    '{\n  "subject": "b\u00fccher\\u202e\\udb40\\udc01"\n}\n',
  );
  expect(toJson(["\u009b31m"], 0)).toBe('["\\u009b31m"]\n');
});
