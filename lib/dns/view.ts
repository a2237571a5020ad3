import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createAskDirectly } from "./ask-directly";
import { type Exchange, exchange, type NameServerAddress } from "./exchange";
import { type Ask, follow, type Resolution } from "./follow";
import { type AskedType, bareName, type DnsMessage } from "./message";

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
  /** Asked in turn until one answers, as one that refuses does not. */
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

/** The system's codes for what can't be reached from here, as IPv6 on a machine without it. */
const noWay = /^E(NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL|AFNOSUPPORT|INVAL|ACCES|PERM)$/;

export function createDnsView(options: DnsViewOptions): DnsView {
  const { resolvers, nameServerPort = 53, timeoutMs = 3_000, attempts = 2 } = options;
  // Each question under way listens to it; the usual limit is there to find leaks.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const limits = { timeoutMs, attempts, randomId: options.randomId ?? (() => randomInt(0x10000)), signal };
  const inTurn = limiter(options.concurrency ?? 32);

  const asking =
    (servers: readonly NameServerAddress[]): Ask =>
    async (name, type, checkingDisabled = false) => {
      let last: Exchange = { ok: false, detail: "no resolver is known" };
      let refused: Exchange | undefined;
      for (const server of servers) {
        last = await inTurn(() => exchange({ name, type, recursive: true, checkingDisabled }, server, limits));
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
      const key = `${bareName(name)} ${type}`;
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
