import type { Problem } from "../../errors";
import type { Code } from "../../findings/codes";
import { quote } from "../../text/quote";
import { type Cursor, UnreadableMessage } from "./message-format";

/**
 * Domain names as text and as octets.
 *
 * The text has the form of zone files (RFC 1035, section 5.1): absolute, with a trailing dot, in printable ASCII. A
 * dot, a backslash or any other octet within a label is written `\.`, `\\` or `\DDD`. Every name of the wire thus has
 * exactly one text, and no text contains control characters for a terminal.
 */

/** Maximum length of a name in octets, including length octets and root (RFC 1035, section 2.3.4). */
const longestName = 255;
const longestLabel = 63;
/** Maximum number of compression pointers: one after every label of the longest name. */
const mostJumps = 127;

const period = 0x2e;
const backslash = 0x5c;

/** Matches names without escapes, which need no full parser. */
const plainName = /^(?:[a-z0-9_*-]{1,63}\.)+$/i;

/** Octets that need no escape: printable, and without a special meaning in zone files. */
const needsNoEscape = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet > 0x20 && octet < 0x7f && !'.\\"();@$'.includes(String.fromCharCode(octet)) ? 1 : 0,
);

/**
 * Reads an absolute name from text.
 *
 * Codes: `dns-name-empty`, `dns-name-relative`, `dns-name-bad-character`, `dns-name-bad-escape`,
 * `dns-name-empty-label`, `dns-name-label-too-long`, `dns-name-too-long`.
 *
 * @returns the canonical text of the name, with its upper and lower case unchanged
 */
export function readDomainName(text: string): { readonly name: string } | { readonly problem: Problem } {
  if (text.length < longestName && plainName.test(text)) return { name: text };
  if (text === ".") return { name: text };
  if (text === "") return refuse("dns-name-empty", text, "is empty: write a name such as 'www.example.com.'");
  const labels: number[][] = [];
  let current: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === period) {
      if (current.length === 0)
        return refuse(
          "dns-name-empty-label",
          text,
          "has an empty label: labels have 1 to 63 octets; remove the extra dot",
        );
      labels.push(current);
      current = [];
    } else if (code === backslash) {
      const escaped = /^\\(?:(\d{3})|([!-/:-~ ]))/.exec(text.slice(at, at + 4));
      const octet = escaped?.[1] === undefined ? escaped?.[2]?.charCodeAt(0) : Number(escaped[1]);
      if (escaped === null || octet === undefined || octet > 0xff)
        return refuse(
          "dns-name-bad-escape",
          text,
          "has a backslash that escapes nothing: write one ASCII character or three digits up to 255 after it",
        );
      current.push(octet);
      at += escaped[0].length - 1;
    } else if (code > 0x20 && code < 0x7f) {
      current.push(code);
    } else {
      return refuse(
        "dns-name-bad-character",
        text,
        `contains ${quote(text.charAt(at))}: names on the wire are ASCII without spaces; write other letters in 'xn--' form`,
      );
    }
  }
  if (current.length > 0) return refuse("dns-name-relative", text, "is relative: end it with a dot");
  const long = labels.find((label) => label.length > longestLabel);
  if (long !== undefined)
    return refuse(
      "dns-name-label-too-long",
      text,
      `has a label of ${long.length} octets: a label has at most ${longestLabel}; shorten it`,
    );
  const octets = labels.reduce((sum, label) => sum + 1 + label.length, 1);
  if (octets > longestName)
    return refuse("dns-name-too-long", text, `has ${octets} octets: a name has at most ${longestName}; shorten it`);
  return { name: labels.map((label) => `${labelText(label)}.`).join("") };
}

function refuse(code: Code, text: string, wrong: string): { readonly problem: Problem } {
  return { problem: { code, message: `domain name ${quote(text)} ${wrong}` } };
}

function labelText(octets: Iterable<number>): string {
  let text = "";
  for (const octet of octets) {
    if (needsNoEscape[octet] === 1) text += String.fromCharCode(octet);
    else if (octet > 0x20 && octet < 0x7f) text += `\\${String.fromCharCode(octet)}`;
    else text += `\\${String(octet).padStart(3, "0")}`;
  }
  return text;
}

/** Returns the name for comparisons: DNS is case-insensitive (RFC 4343). */
export function canonicalName(name: string): string {
  return name.toLowerCase();
}

/** Returns the name without its first label; `undefined` for the root. */
export function parentName(name: string): string | undefined {
  if (name === ".") return undefined;
  const parent = name.slice(endOfLabel(name, 0) + 1);
  return parent === "" ? "." : parent;
}

/** Returns whether a name equals or is a subdomain of the other; both in canonical form. */
export function isDomainAtOrBelow(name: string, ancestor: string): boolean {
  if (ancestor === "." || name === ancestor) return true;
  if (!name.endsWith(ancestor)) return false;
  return isLabelStart(name, name.length - ancestor.length);
}

export function isLabelStart(name: string, index: number): boolean {
  if (index === 0) return true;
  if (name.charCodeAt(index - 1) !== period) return false;
  let backslashes = 0;
  for (let at = index - 2; at >= 0 && name.charCodeAt(at) === backslash; at--) backslashes++;
  return backslashes % 2 === 0;
}

/** Returns the index of the dot that ends the label beginning at `start`. */
function endOfLabel(name: string, start: number): number {
  let dot = name.indexOf(".", start);
  while (dot !== -1 && !isLabelStart(name, dot + 1)) dot = name.indexOf(".", dot + 1);
  return dot === -1 ? name.length : dot;
}

/**
 * Writes the labels of a name, without the root's octet and without compression.
 *
 * @param name a name in canonical text; only the part before index `until` is written, which has to end with a label
 * @returns the offset after the last octet written
 */
export function writeLabels(name: string, until: number, target: Buffer, at: number): number {
  let lengthAt = at;
  let next = at + 1;
  for (let index = 0; index < until; index++) {
    let code = name.charCodeAt(index);
    if (code === period) {
      target[lengthAt] = next - lengthAt - 1;
      lengthAt = next++;
      continue;
    }
    if (code === backslash) {
      code = name.charCodeAt(++index);
      if (code >= 0x30 && code <= 0x39) {
        code = Number(name.slice(index, index + 3));
        index += 2;
      }
    }
    target[next++] = code;
  }
  return lengthAt;
}

/** Returns a whole name in octets, uncompressed. */
export function nameOctets(name: string): Buffer {
  const octets = Buffer.alloc(longestName);
  const end = name === "." ? 0 : writeLabels(name, name.length, octets, 0);
  octets[end] = 0;
  return octets.subarray(0, end + 1);
}

/** Buffer for the name that is being read, uncompressed. */
const scratch = Buffer.alloc(longestName);

/**
 * Reads a name, following compression (RFC 1035, section 4.1.4).
 *
 * A pointer has to refer to a position before its name, and the number of pointers is limited to the number of labels.
 * The work is thus limited for every message.
 */
export function readName(cursor: Cursor, compression: "compressed" | "uncompressed" = "compressed"): string {
  const { octets } = cursor;
  const start = cursor.at;
  let { at, end } = cursor;
  let jumps = 0;
  let after = -1;
  let written = 0;
  let plain = true;
  for (;;) {
    if (at >= end) throw new UnreadableMessage("a name ends too early");
    const length = octets[at]!;
    if (length === 0) break;
    if (length >= 0xc0 && compression === "compressed") {
      if (at + 1 >= end) throw new UnreadableMessage("a name ends too early");
      if (after === -1) after = at + 2;
      const target = ((length & 0x3f) << 8) | octets[at + 1]!;
      if (target >= start) throw new UnreadableMessage("a name points to itself or forward");
      if (++jumps > mostJumps) throw new UnreadableMessage("a name has more pointers than labels");
      at = target;
      end = octets.length;
      continue;
    }
    if (length > longestLabel) throw new UnreadableMessage("a label is of an unknown kind");
    if (at + 1 + length > end) throw new UnreadableMessage("a name ends too early");
    if (written + 1 + length + 1 > longestName) throw new UnreadableMessage("a name is too long");
    scratch[written++] = length;
    for (let index = at + 1; index <= at + length; index++) {
      const octet = octets[index]!;
      if (needsNoEscape[octet] === 0) plain = false;
      scratch[written++] = octet;
    }
    at += 1 + length;
  }
  cursor.at = after === -1 ? at + 1 : after;
  if (written === 0) return ".";
  return plain ? plainText(written) : escapedText(written);
}

/** Replaces the length octets in {@link scratch} with dots, so that one native call creates the text. */
function plainText(written: number): string {
  scratch[written] = period;
  for (let at = 0; at < written; ) {
    const length = scratch[at]!;
    scratch[at] = period;
    at += 1 + length;
  }
  return scratch.toString("latin1", 1, written + 1);
}

function escapedText(written: number): string {
  let text = "";
  for (let at = 0; at < written; ) {
    const end = at + 1 + scratch.readUInt8(at);
    text += `${labelText(scratch.subarray(at + 1, end))}.`;
    at = end;
  }
  return text;
}
