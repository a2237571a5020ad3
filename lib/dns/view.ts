import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createAskDirectly } from "./ask-directly";
import { type Exchange, exchange, type NameServerAddress } from "./exchange";
import { type Ask, follow, type Resolution } from "./follow";
import { type AskedType, type DnsMessage, withoutDot } from "./message";

/** DNS as seen from one place. Answers are cached. Methods throw only the abort reason of the signal. */
export interface DnsView {
  /** Returns the answer of the resolvers, following CNAME records unless `type` is `CNAME`. */
  resolve(name: string, type: AskedType): Promise<Resolution>;
  /** Returns the answer of one further resolver; not cached. */
  resolveAt(server: NameServerAddress, name: string, type: AskedType): Promise<Resolution>;
  /** Returns the answer of one name server itself, without recursion. @param server its name */
  askNameServer(server: string, name: string, type: AskedType): Promise<NameServerAnswer>;
}

/** The answer of one name server, which is identified by its name. */
type NameServerAnswer =
  | { readonly kind: "answer"; readonly message: DnsMessage }
  /** The name of the server has no address. */
  | { readonly kind: "no-address" }
  | { readonly kind: "silent"; readonly detail: string }
  /** The state of the server is unknown: its name could not be resolved, or it cannot be reached from here. */
  | { readonly kind: "unknown" };

/** Options of {@link createDnsView}. */
export interface DnsViewOptions {
  /** Queried in turn until one answers; a refusal does not count as an answer. */
  readonly resolvers: readonly NameServerAddress[];
  /**
   * Port of name servers; `none` if the resolver replaces all of them and no other server may be queried.
   *
   * @default 53
   */
  readonly nameServerPort?: number | "none";
  readonly signal: AbortSignal;
  /** Timeout of one attempt, in milliseconds. @default 3_000 */
  readonly timeoutMs?: number;
  /** Attempts at each server. @default 2 */
  readonly attempts?: number;
  /** Concurrent questions. @default 32 */
  readonly concurrency?: number;
  /** From 0 up to 65535. @default - from the system's secure source */
  readonly randomId?: () => number;
}

/** The system's error codes for unreachable addresses, for example IPv6 on a machine without it. */
const unreachableErrorCodes = /^E(NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL|AFNOSUPPORT|INVAL|ACCES|PERM)$/;

/** Creates a DNS client that queries resolvers and name servers, and caches answers. */
export function createDnsView(options: DnsViewOptions): DnsView {
  const { resolvers, nameServerPort = 53, timeoutMs = 3_000, attempts = 2 } = options;
  // Each question in progress adds a listener. A signal of its own avoids the warning of the default listener limit.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const limits = { timeoutMs, attempts, randomId: options.randomId ?? (() => randomInt(0x10000)), signal };
  const inTurn = limiter(options.concurrency ?? 32);

  const asking =
    (servers: readonly NameServerAddress[]): Ask =>
    async (name, type, dnssec = "checked") => {
      const question = { name, type, recursive: true, checkingDisabled: dnssec === "unchecked" };
      let last: Exchange = { ok: false, detail: "no resolver is known" };
      let refused: Exchange | undefined;
      for (const server of servers) {
        last = await inTurn(() => exchange(question, server, limits));
        if (!last.ok) continue;
        if (last.message.rcode !== "REFUSED") return last;
        refused ??= last;
      }
      return refused ?? last;
    };
  const askDirectly = createAskDirectly((question, server) => inTurn(() => exchange(question, server, limits)));

  const remembered = new Map<string, Promise<Resolution>>();
  const view: DnsView = {
    resolve: (name, type) => {
      const key = `${withoutDot(name)} ${type}`;
      let resolution = remembered.get(key);
      if (resolution === undefined) {
        resolution = follow(asking(resolvers), name, type);
        remembered.set(key, resolution);
      }
      return resolution;
    },
    resolveAt: (server, name, type) => follow(asking([server]), name, type),
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
        if (!unreachableErrorCodes.test(answer.detail)) silence ??= answer.detail;
      }
      return silence === undefined ? { kind: "unknown" } : { kind: "silent", detail: silence };
    },
  };
  return view;
}

/** Limits the number of concurrent tasks. */
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
