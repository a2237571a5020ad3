import fc from "fast-check";
import { decodeMsgpack, encodeMsgpack } from "../../../lib/terraform-provider/protocol/msgpack";
import { unknown, type Value } from "../../../lib/terraform-provider/value";
import { runs } from "../../support/runs";

const octetsOf = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

test.each<[string, string, Value]>([
  ["nil", "c0", null],
  ["booleans", "92 c2 c3", [false, true]],
  ["a small number", "07", 7],
  ["a negative number of one octet", "ff", -1],
  [
    "integers of each width",
    "98 cc ff cd ffff ce ffffffff d0 80 d1 8000 d2 80000000 cf 0000000000000100 d3 ffffffffffffff00",
    [255, 65_535, 4_294_967_295, -128, -32_768, -2_147_483_648, 256, -256],
  ],
  ["an integer that no double holds", "cf 7fffffffffffffff", 9_223_372_036_854_775_807n],
  ["floating point", "92 ca 3fc00000 cb 3ff8000000000000", [1.5, 1.5]],
  ["texts of each width", "94 a1 61 d9 01 61 da 0001 61 db 00000001 61", ["a", "a", "a", "a"]],
  ["binary data, as text", "93 c4 01 61 c5 0001 61 c6 00000001 61", ["a", "a", "a"]],
  ["lists of each width", "92 dc 0001 01 dd 00000001 02", [[1], [2]]],
  ["maps of each width", "93 81 a1 61 01 de 0001 a1 61 02 df 00000001 a1 61 03", [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ["an unknown value", "d4 00 00", unknown],
  ["an unknown value with refinements", "c7 03 0c 81 01 c2", unknown],
  [
    "unknown values of each width",
    "94 d5 00 0000 d6 00 00000000 c8 0001 0c 80 c9 00000001 0c 80",
    [unknown, unknown, unknown, unknown],
  ],
])("decodes %s", (_, hex, value) => {
  expect(decodeMsgpack(octetsOf(hex))).toEqual(value);
});

test.each<[string, Value, string]>([
  ["an unknown value, without its refinements", unknown, "d4 00 00"],
  [
    "numbers that a double does not hold, as text",
    9_223_372_036_854_775_807n,
    "b3 39323233333732303336383534373735383037",
  ],
  ["an object", { a: null, b: true }, "82 a1 61 c0 a1 62 c3"],
])("encodes %s", (_, value, hex) => {
  expect(Buffer.from(encodeMsgpack(value)).toString("hex")).toBe(hex.replaceAll(" ", ""));
});

test.each<[string, string, string]>([
  ["a cut value", "92 01", "msgpack: Offset is outside the bounds of the DataView"],
  ["more than one value", "01 02", "msgpack: Extra 1 of 2 byte(s) found at buffer[1]"],
  ["a key that is not text", "81 01 02", "msgpack: a key is not a string"],
  ["an extension of another kind", "d4 05 00", "msgpack: extension 5 is not a value of Terraform"],
  ["a key that would set the prototype", "81 a9 5f5f70726f746f5f5f 01", "msgpack: The key __proto__ is not allowed"],
  ["a list of more items than octets", "dd ffffffff 01", "msgpack: Max length exceeded: array length (4294967295)"],
  ["an unused first octet", "c1", "msgpack: Unrecognized type byte: 0xc1"],
])("refuses to decode %s", (_, hex, message) => {
  expect(() => decodeMsgpack(octetsOf(hex))).toThrow(message);
});

const leaf = fc.oneof(
  fc.constant<Value>(null),
  fc.constant<Value>(unknown),
  fc.boolean(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.string({ unit: "grapheme", maxLength: 70_000, size: "medium" }),
);
const memberName = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value"), { maxLength: 40 }),
    fc.dictionary(memberName, tie("value"), { maxKeys: 40, noNullPrototype: true }),
  ),
}));

test("decodes its own encoding", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(decodeMsgpack(encodeMsgpack(value))).toEqual(value);
    }),
    runs(70),
  );
});

test("decodes its own encoding of long texts, lists and maps", () => {
  const many = Array.from({ length: 70_000 }, (_, index) => index);
  const value = {
    text: "x".repeat(70_000),
    many,
    map: Object.fromEntries(many.map((number) => [`k${number}`, number])),
  };

  expect(decodeMsgpack(encodeMsgpack(value))).toEqual(value);
});

test("decodes arbitrary octets to a value or an error, and never throws anything else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (octets) => {
      try {
        decodeMsgpack(octets);
      } catch (error) {
        expect((error as Error).message).toMatch(/^msgpack: /);
      }
    }),
    runs(600),
  );
});
