import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import { type DnsMessage, type DnsQuestion, encodeQuery, readAnswer } from "./message";

/** One name server. */
export interface NameServerAddress {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
}

/** How asking one server ended. */
export type Exchange =
  | { readonly ok: true; readonly message: DnsMessage }
  /** As in `timeout`, `unreadable`, `ECONNREFUSED`. */
  | { readonly ok: false; readonly detail: string };

export interface ExchangeOptions {
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  /** Attempts over UDP; datagrams get lost. */
  readonly attempts: number;
  /** From 0 up to 65535, unpredictable. */
  readonly randomId: () => number;
  readonly signal: AbortSignal;
}

/**
 * Asks one server, over UDP, and over TCP where the answer does not fit.
 *
 * @throws what the signal was aborted with
 */
export async function exchange(
  question: DnsQuestion,
  server: NameServerAddress,
  options: ExchangeOptions,
): Promise<Exchange> {
  let last: Exchange = { ok: false, detail: "timeout" };
  for (let attempt = 1; attempt <= options.attempts; attempt++) {
    last = await overUdp(question, server, options);
    if (!last.ok) continue;
    return last.message.truncated ? overTcp(question, server, options) : last;
  }
  return last;
}

function overUdp(question: DnsQuestion, server: NameServerAddress, options: ExchangeOptions): Promise<Exchange> {
  const id = options.randomId();
  return limited(options, (finish) => {
    const socket = createSocket({
      type: isIPv6(server.address) ? "udp6" : "udp4",
      lookup: (host, _options, callback) => callback(null, host, isIPv6(host) ? 6 : 4),
    });
    let open = true;
    socket.on("message", (octets) => {
      const message = readAnswer(octets, question, id);
      if (message !== undefined) finish(judge(message));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => finish(failed(error)));
    // A connected socket hears of closed ports, and nothing from anybody else.
    socket.connect(server.port, server.address, (refused?: NodeJS.ErrnoException) => {
      // Node calls this, and emits nothing, where there is no way to the address either.
      if (refused) finish(failed(refused));
      else if (open) socket.send(encodeQuery(question, id), (error) => error && finish(failed(error)));
    });
    return () => {
      open = false;
      socket.close();
    };
  });
}

function overTcp(question: DnsQuestion, server: NameServerAddress, options: ExchangeOptions): Promise<Exchange> {
  const id = options.randomId();
  return limited(options, (finish) => {
    const socket = connect({ host: server.address, port: server.port });
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      // A message has at most 65,535 octets, so that nothing piles up.
      const length = received.length < 2 ? Number.POSITIVE_INFINITY : received.readUInt16BE(0);
      if (received.length < 2 + length) return;
      finish(judge(readAnswer(received.subarray(2, 2 + length), question, id) ?? "unreadable"));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => finish(failed(error)));
    socket.on("close", () => finish({ ok: false, detail: "unreadable" }));
    const query = encodeQuery(question, id);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
    return () => socket.destroy();
  });
}

function judge(message: DnsMessage | "unreadable"): Exchange {
  return message === "unreadable" ? { ok: false, detail: message } : { ok: true, message };
}

function failed(error: NodeJS.ErrnoException): Exchange {
  return { ok: false, detail: error.code ?? "failed" };
}

/** Runs something until it finishes, for so long, or until the signal. @param start begins, and answers how to clean up */
function limited(
  { timeoutMs, signal }: ExchangeOptions,
  start: (finish: (result: Exchange) => void) => () => void,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let ended = false;
    let cleanUp = () => {};
    const end = () => {
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      cleanUp();
    };
    const finish = (result: Exchange) => {
      if (ended) return;
      end();
      resolve(result);
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(() => finish({ ok: false, detail: "timeout" }), timeoutMs);
    signal.addEventListener("abort", abort);
    cleanUp = start(finish);
    // It may have ended while it began.
    if (ended) cleanUp();
  });
}
