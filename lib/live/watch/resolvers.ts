import { mapConcurrently } from "../../async/concurrent";
import { createDnsView, type DnsView, findDelegation, type NameServerAddress, type Resolution } from "../../dns";
import type { DnsFailureCode } from "./codes";

/** Answer of a resolver for a hostname. */
export type ResolverAnswer =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly code: DnsFailureCode; readonly detail: string };

/** An answer without an address counts; a failed connection does not. */
export function hasAnswered(answer: ResolverAnswer): boolean {
  return answer.ok || answer.code !== "dns-unanswered";
}

/** A resolver that clients query for addresses. */
export interface WatchResolver {
  readonly name: string;
  /** Returns addresses of both families; follows CNAMEs. Rejects only if the signal is aborted. */
  readonly resolve: (hostname: string) => Promise<ResolverAnswer>;
  /**
   * Reports whether the resolver answers at all. Never rejects. Absent if the resolver represents many servers, each of
   * which can fail separately.
   */
  readonly isAlive?: () => Promise<boolean>;
  /** Whether an answer shows that the network works; false for a resolver on this machine. */
  readonly isFar: boolean;
}

/**
 * Returns a resolver that sends all queries to one server.
 *
 * @param control sends the query of `isAlive`, separately from the queries that wait for an answer; @default - the view
 */
export function resolverAt(
  name: string,
  server: NameServerAddress,
  view: DnsView,
  control: DnsView = view,
): WatchResolver {
  return {
    name,
    isFar: !isLoopback(server.address),
    resolve: (hostname) => bothFamilies((type) => view.resolveAt(server, hostname, type)),
    isAlive: oneAtATime(async () => {
      const answer = await control.resolveAt(server, ".", "NS").catch(() => undefined);
      return answer !== undefined && (answer.ok || isAnswer(answer.detail));
    }),
  };
}

/** Detail of an answer for a hostname in a zone that is not delegated. */
export const noNameServer = "no name server was found";

/** Options of {@link authoritativeResolver}. */
export interface AuthoritativeOptions {
  /** Resolvers for delegations and for addresses of name servers. */
  readonly resolvers: readonly NameServerAddress[];
  /** Port of the name servers. @default 53 */
  readonly nameServerPort?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** How long the name servers of a zone are cached, in milliseconds. */
const delegationAgeMs = 5 * 60_000;
/** Maximum number of zones in a chain of CNAMEs. */
const longestChain = 8;

/**
 * Returns a resolver that queries the name servers of each hostname's own zone, found by NS records. For a CNAME into
 * another zone, queries the name servers of that zone.
 */
export function authoritativeResolver({
  resolvers,
  nameServerPort = 53,
  signal,
  now,
}: AuthoritativeOptions): WatchResolver {
  let view: DnsView | undefined;
  let servers = new Map<string, Promise<readonly NameServerAddress[]>>();
  let madeAt = 0;
  let turn = 0;
  const serversOf = (name: string): Promise<readonly NameServerAddress[]> => {
    // A view caches all answers, so it is replaced.
    if (view === undefined || now() - madeAt > delegationAgeMs) {
      view = createDnsView({ resolvers, nameServerPort, signal });
      servers = new Map();
      madeAt = now();
    }
    const found = servers.get(name) ?? findServers(name, view, nameServerPort);
    servers.set(name, found);
    return found;
  };
  const ask = async (hostname: string, type: "A" | "AAAA"): Promise<Resolution> => {
    let name = hostname;
    let last: Resolution = { ok: false, detail: noNameServer, chain: [] };
    for (let zone = 0; zone < longestChain; zone += 1) {
      const found = await serversOf(name);
      turn += 1;
      for (let index = 0; index < found.length; index += 1) {
        const server = found[(turn + index) % found.length] as NameServerAddress;
        last = await (view as DnsView).resolveAt(server, name, type);
        if (last.ok || last.chain.length > 0) break;
      }
      const target = last.chain.at(-1)?.data;
      // A server answers only for its own zones. For a CNAME to another zone, the servers of that zone must be queried.
      if (target === undefined || (last.ok && last.records.length > 0)) return last;
      name = target;
    }
    return { ok: false, detail: "alias-loop", chain: [] };
  };
  return { name: "authoritative", isFar: true, resolve: (hostname) => bothFamilies((type) => ask(hostname, type)) };
}

async function findServers(name: string, view: DnsView, port: number): Promise<readonly NameServerAddress[]> {
  const delegation = await findDelegation(name, view);
  if (!delegation.ok) return [];
  const found = await mapConcurrently(delegation.nameServers, 8, async (server) => {
    const both = await Promise.all([view.resolve(server, "A"), view.resolve(server, "AAAA")]);
    return both.flatMap((resolution) => (resolution.ok ? resolution.records : [])).map(({ data }) => data);
  });
  // IPv4 first: many machines have no IPv6, and each unreachable server costs a time-out.
  const addresses = [...new Set(found.flat())].sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  return addresses.map((address) => ({ address, port }));
}

/** Returns a function that shares a call in progress with later callers. */
export function oneAtATime<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asking: Promise<Result> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function bothFamilies(ask: (type: "A" | "AAAA") => Promise<Resolution>): Promise<ResolverAnswer> {
  const both = await Promise.all([ask("A"), ask("AAAA")]);
  const addresses = both.flatMap((resolution) => (resolution.ok ? resolution.records.map(({ data }) => data) : []));
  if (addresses.length > 0) return { ok: true, addresses: [...new Set(addresses)].sort() };
  const failed = both.find(({ ok }) => !ok);
  if (failed === undefined || failed.ok) {
    const [first] = both;
    const detail = first?.ok === true && !first.exists ? "NXDOMAIN" : "no A and no AAAA record";
    return { ok: false, code: "dns-no-address", detail };
  }
  return { ok: false, code: isAnswer(failed.detail) ? "dns-failed" : "dns-unanswered", detail: failed.detail };
}

/** Reports whether a failure is an answer. Response codes are in capitals; system errors too, but they begin with E. */
function isAnswer(detail: string): boolean {
  return /^(?!E)[A-Z0-9]+$/.test(detail) || detail === "bogus" || detail === "alias-loop";
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
