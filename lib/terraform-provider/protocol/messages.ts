import type { Path } from "../planning";
import type { Attribute, SchemaBlock } from "../schema";
import type { Value } from "../value";
import { decodeMsgpack, encodeMsgpack } from "./msgpack";

/** Messages of the protocol, as far as the stand-in uses them. Names are those of the `.proto` file, in camel case. */

export interface DynamicValue {
  readonly msgpack: Uint8Array;
}

export interface Diagnostic {
  readonly severity: "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail: string;
}

export interface AttributePath {
  readonly steps: readonly ({ readonly attributeName: string } | { readonly elementKeyInt: number })[];
}

/** A message: members by name; omitted members are empty. */
export interface Message {
  readonly [name: string]: unknown;
}

export function decodeValue(value: unknown): Value {
  const octets = (value as DynamicValue | null | undefined)?.msgpack;
  return octets === undefined || octets.length === 0 ? null : decodeMsgpack(octets);
}

export function encodeValue(value: Value): DynamicValue {
  return { msgpack: encodeMsgpack(value) };
}

export function encodePath(path: Path): AttributePath {
  return {
    steps: path.map((step) => (typeof step === "string" ? { attributeName: step } : { elementKeyInt: step })),
  };
}

/** Encodes a schema. All versions are 0, because the bindings don't contain them. */
export function encodeSchema(block: SchemaBlock): Message {
  return { version: 0, block: encodeBlock(block) };
}

function encodeBlock({ attributes, blocks }: SchemaBlock): Message {
  return {
    attributes: [...attributes].map(([name, attribute]) => encodeAttribute(name, attribute)),
    blockTypes: [...blocks].map(([typeName, { nesting, block, minItems, maxItems }]) => ({
      typeName,
      block: encodeBlock(block),
      nesting: nesting.toUpperCase(),
      minItems,
      maxItems,
    })),
  };
}

function encodeAttribute(name: string, { type, ...flags }: Attribute): Message {
  return { name, type: Buffer.from(JSON.stringify(type)), ...flags };
}
