import { type DecodedPacket, decode, encode, type OptAnswer, type RecordClass, type RecordType } from "dns-packet";

export interface QueryParts {
  readonly id?: number;
  readonly name?: string;
  readonly type?: string;
  readonly class?: string;
  /** The maximum UDP payload size that the client announces; without it the query has no EDNS. */
  readonly payloadOctets?: number;
  readonly ednsVersion?: number;
  readonly dnssecOk?: boolean;
  readonly flags?: number;
}

/** Encodes a query with the independent library dns-packet; the default is `www.example.com A`. */
export function query(parts: QueryParts = {}): Buffer {
  const { id = 0x1234, name = "www.example.com", type = "A", payloadOctets, ednsVersion = 0, dnssecOk = false } = parts;
  const opt: OptAnswer = {
    type: "OPT",
    name: ".",
    udpPayloadSize: payloadOctets ?? 0,
    extendedRcode: 0,
    ednsVersion,
    flags: dnssecOk ? 0x8000 : 0,
    flag_do: dnssecOk,
    options: [],
  };
  return encode({
    type: "query",
    id,
    flags: parts.flags ?? 0x0100,
    questions: [{ name, type: type as RecordType, class: (parts.class ?? "IN") as RecordClass }],
    additionals: payloadOctets === undefined ? [] : [opt],
  });
}

/** Changes the number of entries in the header for one of the four sections. */
export function withCount(packet: Buffer, section: 0 | 1 | 2 | 3, count: number): Buffer {
  const changed = Buffer.from(packet);
  changed.writeUInt16BE(count, 4 + 2 * section);
  return changed;
}

/** Decodes an answer with dns-packet, and adds the fields that its types leave out. */
export function read(message: Buffer): DecodedPacket & { readonly rcode: string; readonly opcode: string } {
  return decode(message) as DecodedPacket & { readonly rcode: string; readonly opcode: string };
}

/** Prefixes a message with its length, as DNS over TCP requires. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Splits a TCP stream into messages. */
export function unframed(stream: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < stream.length; ) {
    const length = stream.readUInt16BE(at);
    messages.push(stream.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return messages;
}

/** Generates the same numbers for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** Generates malformed packets: real queries that are cut, extended, overwritten or mixed. */
export function* mutatedPackets(count: number, seed: number): Generator<Buffer> {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const names = [
    "www.example.com",
    "x.wild.example.com",
    "large.example.com",
    "loop-a.example.com",
    "child.example.com",
    "",
  ];
  const types = ["A", "AAAA", "TXT", "CNAME", "ANY", "SOA", "NS", "DS", "AXFR", "CAA"];
  for (let made = 0; made < count; made++) {
    const edns = random() < 0.5 ? { payloadOctets: below(0x10000), ednsVersion: below(3) % 2 } : {};
    let packet = query({
      id: below(0x10000),
      name: names[below(names.length)]!,
      type: types[below(types.length)]!,
      ...edns,
    });
    for (let changes = below(5); changes > 0; changes--) {
      const at = below(packet.length);
      const kind = below(6);
      if (kind === 0) packet = packet.subarray(0, at);
      else if (kind === 1)
        packet = Buffer.concat([packet, Buffer.from(Array.from({ length: below(40) }, () => below(256)))]);
      else if (kind === 2) packet = Buffer.concat([packet.subarray(0, at), packet.subarray(below(at + 1))]);
      else if (kind === 3 && packet.length > 12) packet.writeUInt16BE(below(0x10000), 4 + 2 * below(4));
      else if (packet.length > 0) packet[at] = kind === 4 ? 0xc0 : below(256);
    }
    yield packet;
  }
}
