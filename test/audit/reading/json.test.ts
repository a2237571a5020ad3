import fc from "fast-check";
import { readLosslessJson } from "../../../lib/audit";

test.each([
  ["9007199254740991", 9007199254740991],
  ["9007199254740993", "9007199254740993"],
  ["-7312345678901234567", "-7312345678901234567"],
  ['{"a":110506652893456789012}', { a: "110506652893456789012" }],
  ["[1, 12345678901234567890 ]", [1, "12345678901234567890"]],
  ['{"a":"12345678901234567890","b":1.5}', { a: "12345678901234567890", b: 1.5 }],
  ["[0.12345678901234567890]", [0.12345678901234568]],
  ["[12345678901234567890, 1e3, 0.5]", ["12345678901234567890", 1000, 0.5]],
  // The first number has quotes afterwards; the others must not get any.
  ["[12345678901234567890, 0.12345678901234567890]", ["12345678901234567890", 0.12345678901234568]],
  ["[12345678901234567890, 12345678901234567890.5]", ["12345678901234567890", 1.2345678901234567e19]],
  ["[12345678901234567890, 12345678901234567890e3]", ["12345678901234567890", 1.2345678901234568e22]],
  [
    '[12345678901234567890, "a\\"b 12345678901234567890 \\" c", "\\\\"]',
    ["12345678901234567890", 'a"b 12345678901234567890 " c', "\\"],
  ],
  ['{"a":1,"a":12345678901234567890}', { a: "12345678901234567890" }],
])("%s", (text, expected) => {
  expect(readLosslessJson(text)).toEqual(expected);
});

test.each([
  "",
  "{",
  "01234567890123456789",
  "[12345678901234567890",
  "[12345678901234567890]]",
  '{"a":12345678901234567890,}',
  "1 2",
])("fails for %j", (text) => {
  expect(() => readLosslessJson(text)).toThrow(expect.objectContaining({ code: "json-malformed" }));
});

test("reads a property named __proto__ as a property", () => {
  const read = readLosslessJson('{"__proto__":{"polluted":true},"a":12345678901234567890}') as object;
  expect(Object.hasOwn(read, "__proto__")).toBe(true);
  expect("polluted" in read).toBe(false);
});

const tame = fc.jsonValue().filter((value) => !/\d{16}/.test(JSON.stringify(value)));

test("returns what JSON.parse returns without long numbers, and keeps all digits of long numbers", () => {
  fc.assert(
    fc.property(tame, fc.bigInt(), (value, number) => {
      expect(readLosslessJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      const [first, second] = readLosslessJson(`[${JSON.stringify(value)},${number}]`) as [unknown, unknown];
      expect(first).toEqual(JSON.parse(JSON.stringify(value)));
      expect(String(second)).toBe(String(number));
    }),
  );
});
