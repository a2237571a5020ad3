import { type HelloReading, readClientHello } from "./client-hello";

/** Assembles a ClientHello from the pieces in which it arrives. */
export interface HelloReader {
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

/**
 * Creates a reader for one connection.
 *
 * @param longestHello maximum length of a message, in octets
 */
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
