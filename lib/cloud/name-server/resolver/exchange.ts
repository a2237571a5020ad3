import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import { UnreadableMessage } from "../cursor";
import { type ReceivedAnswer, readAnswer, type SentQuery, writeQuery } from "./message";

/** The address of a name server. */
export interface ServerAddress {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
}

/** Result of one query to one server. */
export type Exchange =
  | { readonly kind: "answer"; readonly answer: ReceivedAnswer }
  | { readonly kind: "silence" }
  /** The server sent a response with the right id that can't be parsed. */
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "unreachable"; readonly why: string; readonly cause: unknown };

export interface ExchangeOptions {
  readonly server: ServerAddress;
  /** Milliseconds without a response after which the query has timed out. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a query over UDP. Each query uses a socket, and thus a port, of its own; packets that do not answer the query
 * are ignored.
 *
 * @throws the reason of the abort signal
 */
export function askOverUdp(query: SentQuery, { server, timeoutMs, signal }: ExchangeOptions): Promise<Exchange> {
  return limited(timeoutMs, signal, (finish) => {
    const family = isIPv6(server.address) ? 6 : 4;
    const socket = createSocket({
      type: family === 6 ? "udp6" : "udp4",
      lookup: (host, _options, callback) => callback(null, host, family),
    });
    let open = true;
    socket.on("message", (packet) => {
      const exchange = judge(packet, query);
      if (exchange !== undefined) finish(exchange);
    });
    // A connected socket reports closed ports, and receives packets only from the server.
    socket.on("error", (error) => finish(unreachable(error)));
    socket.connect(server.port, server.address, (refused?: Error) => {
      // Without a route to the address, Node calls this callback with the error and emits no event.
      if (refused) finish(unreachable(refused));
      if (!open) return;
      socket.send(writeQuery(query), (error) => {
        if (error) finish(unreachable(error));
      });
    });
    return () => {
      open = false;
      socket.close();
    };
  });
}

/**
 * Sends a query over TCP, on a connection of its own.
 *
 * @throws the reason of the abort signal
 */
export function askOverTcp(query: SentQuery, { server, timeoutMs, signal }: ExchangeOptions): Promise<Exchange> {
  return limited(timeoutMs, signal, (finish) => {
    const socket = connect({ host: server.address, port: server.port });
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2) return;
      const length = received.readUInt16BE(0);
      if (received.length < 2 + length) return;
      const exchange = judge(received.subarray(2, 2 + length), query);
      finish(exchange ?? { kind: "unreadable", why: "the answer is to another query" });
    });
    socket.on("error", (error) => finish(unreachable(error)));
    socket.on("close", () =>
      finish({ kind: "unreadable", why: "the connection was closed before the answer was whole" }),
    );
    const message = writeQuery(query);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
    return () => socket.destroy();
  });
}

function judge(packet: Buffer, query: SentQuery): Exchange | undefined {
  try {
    const answer = readAnswer(packet, query);
    return answer === undefined ? undefined : { kind: "answer", answer };
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: "unreadable", why: error.message };
    throw error;
  }
}

function unreachable(error: Error): Exchange {
  return { kind: "unreachable", why: error.message, cause: error };
}

/**
 * Runs a task until it calls `finish`, times out or is aborted, whichever is first.
 *
 * @param start starts the task and returns a function that releases its resources
 */
function limited(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  start: (finish: (exchange: Exchange) => void) => () => void,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let ended = false;
    let cleanUp: (() => void) | undefined;
    const end = () => {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      cleanUp?.();
    };
    const finish = (exchange: Exchange) => {
      if (ended) return;
      end();
      resolve(exchange);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => finish({ kind: "silence" }), timeoutMs);
    signal?.addEventListener("abort", abort);
    cleanUp = start(finish);
    // The task may have ended during its start.
    if (ended) cleanUp();
  });
}
