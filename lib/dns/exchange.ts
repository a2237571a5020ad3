import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import { type DnsMessage, type DnsQuestion, encodeQuery, readAnswer } from "./message";

/** One name server. */
export interface NameServerAddress {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
}

/** The result of a query to one server. */
export type Exchange =
  | { readonly ok: true; readonly message: DnsMessage }
  /** For example `timeout`, `unreadable`, `ECONNREFUSED`. */
  | { readonly ok: false; readonly detail: string };

export interface ExchangeOptions {
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Attempts over UDP, because datagrams get lost. */
  readonly attempts: number;
  /** From 0 up to 65535, unpredictable. */
  readonly randomId: () => number;
  readonly signal: AbortSignal;
}

/**
 * Queries one server over UDP, and over TCP if the answer does not fit.
 *
 * @throws the abort reason of the signal
 */
export async function exchange(
  question: DnsQuestion,
  server: NameServerAddress,
  options: ExchangeOptions,
): Promise<Exchange> {
  let last: Exchange = { ok: false, detail: "timeout" };
  let edns: "edns" | "no edns" = "edns";
  for (let attempt = 1; attempt <= options.attempts; attempt++) {
    last = await overUdp(question, server, options, edns);
    if (!last.ok) continue;
    if (last.message.truncated) return overTcp(question, server, options);
    if (edns === "no edns" || !rejectsEdns.has(last.message.rcode)) return last;
    edns = "no edns";
  }
  return last;
}

/** Response codes of servers that do not support EDNS; they are queried again without it (RFC 6891, section 6.2.2). */
const rejectsEdns: ReadonlySet<string> = new Set(["FORMERR", "NOTIMP"]);

function overUdp(
  question: DnsQuestion,
  server: NameServerAddress,
  options: ExchangeOptions,
  edns: "edns" | "no edns",
): Promise<Exchange> {
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
    // A connected socket receives errors of closed ports, and drops datagrams from other senders.
    socket.connect(server.port, server.address, (refused?: NodeJS.ErrnoException) => {
      // If the address is unreachable, Node calls this callback and emits no event.
      if (refused) finish(failed(refused));
      else if (open) socket.send(encodeQuery(question, id, edns), (error) => error && finish(failed(error)));
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
      // A message has at most 65,535 octets, so that the buffer stays small.
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

/**
 * Runs a task until it finishes, reaches its timeout or is aborted.
 *
 * @param start begins the task and returns its clean-up function
 */
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
    // The task may have ended synchronously.
    if (ended) cleanUp();
  });
}
