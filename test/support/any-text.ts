import fc, { type StringConstraints } from "fast-check";

const SURROGATES = 0x800;

const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + SURROGATES));

/**
 * Text of any characters of Unicode. As fast-check's unit `binary`, which takes a second to set up and can take back
 * text that it did not make.
 */
export function anyText(constraints: Omit<StringConstraints, "unit"> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
