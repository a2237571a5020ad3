import { BugError } from "../../errors";
import { isList, isObject, unknown, type Value } from "../value";

/**
 * Decodes the part of MessagePack that Terraform uses for values: everything but timestamps. An extension of type 0 is
 * an unknown value. An extension of type 12 is an unknown value with known properties. Both are read as
 * {@link unknown}, which is written as type 0.
 *
 * This is own code because `@msgpack/msgpack` decodes 64-bit integers either all as `bigint` or all as `number`, which
 * loses digits from 2^53 on.
 *
 * @throws BugError if the bytes are truncated or not a value
 */
export function decodeMsgpack(octets: Uint8Array): Value {
  const reader = new Reader(octets);
  const value = reader.value();
  if (!reader.isAtEnd) throw new BugError("msgpack: octets after the value");
  return value;
}

export function encodeMsgpack(value: Value): Uint8Array {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

const unknownExtensions = new Set([0, 12]);

class Reader {
  readonly #octets: Buffer;
  #at = 0;

  constructor(octets: Uint8Array) {
    this.#octets = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#octets.length;
  }

  value(): Value {
    const tag = this.#unsigned(1);
    if (tag <= 0x7f) return tag;
    if (tag <= 0x8f) return this.#map(tag & 0x0f);
    if (tag <= 0x9f) return this.#array(tag & 0x0f);
    if (tag <= 0xbf) return this.#text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 0x100;
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xd9:
        return this.#text(this.#unsigned(1));
      case 0xc5:
      case 0xda:
        return this.#text(this.#unsigned(2));
      case 0xc6:
      case 0xdb:
        return this.#text(this.#unsigned(4));
      case 0xc7:
        return this.#extension(this.#unsigned(1));
      case 0xc8:
        return this.#extension(this.#unsigned(2));
      case 0xc9:
        return this.#extension(this.#unsigned(4));
      case 0xca:
        return this.#take(4).readFloatBE();
      case 0xcb:
        return this.#take(8).readDoubleBE();
      case 0xcc:
        return this.#unsigned(1);
      case 0xcd:
        return this.#unsigned(2);
      case 0xce:
        return this.#unsigned(4);
      case 0xcf:
        return narrow(this.#take(8).readBigUInt64BE());
      case 0xd0:
        return this.#take(1).readInt8();
      case 0xd1:
        return this.#take(2).readInt16BE();
      case 0xd2:
        return this.#take(4).readInt32BE();
      case 0xd3:
        return narrow(this.#take(8).readBigInt64BE());
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(2 ** (tag - 0xd4));
      case 0xdc:
        return this.#array(this.#unsigned(2));
      case 0xdd:
        return this.#array(this.#unsigned(4));
      case 0xde:
        return this.#map(this.#unsigned(2));
      case 0xdf:
        return this.#map(this.#unsigned(4));
      default:
        throw new BugError(`msgpack: no value begins with 0x${tag.toString(16)}`);
    }
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.#octets.length) throw new BugError("msgpack: the value is cut");
    const taken = this.#octets.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  #unsigned(length: number): number {
    return this.#take(length).readUIntBE(0, length);
  }

  #text(length: number): string {
    return this.#take(length).toString("utf8");
  }

  #array(length: number): Value {
    const items: Value[] = [];
    for (let index = 0; index < length; index++) items.push(this.value());
    return items;
  }

  #map(length: number): Value {
    const members: [string, Value][] = [];
    for (let index = 0; index < length; index++) {
      const name = this.value();
      if (typeof name !== "string") throw new BugError("msgpack: a key is not a string");
      members.push([name, this.value()]);
    }
    return Object.fromEntries(members);
  }

  #extension(length: number): Value {
    const type = this.#take(1).readInt8();
    this.#take(length);
    if (!unknownExtensions.has(type)) throw new BugError(`msgpack: extension ${type} is not a value of Terraform`);
    return unknown;
  }
}

function narrow(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function write(value: Value, parts: Uint8Array[]): void {
  if (value === null) parts.push(Buffer.of(0xc0));
  else if (value === unknown) parts.push(Buffer.of(0xd4, 0, 0));
  else if (typeof value === "boolean") parts.push(Buffer.of(value ? 0xc3 : 0xc2));
  else if (typeof value === "string") writeText(value, parts);
  else if (typeof value === "number") writeNumber(value, parts);
  // Terraform accepts a number as text if no binary form can represent it.
  else if (typeof value === "bigint") writeText(String(value), parts);
  else if (isList(value)) {
    parts.push(header(value.length, 0x90, 0xdc));
    for (const item of value) write(item, parts);
  } else if (isObject(value)) {
    const members = Object.entries(value);
    parts.push(header(members.length, 0x80, 0xde));
    for (const [name, member] of members) {
      writeText(name, parts);
      write(member, parts);
    }
  }
}

function writeText(text: string, parts: Uint8Array[]): void {
  const octets = Buffer.from(text, "utf8");
  const { length } = octets;
  if (length < 32) parts.push(Buffer.of(0xa0 | length));
  else if (length < 2 ** 8) parts.push(Buffer.of(0xd9, length));
  else if (length < 2 ** 16) parts.push(tagged(0xda, length, 2));
  else parts.push(tagged(0xdb, length, 4));
  parts.push(octets);
}

function writeNumber(value: number, parts: Uint8Array[]): void {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 7) parts.push(Buffer.of(value));
  else if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
    const octets = Buffer.alloc(5);
    octets[0] = 0xd2;
    octets.writeInt32BE(value, 1);
    parts.push(octets);
  } else {
    const octets = Buffer.alloc(9);
    octets[0] = 0xcb;
    octets.writeDoubleBE(value, 1);
    parts.push(octets);
  }
}

/** @param short tag for a length below 16 @param long tag for a length in two bytes; the next tag is for four bytes */
function header(length: number, short: number, long: number): Uint8Array {
  if (length < 16) return Buffer.of(short | length);
  return length < 2 ** 16 ? tagged(long, length, 2) : tagged(long + 1, length, 4);
}

function tagged(tag: number, length: number, width: number): Uint8Array {
  const octets = Buffer.alloc(1 + width);
  octets[0] = tag;
  octets.writeUIntBE(length, 1, width);
  return octets;
}
