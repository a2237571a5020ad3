import { isIPv6 } from "node:net";

/** Returns the 16 octets of an address; `undefined` for any other text, and for an address with a zone. */
export function parseIpv6(text: string): Buffer | undefined {
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted !== null) {
    const [a, b, c, d] = dotted.slice(2).map(Number) as [number, number, number, number];
    return parseIpv6(`${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const [head, tail] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const groups = head!.concat(tail === undefined ? [] : [...Array(8 - head!.length - tail.length).fill("0"), ...tail]);
  const octets = Buffer.alloc(16);
  for (const [index, group] of groups.entries()) octets.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  return octets;
}

/**
 * Returns an address in the form of RFC 5952: lower case, no leading zeros, the first longest run of two or more zero
 * groups as `::`.
 */
export function formatIpv6(octets: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => octets.readUInt16BE(2 * index).toString(16));
  let [start, length] = [0, 0];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === "0") to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}
