import type { Socket } from "node:net";

/**
 * Messages on one TCP connection. Each message follows its length in two octets (RFC 1035, section 4.2.2). Several
 * messages may be in progress, and answers may have any order (RFC 7766, section 6.2.1.1).
 */

/** Maximum number of unanswered queries per connection; beyond it, reading pauses. */
const mostPending = 100;
/** Number of unread octets at which reading pauses: one longest message with its length. */
const mostBufferedOctets = 2 + 0xffff;

interface TcpConnectionOptions {
  /** Answers one message by calling `send` once, now or later, with an answer or with undefined. */
  readonly onMessage: (message: Buffer, send: (answer: Buffer | undefined) => void) => void;
  /** Milliseconds after which a connection is closed if it has no complete message or its client does not read. */
  readonly idleMs: number;
}

/** Serves one connection until either side closes it. */
export function serveTcpConnection(socket: Socket, { onMessage, idleMs }: TcpConnectionOptions): void {
  let received: Buffer = Buffer.alloc(0);
  let pending = 0;
  let ended = false;
  let pumping = false;

  const idle = setTimeout(() => {
    if (pending > 0 && !socket.writableNeedDrain) idle.refresh();
    else socket.destroy();
  }, idleMs);

  /** Processes complete messages, and reads further only as fast as answers are sent. */
  function pump(): void {
    if (pumping) return;
    pumping = true;
    let message = takeMessage();
    while (message !== undefined) {
      idle.refresh();
      pending++;
      onMessage(message, answered);
      message = takeMessage();
    }
    pumping = false;
    if (ended && pending === 0 && !socket.writableNeedDrain) socket.end();
    else if (received.length < mostBufferedOctets) socket.resume();
    else socket.pause();
  }

  function takeMessage(): Buffer | undefined {
    if (socket.destroyed || socket.writableNeedDrain || pending >= mostPending || received.length < 2) return undefined;
    const end = 2 + received.readUInt16BE(0);
    if (received.length < end) return undefined;
    const message = received.subarray(2, end);
    received = received.subarray(end);
    return message;
  }

  function answered(answer: Buffer | undefined): void {
    pending--;
    if (answer !== undefined && socket.writable) socket.write(withLength(answer));
    pump();
  }

  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    pump();
  });
  socket.on("drain", pump);
  // The client may have closed its side and still expect answers.
  socket.on("end", () => {
    ended = true;
    pump();
  });
  // A reset needs no handling here; "close" follows.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => clearTimeout(idle));
}

/** Returns a message after its length. */
function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
