import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** Types of the records with which a client ends a handshake: ChangeCipherSpec, and encrypted data of TLS 1.3. */
const lastFlightRecords: readonly number[] = [20, 23];
const recordHeader = 5;

/**
 * A socket that delays what the server sends after the client's last flight, until {@link open} is called. OpenSSL sends
 * the end of the handshake and session tickets before Node lets anyone look at the client's certificate. A client that
 * received them would consider the connection accepted.
 */
export class GatedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #delayed: (() => void)[] = [];
  #header = Buffer.alloc(0);
  /** Octets until the next record. */
  #remaining = 0;
  #isClosed = false;
  #isOpened = false;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      if (!this.#isOpened) this.#watch(chunk);
      if (!this.push(chunk)) socket.pause();
    });
    socket.once("end", () => this.push(null));
    socket.once("close", () => this.destroy());
  }

  /** Sends what was delayed, and everything from now on at once. */
  open(): void {
    this.#isOpened = true;
    this.#isClosed = false;
    for (const send of this.#delayed.splice(0)) send();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error | null) => void): void {
    const send = () => void this.#socket.write(chunk, () => done());
    if (this.#isClosed) this.#delayed.push(send);
    else send();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  /** Closes the gate when a record of the client's last flight arrives. */
  #watch(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#isClosed) {
      if (this.#remaining > 0) {
        const skipped = Math.min(this.#remaining, rest.length);
        this.#remaining -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const missing = recordHeader - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#header.length < recordHeader) return;
      if (lastFlightRecords.includes(this.#header[0] ?? 0)) this.#isClosed = true;
      this.#remaining = this.#header.readUInt16BE(3);
      this.#header = Buffer.alloc(0);
    }
  }
}
