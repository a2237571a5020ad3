import { createDecipheriv, createHmac } from "node:crypto";

export interface SentChain {
  /** In DER, never empty. */
  readonly certificates: readonly Uint8Array[];
  readonly clientCertificateWanted: boolean;
}

/**
 * Returns the certificates of a server in DER, in the order in which it sent them. Node reports only the path that it
 * built.
 *
 * @param received every octet from the server, from the first on
 * @param handshakeSecret the server's handshake traffic secret of TLS 1.3 (RFC 8446, 7.1); before 1.3, certificates are
 * not encrypted
 * @returns undefined if the Certificate message is missing, incomplete or unreadable
 */
export function readSentChain(received: Uint8Array, handshakeSecret: Uint8Array | undefined): SentChain | undefined {
  let version = 0;
  let decrypt: Decrypt | undefined;
  let pending = Buffer.alloc(0);
  let certificates: readonly Uint8Array[] | undefined;
  let clientCertificateWanted = false;
  for (const record of records(received)) {
    let content: Uint8Array = record.content;
    if (record.type === contentType.applicationData) {
      const clear = decrypt?.(record);
      // Records after the handshake are encrypted with another key.
      if (clear === undefined) break;
      content = clear;
    } else if (record.type !== contentType.handshake) continue;
    pending = Buffer.concat([pending, content]);
    for (;;) {
      const message = takeMessage(pending);
      if (message === undefined) break;
      pending = pending.subarray(message.length + headerOctets);
      if (message.type === messageType.serverHello) {
        const hello = readServerHello(message.body);
        if (hello === undefined) return undefined;
        version = hello.version;
        if (version === tls13 && handshakeSecret !== undefined) decrypt = createDecrypt(hello.cipher, handshakeSecret);
      } else if (message.type === messageType.certificate) {
        certificates ??= readCertificateMessage(message.body, version);
      } else if (message.type === messageType.certificateRequest) {
        clientCertificateWanted = true;
      }
    }
  }
  return certificates === undefined ? undefined : { certificates, clientCertificateWanted };
}

const contentType = { handshake: 22, applicationData: 23 } as const;
const messageType = { serverHello: 2, certificate: 11, certificateRequest: 13 } as const;
const tls13 = 0x0304;
const headerOctets = 4;

interface TlsRecord {
  readonly type: number;
  /** Header of the record, in front of its content; authenticated together with the content. */
  readonly header: Uint8Array;
  readonly content: Uint8Array;
}

function* records(received: Uint8Array): Generator<TlsRecord> {
  const recordHeaderOctets = 5;
  let at = 0;
  while (at + recordHeaderOctets <= received.length) {
    const start = at + recordHeaderOctets;
    const end = start + readUint(received, at + 3, 2);
    if (end > received.length) return;
    yield {
      type: received[at] as number,
      header: received.subarray(at, start),
      content: received.subarray(start, end),
    };
    at = end;
  }
}

function takeMessage(pending: Uint8Array): { type: number; length: number; body: Uint8Array } | undefined {
  if (pending.length < headerOctets) return undefined;
  const length = readUint(pending, 1, 3);
  if (pending.length < headerOctets + length) return undefined;
  return { type: pending[0] as number, length, body: pending.subarray(headerOctets, headerOctets + length) };
}

/** Reads the ServerHello (RFC 8446, 4.1.3). One of the extensions contains the negotiated version. */
function readServerHello(body: Uint8Array): { readonly version: number; readonly cipher: number } | undefined {
  const sessionIdAt = 34;
  const supportedVersions = 43;
  const cipherAt = sessionIdAt + 1 + (body[sessionIdAt] ?? 0);
  if (cipherAt + 3 > body.length) return undefined;
  let version = readUint(body, 0, 2);
  let at = cipherAt + 5;
  while (at + 4 <= body.length) {
    const length = readUint(body, at + 2, 2);
    if (readUint(body, at, 2) === supportedVersions && length === 2) version = readUint(body, at + 4, 2);
    at += 4 + length;
  }
  return { version, cipher: readUint(body, cipherAt, 2) };
}

/** In TLS 1.3, a context precedes the list, and extensions follow each certificate (RFC 8446, 4.4.2). */
function readCertificateMessage(body: Uint8Array, version: number): readonly Uint8Array[] | undefined {
  const isTls13 = version === tls13;
  const certificates: Uint8Array[] = [];
  let at = isTls13 ? 1 + (body[0] ?? 0) : 0;
  const end = at + 3 + readUint(body, at, 3);
  if (end !== body.length) return undefined;
  at += 3;
  while (at < end) {
    const length = readUint(body, at, 3);
    if (at + 3 + length > end) return undefined;
    certificates.push(body.subarray(at + 3, at + 3 + length));
    at += 3 + length;
    if (isTls13) at += 2 + readUint(body, at, 2);
  }
  return certificates.length === 0 ? undefined : certificates;
}

type Decrypt = (record: TlsRecord) => Uint8Array | undefined;

/** The cipher suites of TLS 1.3 that the client offers (RFC 8446, B.4). */
const suites = new Map<
  number,
  { readonly aead: "aes-128-gcm" | "aes-256-gcm" | "chacha20-poly1305"; readonly key: number; readonly hash: string }
>([
  [0x1301, { aead: "aes-128-gcm", key: 16, hash: "sha256" }],
  [0x1302, { aead: "aes-256-gcm", key: 32, hash: "sha384" }],
  [0x1303, { aead: "chacha20-poly1305", key: 32, hash: "sha256" }],
]);

/**
 * Creates a function that decrypts the server's handshake records in their order (RFC 8446, 5.2 and 5.3); it returns
 * undefined if a record is encrypted with another key. Returns undefined for an unsupported cipher suite.
 */
function createDecrypt(cipher: number, secret: Uint8Array): Decrypt | undefined {
  const suite = suites.get(cipher);
  if (suite === undefined) return undefined;
  const key = expandLabel(suite.hash, secret, "key", suite.key);
  const iv = expandLabel(suite.hash, secret, "iv", 12);
  const tagOctets = 16;
  let sequence = 0;
  return ({ header, content }) => {
    const nonce = Buffer.from(iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
    sequence += 1;
    const end = content.length - tagOctets;
    if (end < 0) return undefined;
    try {
      const options = { authTagLength: tagOctets };
      const decipher = createDecipheriv(suite.aead as "aes-128-gcm", key, nonce, options);
      decipher.setAAD(header, { plaintextLength: end });
      decipher.setAuthTag(content.subarray(end));
      const clear = Buffer.concat([decipher.update(content.subarray(0, end)), decipher.final()]);
      let last = clear.length - 1;
      while (last > 0 && clear[last] === 0) last -= 1;
      return clear[last] === contentType.handshake ? clear.subarray(0, last) : new Uint8Array();
    } catch {
      return undefined;
    }
  };
}

/** HKDF-Expand-Label without context (RFC 8446, 7.1), for at most one round of the hash. */
function expandLabel(hash: string, secret: Uint8Array, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([length >> 8, length & 0xff, name.length]), name, Buffer.from([0])]);
  return createHmac(hash, secret)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}

function readUint(bytes: Uint8Array, at: number, octets: number): number {
  let value = 0;
  for (let index = at; index < at + octets; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}
