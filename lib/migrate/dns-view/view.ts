import { randomInt } from "node:crypto";
import { getServers } from "node:dns";
import { setMaxListeners } from "node:events";
import { isIP } from "node:net";
import { InputError } from "../../errors";
import { quote } from "../../quote";
import { type Exchange, exchange, type NameServerAddress } from "./exchange";
import { type AskedType, bareName, type DnsMessage, type DnsQuestion, type DnsRecord } from "./message";

/** What DNS says of a name and a type. */
export type Resolution =
  | {
      readonly ok: true;
      /** Whether the last name of the chain exists, with whatever records. */
      readonly exists: boolean;
      /** Records of the asked type, of the last name of the chain. */
      readonly records: readonly DnsRecord[];
      /** CNAMEs on the way, in order; the first is the asked name's own. */
      readonly chain: readonly DnsRecord[];
    }
  /** Nobody could say; the detail is a response code, `timeout`, `bogus` for what DNSSEC forbids, or `alias-loop`. */
  | { readonly ok: false; readonly detail: string; readonly chain: readonly DnsRecord[] };

/** DNS as somebody sees it from one place. Answers are remembered; nothing throws but the signal. */
export interface DnsView {
  /** What resolvers say, CNAMEs followed (unless `type` is `CNAME`). */
  resolve(name: string, type: AskedType): Promise<Resolution>;
  /** What one further resolver says; not remembered. */
  resolveAt(server: NameServerAddress, name: string, type: AskedType): Promise<Resolution>;
  /** What one name server says itself, without looking elsewhere. @param server its name */
  askNameServer(server: string, name: string, type: AskedType): Promise<NameServerAnswer>;
}

/** What one name server said, which is asked by its name. */
type NameServerAnswer =
  | { readonly kind: "answer"; readonly message: DnsMessage }
  /** The name has no address, for certain. */
  | { readonly kind: "no-address" }
  | { readonly kind: "silent"; readonly detail: string }
  /** Nothing is known of the server: its name could not be looked up, or it can't be asked from here. */
  | { readonly kind: "unknown" };

export interface DnsViewOptions {
  /** Asked in turn until one answers. */
  readonly resolvers: readonly NameServerAddress[];
  /** Port of name servers; `none` where the resolver stands for all of them and no other may be asked. @default 53 */
  readonly nameServerPort?: number | "none";
  readonly signal: AbortSignal;
  /** How long one attempt may take. @default 3_000 */
  readonly timeoutMs?: number;
  /** Attempts at each server. @default 2 */
  readonly attempts?: number;
  /** Questions under way at once. @default 32 */
  readonly concurrency?: number;
  /** From 0 up to 65535. @default - from the system's secure source */
  readonly randomId?: () => number;
}

/** Longest chain of CNAMEs that is followed, as public resolvers do. */
const longestChain = 16;
/** After how many questions in a row a silent name server is asked one at a time: where a firewall hides it, all of them would be waited for. */
const mostSilences = 3;
/** The system's codes for what can't be reached from here, as IPv6 on a machine without it. */
const noWay = /^E(NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL|AFNOSUPPORT|INVAL|ACCES|PERM)$/;

export function createDnsView(options: DnsViewOptions): DnsView {
  const { resolvers, nameServerPort = 53, timeoutMs = 3_000, attempts = 2 } = options;
  // Each question under way listens to it; the usual limit is there to find leaks.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const limits = { timeoutMs, attempts, randomId: options.randomId ?? (() => randomInt(0x10000)), signal };
  const inTurn = limiter(options.concurrency ?? 32);

  async function ask(servers: readonly NameServerAddress[], name: string, type: AskedType, checkingDisabled = false) {
    let last: Exchange = { ok: false, detail: "no resolver is known" };
    for (const server of servers) {
      last = await inTurn(() => exchange({ name, type, recursive: true, checkingDisabled }, server, limits));
      if (last.ok) return last;
    }
    return last;
  }

  async function follow(servers: readonly NameServerAddress[], name: string, type: AskedType): Promise<Resolution> {
    const chain: DnsRecord[] = [];
    const seen = new Set([bareName(name)]);
    for (let owner = bareName(name); ; ) {
      const asked = owner;
      const answer = await ask(servers, asked, type);
      if (!answer.ok) return { ...answer, chain };
      const { rcode, answers } = answer.message;
      if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") {
        return { ok: false, detail: await whyRefused(servers, asked, type, rcode), chain };
      }
      for (;;) {
        const alias = type === "CNAME" ? undefined : answers.find((one) => one.type === "CNAME" && one.name === owner);
        if (alias === undefined) break;
        chain.push(alias);
        owner = alias.data;
        if (seen.has(owner) || chain.length > longestChain) return { ok: false, detail: "alias-loop", chain };
        seen.add(owner);
      }
      const own = (one: DnsRecord) => one.type === type && one.name === owner;
      const told = answers.filter(own);
      // Who has delegated a name sends others on, and in that says by which servers.
      const records = told.length === 0 && type === "NS" ? answer.message.authority.filter(own) : told;
      // A server that does not follow itself leaves the rest of the chain to the client.
      const unfinished = owner !== asked && records.length === 0 && rcode === "NOERROR";
      if (!unfinished || answer.message.authority.some((one) => one.type === "SOA")) {
        return { ok: true, exists: rcode !== "NXDOMAIN", records, chain };
      }
    }
  }

  /** A validating resolver answers SERVFAIL to what is forged, and the truth to who takes the risk. */
  async function whyRefused(servers: readonly NameServerAddress[], name: string, type: AskedType, rcode: string) {
    if (rcode !== "SERVFAIL") return rcode;
    const unchecked = await ask(servers, name, type, true);
    return unchecked.ok && /^(NOERROR|NXDOMAIN)$/.test(unchecked.message.rcode) ? "bogus" : rcode;
  }

  /** By address: questions in a row that were left unanswered, and those that are under way. */
  const silences = new Map<string, number>();
  const pending = new Map<string, number>();

  async function askDirectly(question: DnsQuestion, server: NameServerAddress): Promise<Exchange> {
    const { address } = server;
    const underWay = pending.get(address) ?? 0;
    if (underWay > 0 && (silences.get(address) ?? 0) >= mostSilences) return { ok: false, detail: "timeout" };
    pending.set(address, underWay + 1);
    const answer = await inTurn(() => exchange(question, server, limits));
    pending.set(address, (pending.get(address) ?? 1) - 1);
    if (answer.ok) silences.delete(address);
    else if (answer.detail === "timeout") silences.set(address, (silences.get(address) ?? 0) + 1);
    return answer;
  }

  const remembered = new Map<string, Promise<Resolution>>();
  const view: DnsView = {
    resolve: (name, type) => {
      const key = `${bareName(name)} ${type}`;
      let resolution = remembered.get(key);
      if (resolution === undefined) {
        resolution = follow(resolvers, name, type);
        remembered.set(key, resolution);
      }
      return resolution;
    },
    resolveAt: (server, name, type) => follow([server], name, type),
    askNameServer: async (server, name, type) => {
      if (nameServerPort === "none") return { kind: "unknown" };
      const found = await Promise.all([view.resolve(server, "A"), view.resolve(server, "AAAA")]);
      const addresses = found.flatMap((resolution) => (resolution.ok ? resolution.records : []));
      if (addresses.length === 0) return { kind: found.every(({ ok }) => ok) ? "no-address" : "unknown" };
      const question = { name, type, recursive: false, checkingDisabled: false };
      let silence: string | undefined;
      for (const { data: address } of addresses) {
        const answer = await askDirectly(question, { address, port: nameServerPort });
        if (answer.ok) return { kind: "answer", message: answer.message };
        if (!noWay.test(answer.detail)) silence ??= answer.detail;
      }
      return silence === undefined ? { kind: "unknown" } : { kind: "silent", detail: silence };
    },
  };
  return view;
}

/** Lets only so many works go on at a time. */
function limiter(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** The resolvers of this machine. */
export function machineResolvers(): readonly NameServerAddress[] {
  return getServers().map((server) => readNameServer(server, "this machine's resolver"));
}

/**
 * Reads `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given.
 *
 * @param option for messages, as in `--dns-server`
 * @throws InputError `dns-server-malformed`
 */
export function readNameServer(text: string, option: string): NameServerAddress {
  const match = isIP(text) === 6 ? null : /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  const port = Number(match?.[3] ?? 53);
  if (isIP(address) === 0 || port < 1 || port > 65_535) {
    const message = `${option} ${quote(text)} is not an address; use HOST:PORT, as in 127.0.0.1:5353 or [::1]:53`;
    throw new InputError("dns-server-malformed", message);
  }
  return { address, port };
}
