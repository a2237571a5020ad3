import type { Socket } from "node:net";

/**
 * Messages on one TCP connection: each has its length in two octets before it (RFC 1035, section 4.2.2), several may be under way, and answers
 * may overtake each other (RFC 7766, section 6.2.1.1).
 */

/** Queries of one connection that may wait for their answers; beyond that nothing more is read. */
const mostPending = 100;
/** Octets of unread input that stop the reading: one longest message with its length. */
const mostBufferedOctets = 2 + 0xffff;

export interface TcpConnectionOptions {
  /**
   * Answers one message by calling `send` once, now or later: with an answer, or with nothing.
   */
  readonly onMessage: (message: Buffer, send: (answer: Buffer | undefined) => void) => void;
  /** Milliseconds after which a connection without a complete message, or whose client does not read, is ended. */
  readonly idleMs: number;
}

/** Serves one connection until either side ends it. */
export function serveTcpConnection(socket: Socket, { onMessage, idleMs }: TcpConnectionOptions): void {
  let received: Buffer = Buffer.alloc(0);
  let pending = 0;
  let ended = false;
  let pumping = false;

  const idle = setTimeout(() => {
    if (pending > 0 && !socket.writableNeedDrain) idle.refresh();
    else socket.destroy();
  }, idleMs);

  /** Hands on what is complete, and reads on only as fast as answers go out. */
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
    if (answer !== undefined && socket.writable) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
    pump();
  }

  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    pump();
  });
  socket.on("drain", pump);
  // The client may have closed its side and still wait for answers.
  socket.on("end", () => {
    ended = true;
    pump();
  });
  // Resets are the client's affair; "close" follows.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => clearTimeout(idle));
}
