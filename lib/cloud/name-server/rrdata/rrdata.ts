import { InputError, type Problem } from "../../../errors";
import { quote } from "../../../text/quote";
import * as fields from "./fields";
import { tokenize } from "./fields";

/** Data of records: as text of zone files and of `rrdatas` in Cloud DNS, as a value, and as octets. */

/** Fields of each type, in the order of text and octets. */
const layouts = {
  A: { address: fields.ipv4 },
  AAAA: { address: fields.ipv6 },
  CAA: { flags: fields.uint8, tag: fields.caaTag, value: fields.caaValue },
  CNAME: { target: fields.compressibleName },
  DNSKEY: { flags: fields.uint16, protocol: fields.uint8, algorithm: fields.uint8, publicKey: fields.base64 },
  DS: { keyTag: fields.uint16, algorithm: fields.uint8, digestType: fields.uint8, digest: fields.hex },
  MX: { preference: fields.uint16, exchange: fields.compressibleName },
  NAPTR: {
    order: fields.uint16,
    preference: fields.uint16,
    flags: fields.characterString,
    services: fields.characterString,
    regexp: fields.characterString,
    replacement: fields.newName,
  },
  NS: { target: fields.compressibleName },
  PTR: { target: fields.compressibleName },
  SOA: {
    primaryServer: fields.compressibleName,
    mailbox: fields.compressibleName,
    serial: fields.uint32,
    refreshSeconds: fields.uint32,
    retrySeconds: fields.uint32,
    expireSeconds: fields.uint32,
    /** Maximum time in seconds for which resolvers may cache a negative answer (RFC 2308, section 4). */
    negativeTtlSeconds: fields.uint32,
  },
  SPF: { strings: fields.characterStrings },
  SRV: { priority: fields.uint16, weight: fields.uint16, port: fields.uint16, target: fields.newName },
  SSHFP: { algorithm: fields.uint8, fingerprintType: fields.uint8, fingerprint: fields.hex },
  TLSA: { usage: fields.uint8, selector: fields.uint8, matchingType: fields.uint8, data: fields.hex },
  TXT: { strings: fields.characterStrings },
} as const;

export type ServedRecordType = keyof typeof layouts;

type FieldValue<F> = F extends fields.Field<infer T> ? T : never;

/**
 * Data of one record by type. Names are absolute; strings have one character per octet; binary data are in hexadecimal
 * or Base64 digits.
 */
export type Rrdata<T extends ServedRecordType> = {
  readonly [K in keyof (typeof layouts)[T]]: FieldValue<(typeof layouts)[T][K]>;
};

/** Data in octets: pieces that are written unchanged, and texts of names that a message may compress. */
export type EncodedRrdata = readonly (Buffer | string)[];

export const recordTypes = Object.keys(layouts) as readonly ServedRecordType[];

export function isRecordType(type: string): type is ServedRecordType {
  return Object.hasOwn(layouts, type);
}

/** Maximum length of the data of one record, in octets: the length field has 16 bits. */
const longestRrdata = 0xffff;

/** Returns the layout without its static types: every field of a value has a field of the same name in the layout. */
function layoutOf(type: ServedRecordType): [string, fields.Field<unknown>][] {
  return Object.entries(layouts[type]) as [string, fields.Field<unknown>][];
}

/** Reads a record's data from text. @throws InputError with one problem; see {@link readRrdata} for its codes */
export function parseRrdata<T extends ServedRecordType>(type: T, text: string): Rrdata<T> {
  const tokens = tokenize(text);
  const value: Record<string, unknown> = {};
  for (const [name, field] of layoutOf(type)) value[name] = field.parse(tokens);
  const left = tokens.list[tokens.next];
  if (left !== undefined)
    throw new InputError(
      "rrdata-too-long",
      `record data ${quote(text)} goes on with ${quote(left.raw)} after its last field: a record of type ${type} has ${Object.keys(layouts[type]).join(", ")}; remove the rest`,
    );
  const octets = encodeRrdata(type, value as Rrdata<T>).reduce((sum, part) => sum + part.length, 0);
  if (octets > longestRrdata)
    throw new InputError(
      "rrdata-too-long",
      `record data ${quote(text)} has ${octets} octets: a record has at most ${longestRrdata}; shorten it`,
    );
  return value as Rrdata<T>;
}

/**
 * Reads the data of a type that may be any text, as {@link parseRrdata} does, but returns a problem instead of
 * throwing.
 *
 * Codes: `rrdata-unknown-type`, `rrdata-incomplete`, `rrdata-too-long`, `rrdata-bad-number`, `rrdata-bad-ipv4`,
 * `rrdata-bad-ipv6`, `rrdata-bad-caa-tag`, `rrdata-bad-binary`, `rrdata-string-too-long`, `rrdata-open-quote`,
 * `rrdata-bad-escape`, `rrdata-control-character`, and those of names, which begin with `dns-name-`.
 *
 * @returns the data in canonical text; two records are equal exactly if their canonical texts are equal
 */
export function readRrdata(type: string, text: string): { readonly rrdata: string } | { readonly problem: Problem } {
  if (!isRecordType(type)) {
    const message = `records of type ${quote(type)} can't be served: use one of ${recordTypes.join(", ")}`;
    return { problem: { code: "rrdata-unknown-type", message } };
  }
  try {
    return { rrdata: formatRrdata(type, parseRrdata(type, text)) };
  } catch (error) {
    if (error instanceof InputError) return { problem: error.problems[0]! };
    throw error;
  }
}

export function formatRrdata<T extends ServedRecordType>(type: T, rrdata: Rrdata<T>): string {
  const values: Readonly<Record<string, unknown>> = rrdata;
  return layoutOf(type)
    .map(([name, field]) => field.format(values[name]))
    .join(" ");
}

export function encodeRrdata<T extends ServedRecordType>(type: T, rrdata: Rrdata<T>): EncodedRrdata {
  const values: Readonly<Record<string, unknown>> = rrdata;
  return layoutOf(type).map(([name, field]) => field.encode(values[name]));
}
