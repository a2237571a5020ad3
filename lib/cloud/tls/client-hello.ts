import type { AlertName } from "./alert";
import { type OctetReader, readOctets } from "./octets";

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
  /**
   * Supported groups for key exchange; before TLS 1.3 also the supported curves of certificates. Absent if the client
   * sends no list.
   */
  readonly groups?: readonly number[];
}

/** A ClientHello, or the alert that rejects it. */
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

/** Reads the body of a ClientHello message. */
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

/** Reads the only name of type host_name. */
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
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) numbers.push(bytes[at]! * 256 + bytes[at + 1]!);
  return numbers;
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}
