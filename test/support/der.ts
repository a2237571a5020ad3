/** Writes DER, for certificates that no library would make. */

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(8, "0"), "hex");
  const significant = length.subarray(length.findIndex((octet) => octet !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant, content]);
}

export const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents);
export const octetString = (content: Uint8Array) => der(0x04, content);
export const bitString = (content: Uint8Array, unusedBits = 0) => der(0x03, Buffer.from([unusedBits]), content);

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const octets = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    octets.unshift((rest & 0x7f) | 0x80);
  return octets;
}
