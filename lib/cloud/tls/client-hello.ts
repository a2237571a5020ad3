/** Alerts that the front end sends before any keys are agreed (RFC 8446, section 6), by name. */
const alertNumbers = {
  unexpected_message: 10,
  handshake_failure: 40,
  illegal_parameter: 47,
  decode_error: 50,
  protocol_version: 70,
  internal_error: 80,
} as const;

export type AlertName = keyof typeof alertNumbers;

/** Returns the record of a fatal alert, with the record version that all clients accept. */
export function alertRecord(name: AlertName): Buffer {
  const [alert, major, minor, fatal] = [21, 3, 1, 2];
  return Buffer.from([alert, major, minor, 0, 2, fatal, alertNumbers[name]]);
}

/**
 * Reads numbers and vectors in sequence, in the format of TLS (RFC 8446, section 3). Beyond the end, all values are
 * zero or empty and `overrun` becomes true, so that one check at the end is enough.
 */
interface OctetReader {
  readonly uint8: () => number;
  readonly uint16: () => number;
  readonly octets: (count: number) => Uint8Array;
  /** Returns a vector with a length of one octet. */
  readonly vector8: () => Uint8Array;
  /** Returns a vector with a length of two octets. */
  readonly vector16: () => Uint8Array;
  readonly atEnd: () => boolean;
  readonly overrun: () => boolean;
}

function readOctets(source: Uint8Array): OctetReader {
  let at = 0;
  let overrun = false;
  const uint8 = (): number => {
    const octet = source[at];
    if (octet === undefined) {
      overrun = true;
      return 0;
    }
    at += 1;
    return octet;
  };
  const uint16 = () => uint8() * 256 + uint8();
  const octets = (count: number): Uint8Array => {
    if (count > source.length - at) {
      overrun = true;
      at = source.length;
      return new Uint8Array();
    }
    at += count;
    return source.subarray(at - count, at);
  };
  return {
    uint8,
    uint16,
    octets,
    vector8: () => octets(uint8()),
    vector16: () => octets(uint16()),
    atEnd: () => at === source.length,
    overrun: () => overrun,
  };
}

/** A ClientHello (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), as far as a server uses it to choose a certificate. */
export interface ClientHello {
  /** Requested host (RFC 6066, section 3), in lower case without trailing dot; absent if the client sends no host. */
  readonly serverName?: string;
  /** Application protocols (RFC 7301), in the client's order. */
  readonly alpnProtocols: readonly string[];
  /** Offered TLS versions, by their numbers on the wire, for example 0x0304 for TLS 1.3. */
  readonly versions: readonly number[];
  readonly cipherSuites: readonly number[];
  /** Supported signature schemes (RFC 8446, 4.2.3); absent if the client sends no list, as before TLS 1.2. */
  readonly signatureSchemes?: readonly number[];
  /** Groups for key exchange, before TLS 1.3 also curves of certificates; absent if the client sends no list. */
  readonly groups?: readonly number[];
}

export type HelloReading =
  | { readonly hello: ClientHello }
  | { readonly alert: AlertName; readonly reason: HelloRefusal };

/** Reasons to reject the first bytes of a connection. */
export type HelloRefusal =
  | "not-tls"
  | "not-a-client-hello"
  | "record-too-long"
  | "record-empty"
  | "hello-too-long"
  | "hello-malformed"
  | "extension-repeated";

const extension = {
  serverName: 0,
  supportedGroups: 10,
  signatureAlgorithms: 13,
  alpn: 16,
  supportedVersions: 43,
} as const;

const tls12 = 0x0303;

export function readClientHello(body: Uint8Array): HelloReading {
  const malformed = { alert: "decode_error", reason: "hello-malformed" } as const;
  const reader = readOctets(body);
  const legacyVersion = reader.uint16();
  reader.octets(32); // random
  const sessionId = reader.vector8();
  const cipherSuites = readNumbers(reader.vector16());
  const compressions = reader.vector8();
  if (reader.overrun() || sessionId.length > 32 || !isFilled(cipherSuites) || compressions.length === 0)
    return malformed;

  const extensions = reader.atEnd() ? new Map<number, Uint8Array>() : readExtensions(reader);
  if (extensions === "repeated") return { alert: "illegal_parameter", reason: "extension-repeated" };
  if (extensions === "malformed") return malformed;

  const serverName = read(extensions, extension.serverName, readServerName);
  const groups = read(extensions, extension.supportedGroups, (value) => readList(value.vector16()));
  const signatureSchemes = read(extensions, extension.signatureAlgorithms, (value) => readList(value.vector16()));
  const alpnProtocols = read(extensions, extension.alpn, readProtocols);
  const versions = read(extensions, extension.supportedVersions, (value) => readList(value.vector8()));
  if ([serverName, groups, signatureSchemes, alpnProtocols, versions].includes(null)) return malformed;
  return {
    hello: {
      ...(serverName ? { serverName } : {}),
      alpnProtocols: alpnProtocols ?? [],
      versions: versions ?? [Math.min(legacyVersion, tls12)],
      cipherSuites,
      ...(signatureSchemes ? { signatureSchemes } : {}),
      ...(groups ? { groups } : {}),
    },
  };
}

function readExtensions(reader: OctetReader): ReadonlyMap<number, Uint8Array> | "malformed" | "repeated" {
  const list = readOctets(reader.vector16());
  if (reader.overrun() || !reader.atEnd()) return "malformed";
  const extensions = new Map<number, Uint8Array>();
  while (!list.atEnd()) {
    const type = list.uint16();
    const value = list.vector16();
    if (list.overrun()) return "malformed";
    if (extensions.has(type)) return "repeated";
    extensions.set(type, value);
  }
  return extensions;
}

/** Reads an extension; returns undefined if it is absent, and null if it is malformed. */
function read<Value>(
  extensions: ReadonlyMap<number, Uint8Array>,
  type: number,
  parse: (reader: OctetReader) => Value | null,
): Value | null | undefined {
  const bytes = extensions.get(type);
  if (bytes === undefined) return undefined;
  const reader = readOctets(bytes);
  const value = parse(reader);
  return reader.overrun() || !reader.atEnd() ? null : value;
}

function readServerName(reader: OctetReader): string | null {
  const list = readOctets(reader.vector16());
  const hostNameType = 0;
  const type = list.uint8();
  const name = list.vector16();
  if (list.overrun() || !list.atEnd() || type !== hostNameType) return null;
  if (name.length === 0 || name.length > 255 || name.includes(0)) return null;
  return Buffer.from(name).toString("latin1").toLowerCase().replace(/\.$/, "");
}

function readProtocols(reader: OctetReader): readonly string[] | null {
  const list = readOctets(reader.vector16());
  const protocols: string[] = [];
  while (!list.atEnd()) {
    const protocol = list.vector8();
    if (list.overrun() || protocol.length === 0) return null;
    protocols.push(Buffer.from(protocol).toString("latin1"));
  }
  return protocols.length === 0 ? null : protocols;
}

function readList(bytes: Uint8Array): readonly number[] | null {
  const numbers = readNumbers(bytes);
  return isFilled(numbers) ? numbers : null;
}

/** Reads two-octet numbers; returns an empty list for an odd number of octets. */
function readNumbers(bytes: Uint8Array): readonly number[] {
  if (bytes.length % 2 !== 0) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) numbers.push(view.getUint16(at));
  return numbers;
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}

interface HelloReader {
  /** Adds bytes; returns undefined until the message is complete. Do not call it after it has returned a result. */
  readonly push: (chunk: Uint8Array) => HelloReading | undefined;
  /** Returns all bytes so far, for the handshake that follows. */
  readonly received: () => Buffer;
}

/** Longest plaintext record in octets (RFC 8446, section 5.1). */
const longestRecord = 16_384;
const recordHeader = 5;
const handshakeRecord = 22;
const messageHeader = 4;
const clientHelloMessage = 1;

/** Creates a reader for one connection. @param longestHello maximum length of a message, in octets */
export function createHelloReader(longestHello: number): HelloReader {
  const raw = growingBuffer();
  const message = growingBuffer();
  let recordAt = 0;

  return {
    push: (chunk) => {
      raw.append(chunk);
      for (;;) {
        const bytes = raw.bytes();
        const header = bytes.subarray(recordAt, recordAt + recordHeader);
        if (header.length > 0 && header[0] !== handshakeRecord)
          return { alert: "unexpected_message", reason: "not-tls" };
        if (header.length > 1 && header[1] !== 3) return { alert: "protocol_version", reason: "not-tls" };
        if (header.length < recordHeader) return undefined;
        const length = header.readUInt16BE(3);
        if (length > longestRecord) return { alert: "decode_error", reason: "record-too-long" };
        if (length === 0) return { alert: "decode_error", reason: "record-empty" };
        const end = recordAt + recordHeader + length;
        if (bytes.length < end) return undefined;
        message.append(bytes.subarray(recordAt + recordHeader, end));
        recordAt = end;
        const reading = readMessage(message.bytes(), longestHello);
        if (reading !== undefined) return reading;
      }
    },
    received: () => raw.bytes(),
  };
}

function readMessage(bytes: Buffer, longestHello: number): HelloReading | undefined {
  if (bytes[0] !== clientHelloMessage) return { alert: "unexpected_message", reason: "not-a-client-hello" };
  if (bytes.length < messageHeader) return undefined;
  const length = bytes.readUIntBE(1, 3);
  if (length > longestHello) return { alert: "decode_error", reason: "hello-too-long" };
  if (bytes.length < messageHeader + length) return undefined;
  return readClientHello(bytes.subarray(messageHeader, messageHeader + length));
}

/** Returns a buffer to which pieces of any size can be appended without copying all bytes each time. */
function growingBuffer(): { readonly append: (chunk: Uint8Array) => void; readonly bytes: () => Buffer } {
  let store: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    append: (chunk) => {
      if (length === 0) {
        // Most ClientHellos arrive in one piece, which can be used without a copy because nothing else writes to it.
        store = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      } else {
        if (length + chunk.length > store.length) {
          const larger = Buffer.allocUnsafe(Math.max(1024, 2 * (length + chunk.length)));
          store.copy(larger, 0, 0, length);
          store = larger;
        }
        store.set(chunk, length);
      }
      length += chunk.length;
    },
    bytes: () => store.subarray(0, length),
  };
}
