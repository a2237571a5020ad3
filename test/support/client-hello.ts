/** The fields of a ClientHello; see RFC 8446, 4.1.2. Omitted extensions are not sent. */
export interface HelloParts {
  readonly legacyVersion?: number;
  readonly sessionId?: Uint8Array;
  readonly cipherSuites?: readonly number[];
  readonly compressions?: readonly number[];
  readonly serverName?: string;
  readonly groups?: readonly number[];
  readonly signatureSchemes?: readonly number[];
  readonly alpnProtocols?: readonly string[];
  readonly versions?: readonly number[];
  /** Further extensions, after the others. */
  readonly extensions?: readonly (readonly [type: number, value: Uint8Array])[];
}

/** Returns the body of a ClientHello message. */
export function helloBody(parts: HelloParts = {}): Buffer {
  const extensions: (readonly [number, Uint8Array])[] = [];
  if (parts.serverName !== undefined) {
    extensions.push([0, vector(2, Buffer.from([0]), vector(2, Buffer.from(parts.serverName, "latin1")))]);
  }
  if (parts.groups !== undefined) extensions.push([10, vector(2, numbers(parts.groups))]);
  if (parts.signatureSchemes !== undefined) extensions.push([13, vector(2, numbers(parts.signatureSchemes))]);
  if (parts.alpnProtocols !== undefined) {
    extensions.push([16, vector(2, ...parts.alpnProtocols.map((name) => vector(1, Buffer.from(name, "latin1"))))]);
  }
  if (parts.versions !== undefined) extensions.push([43, vector(1, numbers(parts.versions))]);
  extensions.push(...(parts.extensions ?? []));
  return Buffer.concat([
    numbers([parts.legacyVersion ?? 0x0303]),
    Buffer.alloc(32, 7),
    vector(1, parts.sessionId ?? new Uint8Array()),
    vector(2, numbers(parts.cipherSuites ?? [0x1301, 0xc02b, 0xc02f])),
    vector(1, Buffer.from(parts.compressions ?? [0])),
    ...(extensions.length === 0
      ? []
      : [vector(2, ...extensions.map(([type, value]) => Buffer.concat([numbers([type]), vector(2, value)])))]),
  ]);
}

/** Returns a handshake message, by default a ClientHello. */
export function message(body: Uint8Array, type = 1): Buffer {
  return Buffer.concat([Buffer.from([type]), vector(3, body)]);
}

/** Returns TLS records with the bytes of a handshake, at most `size` in each. */
export function records(bytes: Uint8Array, size = 16_384): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(Buffer.from([22, 3, 1]), vector(2, bytes.subarray(at, at + size)));
  }
  return Buffer.concat(parts);
}

/** Returns bytes after their length, which takes `lengthOctets` octets. */
function vector(lengthOctets: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(lengthOctets);
  length.writeUIntBE(content.length, 0, lengthOctets);
  return Buffer.concat([length, content]);
}

function numbers(values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}
