/**
 * Reading octets of a message from front to back. Every step is checked: a message says nothing true about its own length.
 */

/** A message is not what RFC 1035 says one is. Never leaves this folder. */
export class UnreadableMessage extends Error {
  override readonly name = "UnreadableMessage";
}

/** A place in a message. */
export interface Cursor {
  /** The whole message, because names point back into it. */
  readonly octets: Buffer;
  /** Offset of the next octet. */
  at: number;
  /** Offset behind the last octet that may be read. */
  readonly end: number;
}

export function cursorOver(octets: Buffer): Cursor {
  return { octets, at: 0, end: octets.length };
}

export function readUint8(cursor: Cursor): number {
  return cursor.octets[advance(cursor, 1)]!;
}

export function readUint16(cursor: Cursor): number {
  const at = advance(cursor, 2);
  return (cursor.octets[at]! << 8) | cursor.octets[at + 1]!;
}

export function readUint32(cursor: Cursor): number {
  return readUint16(cursor) * 0x10000 + readUint16(cursor);
}

/** The next octets, not copied. */
export function readOctets(cursor: Cursor, count: number): Buffer {
  const at = advance(cursor, count);
  return cursor.octets.subarray(at, at + count);
}

/** Steps over octets and answers where they begin. */
export function advance(cursor: Cursor, count: number): number {
  const at = cursor.at;
  if (at + count > cursor.end) throw new UnreadableMessage("the message ends too early");
  cursor.at = at + count;
  return at;
}
