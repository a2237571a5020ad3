/** Reads the octets of a message in sequence. Every read is checked, because a message may state wrong lengths. */

/** Error for a message that violates RFC 1035. Never thrown outside this folder. */
export class UnreadableMessage extends Error {
  override readonly name = "UnreadableMessage";
}

/** A position in a message. */
export interface Cursor {
  /** The whole message, because compressed names refer to earlier positions. */
  readonly octets: Buffer;
  /** Offset of the next octet. */
  at: number;
  /** Offset after the last readable octet. */
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

/** Skips octets and returns the offset of the first one. */
export function advance(cursor: Cursor, count: number): number {
  const at = cursor.at;
  if (at + count > cursor.end) throw new UnreadableMessage("the message ends too early");
  cursor.at = at + count;
  return at;
}
