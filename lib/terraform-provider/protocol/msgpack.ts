import { decode, ExtData, ExtensionCodec, encode } from "@msgpack/msgpack";
import { BugError } from "../../errors";
import { isList, isValueObject, unknown, type Value } from "../value";

/**
 * Terraform's extensions: type 0 is an unknown value, and type 12 is an unknown value with known properties. Both are
 * decoded to {@link unknown}, which is encoded as type 0.
 */
const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: 0,
  encode: (value) => (value === unknown ? Uint8Array.of(0) : null),
  decode: () => unknown,
});
extensionCodec.register({ type: 12, encode: () => null, decode: () => unknown });

/**
 * Decodes a value from MessagePack. Integers beyond 2^53 stay exact, as `bigint`.
 *
 * @throws BugError if the bytes are truncated or not a value of Terraform, or a map has the key `__proto__`
 */
export function decodeMsgpack(octets: Uint8Array): Value {
  try {
    // The library allocates a list before it reads the items, which have at least one octet each.
    const options = { extensionCodec, useBigInt64: true, mapKeyConverter: asKey, maxArrayLength: octets.length };
    return fromDecoded(decode(octets, options));
  } catch (error) {
    throw new BugError(`msgpack: ${(error as Error).message}`);
  }
}

export function encodeMsgpack(value: Value): Uint8Array {
  return encode(toEncodable(value), { extensionCodec });
}

function asKey(key: unknown): string {
  if (typeof key !== "string") throw new Error("a key is not a string");
  return key;
}

/** The library decodes all 64-bit integers to `bigint`. */
function fromDecoded(value: unknown): Value {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== "object" || value === null) return value as Value;
  if (Array.isArray(value)) return value.map(fromDecoded);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value instanceof ExtData) throw new Error(`extension ${value.type} is not a value of Terraform`);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromDecoded(member)]));
}

/** Terraform accepts a number as text if no binary form can represent it. */
function toEncodable(value: Value): unknown {
  if (typeof value === "bigint") return String(value);
  if (isList(value)) return value.map(toEncodable);
  if (!isValueObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toEncodable(member)]));
}
