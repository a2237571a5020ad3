import {
  createCipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from "node:crypto";
import type { Socket } from "node:net";
import { serveTcp, type TestServer } from "./tls-servers";

/**
 * Serves certificates that OpenSSL refuses to load, as servers with another TLS library do. The server sends its hello
 * and its Certificate message and nothing more: clients end the handshake there.
 */
export function serveOddCertificates(
  chain: readonly Uint8Array[],
  version: "TLSv1.2" | "TLSv1.3",
): Promise<TestServer> {
  return serveTcp(answerOddly(chain, version));
}

/** Returns what {@link serveOddCertificates} does with a connection. */
export function answerOddly(chain: readonly Uint8Array[], version: "TLSv1.2" | "TLSv1.3"): (socket: Socket) => void {
  return (socket) => {
    let heard = Buffer.alloc(0);
    const hear = (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.length < 5 || heard.length < 5 + heard.readUInt16BE(3)) return;
      socket.off("data", hear);
      const hello = heard.subarray(5, 5 + heard.readUInt16BE(3));
      if (version === "TLSv1.2") answerTls12(socket, chain);
      else answerTls13(socket, hello, chain);
      socket.resume();
    };
    socket.on("data", hear);
  };
}

const uint = (value: number, octets: number) => {
  const bytes = Buffer.alloc(octets);
  bytes.writeUIntBE(value, 0, octets);
  return bytes;
};
const vector = (octets: number, ...parts: readonly Uint8Array[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint(content.length, octets), content]);
};
const message = (type: number, ...parts: readonly Uint8Array[]) =>
  Buffer.concat([Buffer.from([type]), vector(3, ...parts)]);
const record = (type: number, content: Uint8Array) => Buffer.concat([Buffer.from([type, 3, 3]), vector(2, content)]);
const random = createHash("sha256").update("odd").digest();

/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 (RFC 5289). */
const tls12Cipher = 0xc02b;

function answerTls12(socket: Socket, chain: readonly Uint8Array[]): void {
  const hello = message(2, Buffer.from([3, 3]), random, vector(1), uint(tls12Cipher, 2), Buffer.from([0]));
  const certificate = message(11, vector(3, ...chain.map((der) => vector(3, der))));
  socket.write(Buffer.concat([record(22, hello), record(22, certificate)]));
}

/** TLS_AES_128_GCM_SHA256 with X25519 (RFC 8446, 7.1). */
function answerTls13(socket: Socket, clientHello: Buffer, chain: readonly Uint8Array[]): void {
  const own = generateKeyPairSync("x25519");
  const x = own.publicKey.export({ format: "jwk" }).x as string;
  const share = Buffer.concat([uint(0x1d, 2), vector(2, Buffer.from(x, "base64url"))]);
  const extension = (type: number, value: Uint8Array) => Buffer.concat([uint(type, 2), vector(2, value)]);
  const sessionId = clientHello.subarray(38, 39 + (clientHello[38] ?? 0));
  const hello = message(
    2,
    Buffer.from([3, 3]),
    random,
    sessionId,
    uint(0x1301, 2),
    Buffer.from([0]),
    vector(2, extension(43, uint(0x0304, 2)), extension(51, share)),
  );
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "X25519", x: shareOf(clientHello).toString("base64url") },
    format: "jwk",
  });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey });
  const hash = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac("sha256", key).update(data).digest();
  const expand = (secret: Uint8Array, label: string, context: Uint8Array, length: number) => {
    const info = Buffer.concat([uint(length, 2), vector(1, Buffer.from(`tls13 ${label}`)), vector(1, context)]);
    return hmac(secret, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
  };
  const zeros = Buffer.alloc(32);
  const handshake = hmac(expand(hmac(zeros, zeros), "derived", hash(), 32), shared);
  const traffic = expand(handshake, "s hs traffic", hash(clientHello, hello), 32);
  const none = Buffer.alloc(0);
  const cipher = createCipheriv("aes-128-gcm", expand(traffic, "key", none, 16), expand(traffic, "iv", none, 12));
  const certificate = message(
    11,
    vector(1),
    vector(3, ...chain.map((der) => Buffer.concat([vector(3, der), vector(2)]))),
  );
  const inner = Buffer.concat([message(8, vector(2)), certificate, Buffer.from([22])]);
  cipher.setAAD(Buffer.concat([Buffer.from([23, 3, 3]), uint(inner.length + 16, 2)]));
  const sealed = Buffer.concat([cipher.update(inner), cipher.final(), cipher.getAuthTag()]);
  socket.write(Buffer.concat([record(22, hello), record(23, sealed)]));
}

/** Returns the X25519 key of a ClientHello, which has its length before it. */
function shareOf(clientHello: Buffer): Buffer {
  const at = clientHello.indexOf(Buffer.from([0x00, 0x1d, 0x00, 0x20]), 100);
  if (at === -1) throw new Error("the client offers no X25519 key");
  return clientHello.subarray(at + 4, at + 36);
}
