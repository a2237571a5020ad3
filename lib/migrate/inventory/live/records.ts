import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { getServers } from "node:dns";
import { connect, isIPv6 } from "node:net";
import type { DecodedPacket, Answer as DnsRecord } from "dns-packet";
import { readServer } from "../../dns/look-up";
import type { NameAddresses, NameRecords } from "../model";

/** What DNS has of a name, or why nobody could say. */
export type RecordsAnswer =
  | { readonly ok: true; readonly records: NameRecords }
  | { readonly ok: false; readonly detail: string };

/** Asks for the addresses and the alias of a name, with their times to live. Never rejects. */
export type AskRecords = (name: string) => Promise<RecordsAnswer>;

interface Server {
  readonly address: string;
  readonly port: number;
}

type Exchange = { readonly ok: true; readonly packet: DecodedPacket } | { readonly ok: false; readonly detail: string };

const attemptMs = 2_000;
const attempts = 3;
/** Longest chain of aliases; public resolvers follow 8 to 17. */
const longestChain = 16;
const rcodeMask = 0xf;

/**
 * Asks the machine's own resolvers in turn, or one server. Node's resolver does not tell how long an alias may be kept, so this asks for itself.
 *
 * @param server `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given
 * @throws InputError `dns-server-malformed`
 */
export function createAskRecords(server: string | undefined, signal: AbortSignal): AskRecords {
  const servers = (server === undefined ? getServers() : [readServer(server)]).map(splitServer);
  return async (name) => {
    const [a, aaaa] = await Promise.all([ask(name, "A", servers, signal), ask(name, "AAAA", servers, signal)]);
    if ("detail" in a) return { ok: false, detail: a.detail };
    if ("detail" in aaaa) return { ok: false, detail: aaaa.detail };
    return { ok: true, records: { cname: a.cname ?? aaaa.cname, a: a.addresses, aaaa: aaaa.addresses } };
  };
}

type Found = { readonly cname: NameRecords["cname"]; readonly addresses: NameAddresses } | { readonly detail: string };

/** Follows aliases, also where the server leaves that to the client. */
async function ask(name: string, type: "A" | "AAAA", servers: readonly Server[], signal: AbortSignal): Promise<Found> {
  let cname: NameRecords["cname"] = null;
  let owner = name.toLowerCase();
  const seen = new Set([owner]);
  for (;;) {
    const exchange = await exchangeWithAny(owner, type, servers, signal);
    if (!exchange.ok) return { detail: exchange.detail };
    const { answers = [] } = exchange.packet;
    const asked = owner;
    for (let alias = aliasOf(owner, answers); alias !== undefined; alias = aliasOf(owner, answers)) {
      cname ??= { target: `${alias.target}.`, ttlSeconds: alias.ttlSeconds };
      owner = alias.target;
      if (seen.has(owner)) return { detail: "its aliases lead in a circle" };
      if (seen.size > longestChain) return { detail: `it has more than ${longestChain} aliases in a row` };
      seen.add(owner);
    }
    const addresses = addressesOf(owner, type, answers);
    // An answer that ends with an alias says nothing of what the alias leads to, unless it says that there is nothing.
    const toldAll = addresses.addresses.length > 0 || owner === asked || (exchange.packet.authorities ?? []).length > 0;
    if (toldAll) return { cname, addresses };
  }
}

function aliasOf(owner: string, answers: readonly DnsRecord[]): { target: string; ttlSeconds: number } | undefined {
  for (const record of answers) {
    if (record.type === "CNAME" && plain(record.name) === owner) {
      return { target: plain(record.data), ttlSeconds: record.ttl ?? 0 };
    }
  }
  return undefined;
}

function addressesOf(owner: string, type: "A" | "AAAA", answers: readonly DnsRecord[]): NameAddresses {
  const addresses = new Set<string>();
  let ttlSeconds: number | null = null;
  for (const record of answers) {
    if (record.type !== type || plain(record.name) !== owner) continue;
    addresses.add(type === "AAAA" ? new URL(`http://[${record.data}]`).hostname.slice(1, -1) : record.data);
    ttlSeconds = Math.min(ttlSeconds ?? Number.POSITIVE_INFINITY, record.ttl ?? 0);
  }
  return { addresses: [...addresses].sort(), ttlSeconds };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

async function exchangeWithAny(
  name: string,
  type: "A" | "AAAA",
  servers: readonly Server[],
  signal: AbortSignal,
): Promise<Exchange> {
  let last: Exchange = { ok: false, detail: "there is no DNS server to ask" };
  for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
    const server = servers[attempt % servers.length];
    if (server === undefined) return last;
    last = await exchangeOnce(name, type, server, signal);
    if (last.ok) return last;
  }
  return last;
}

async function exchangeOnce(name: string, type: "A" | "AAAA", server: Server, signal: AbortSignal): Promise<Exchange> {
  const { encode } = require("dns-packet") as typeof import("dns-packet");
  const id = randomInt(0x10000);
  const recursionDesired = 0x0100;
  const query = encode({
    type: "query",
    id,
    flags: recursionDesired,
    questions: [{ type, name }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: 1232,
        flags: 0,
        options: [],
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
      },
    ],
  });
  const read = (message: Buffer) => readAnswer(message, id, name, type);
  const overUdp = await askOverUdp(query, server, read, signal);
  return overUdp.ok && overUdp.packet.flag_tc === true ? askOverTcp(query, server, read, signal) : overUdp;
}

/** The answer, or why it is none; nothing for what is no answer to this query, which anybody may have sent. */
function readAnswer(message: Buffer, id: number, name: string, type: string): Exchange | undefined {
  const { decode } = require("dns-packet") as typeof import("dns-packet");
  let packet: DecodedPacket;
  try {
    packet = decode(message);
  } catch {
    return undefined;
  }
  const question = packet.questions?.[0];
  if (packet.id !== id || packet.type !== "response") return undefined;
  const rcode = (packet.flags ?? 0) & rcodeMask;
  if (question !== undefined && (plain(question.name) !== name || question.type !== type)) return undefined;
  const [noError, noSuchName] = [0, 3];
  if (rcode === noError || rcode === noSuchName) return question === undefined ? undefined : { ok: true, packet };
  const names: Readonly<Record<number, string>> = { 1: "FORMERR", 2: "SERVFAIL", 4: "NOTIMP", 5: "REFUSED" };
  return { ok: false, detail: names[rcode] ?? `response code ${rcode}` };
}

type Read = (message: Buffer) => Exchange | undefined;

function askOverUdp(query: Buffer, server: Server, read: Read, signal: AbortSignal): Promise<Exchange> {
  return limited(signal, (finish) => {
    const family = isIPv6(server.address) ? 6 : 4;
    const socket = createSocket({
      type: family === 6 ? "udp6" : "udp4",
      lookup: (host, _options, callback) => callback(null, host, family),
    });
    let open = true;
    socket.on("message", (message) => {
      const exchange = read(message);
      if (exchange !== undefined) finish(exchange);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => finish({ ok: false, detail: error.code ?? error.message }));
    // A connected socket hears of closed ports, and nothing from anybody else.
    socket.connect(server.port, server.address, () => {
      if (open) socket.send(query);
    });
    return () => {
      open = false;
      socket.close();
    };
  });
}

function askOverTcp(query: Buffer, server: Server, read: Read, signal: AbortSignal): Promise<Exchange> {
  return limited(signal, (finish) => {
    const socket = connect({ host: server.address, port: server.port });
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const exchange = read(received.subarray(2, 2 + received.readUInt16BE(0)));
      finish(exchange ?? { ok: false, detail: "the answer can't be read" });
    });
    socket.on("error", (error: NodeJS.ErrnoException) => finish({ ok: false, detail: error.code ?? error.message }));
    socket.on("close", () => finish({ ok: false, detail: "the connection was closed" }));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
    return () => socket.destroy();
  });
}

/** Something that ends by a call of `finish`, by time or by the signal, whichever is first. */
function limited(signal: AbortSignal, start: (finish: (exchange: Exchange) => void) => () => void): Promise<Exchange> {
  return new Promise((resolve) => {
    let cleanUp: (() => void) | undefined;
    let ended = false;
    const finish = (exchange: Exchange) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      cleanUp?.();
      resolve(exchange);
    };
    const stop = () => finish({ ok: false, detail: "the run was stopped" });
    const timer = setTimeout(() => finish({ ok: false, detail: `no answer in ${attemptMs} ms` }), attemptMs);
    signal.addEventListener("abort", stop);
    cleanUp = start(finish);
    // It may have ended while it began.
    if (ended) cleanUp();
    else if (signal.aborted) stop();
  });
}

function splitServer(text: string): Server {
  const match = /^\[(.+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+)(?::(\d+))?$/.exec(text);
  return { address: match?.[1] ?? text, port: Number(match?.[2] ?? 53) };
}
