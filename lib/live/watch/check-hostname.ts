import { orAborted } from "../../async/abort";
import type { Handshake, HandshakeFailure } from "../verify";
import type { GapTracker } from "./gap-tracker";
import type { WatchSample, WatchSide } from "./model";
import type { WatchOptions } from "./options";
import { hasAnswered, type ResolverAnswer, type WatchResolver } from "./resolvers";

export interface CheckHostnameOptions
  extends Pick<WatchOptions, "resolvers" | "shakeHands" | "signal" | "now" | "sleep"> {
  readonly sideOf: (hostname: string, address: string) => WatchSide;
  /** Reports whether any server that is independent of the site answers. */
  readonly control: () => Promise<boolean>;
  readonly gaps: GapTracker;
  /** Called for each connection that is skipped because this machine has no IPv6. */
  readonly onIpv6Missing: () => void;
  /**
   * Called with the samples of a check. If a resolver or a connection is slow, called first with the available samples,
   * and then with further samples as they arrive. Otherwise called once.
   *
   * @param isLast whether the check is complete
   */
  readonly onSamples: (hostname: string, samples: readonly WatchSample[], isLast: boolean) => void;
}

/** Failures without any answer; the network of the watch may be the cause. */
const silentCodes: ReadonlySet<HandshakeFailure> = new Set(["timeout", "handshake-timeout", "unreachable"]);

/** Result of a connection; undefined if the result shows nothing about the site. */
type Connection = Pick<WatchSample, "ok" | "confirmed" | "code" | "detail" | "ms"> | undefined;

/** Milliseconds for which the available samples wait for a slow resolver or a slow connection. */
const patienceMs = 2_000;

/**
 * Checks a hostname: queries each resolver that is not silent, and connects to every address in the answers. Ends when
 * the signal is aborted, with the samples up to then.
 */
export async function checkWatchedHostname(hostname: string, options: CheckHostnameOptions): Promise<void> {
  const { resolvers, gaps, onSamples } = options;
  const connections = new Map<string, Promise<Connection>>();
  const wanted = resolvers.filter(({ name }) => !gaps.isSilent(name));
  let arrived: WatchSample[] = [];
  const report = (isLast: boolean) => {
    const samples = arrived;
    arrived = [];
    if (isLast || samples.length > 0) onSamples(hostname, samples, isLast);
  };
  let isImpatient = false;
  const done = new AbortController();
  const waiting = options.sleep(patienceMs, done.signal).then(
    () => {
      isImpatient = true;
      report(false);
    },
    () => undefined,
  );
  try {
    await Promise.all(
      wanted.map(async (resolver) => {
        const samples = await follow(hostname, resolver, connections, options);
        arrived.push(...samples);
        if (isImpatient) report(false);
      }),
    );
  } finally {
    done.abort();
    await waiting;
  }
  report(true);
}

async function follow(
  hostname: string,
  resolver: WatchResolver,
  connections: Map<string, Promise<Connection>>,
  options: CheckHostnameOptions,
): Promise<readonly WatchSample[]> {
  const { gaps, now } = options;
  if (gaps.isLost) return [];
  const askedAt = now();
  const base = { kind: "sample", time: new Date(askedAt).toISOString(), hostname, resolver: resolver.name } as const;
  const answer = await ask(hostname, resolver, options);
  if (answer === undefined) return [];
  if (!answer.ok) {
    return [{ ...base, ok: false, code: answer.code, detail: answer.detail, ms: now() - askedAt }];
  }
  const samples = answer.addresses.map(async (address): Promise<readonly WatchSample[]> => {
    const before = connections.get(address);
    const connection = before ?? connectTo(address, hostname, options);
    connections.set(address, connection);
    const outcome = await connection;
    if (outcome === undefined) return [];
    const side = options.sideOf(hostname, address);
    return [{ ...base, address, side, ...outcome, ...(before === undefined ? {} : { shared: true as const }) }];
  });
  return (await Promise.all(samples)).flat();
}

/**
 * Queries a resolver. Returns undefined if the resolver or the network, rather than the hostname, causes the missing
 * answer.
 */
async function ask(
  hostname: string,
  resolver: WatchResolver,
  options: CheckHostnameOptions,
): Promise<ResolverAnswer | undefined> {
  const { gaps, now } = options;
  const first = await see(() => resolveUnlessSilent(hostname, resolver, gaps), options);
  if (first === undefined) return undefined;
  if (first === "silent") {
    gaps.silent(resolver.name, now());
    return undefined;
  }
  if (hasAnswered(first)) {
    gaps.heard(resolver, now());
    return first;
  }
  if (!(await isNetworkAlive(options))) return undefined;
  // Each zone has its own name servers. If none of them has ever answered, a firewall may allow queries only to the
  // local resolver.
  const isAlive = resolver.isAlive === undefined ? gaps.hasHeard(resolver.name) : await see(resolver.isAlive, options);
  if (isAlive === undefined) return undefined;
  if (!isAlive) {
    gaps.silent(resolver.name, now());
    return undefined;
  }
  // The resolver may have been silent only for a short time. A second query without an answer is a failure of the
  // hostname.
  const second = await see(() => resolver.resolve(hostname), options);
  if (second !== undefined) gaps.heard(resolver, now());
  return second;
}

/** Queries a resolver, but stops as soon as another query finds the resolver silent, which saves a time-out. */
async function resolveUnlessSilent(
  hostname: string,
  resolver: WatchResolver,
  gaps: GapTracker,
): Promise<ResolverAnswer | "silent"> {
  const silence = gaps.silenceOf(resolver.name);
  if (silence.aborted) return "silent";
  return orAborted(resolver.resolve(hostname), silence).catch((error: unknown) => {
    if (silence.aborted) return "silent" as const;
    throw error;
  });
}

async function connectTo(address: string, hostname: string, options: CheckHostnameOptions): Promise<Connection> {
  const { shakeHands, gaps, onIpv6Missing, now } = options;
  const startedAt = now();
  let handshake = await see(() => shakeHands(address, hostname), options);
  if (handshake === undefined) return undefined;
  if (isSilent(handshake)) {
    const wasAlive = gaps.wasAliveSince(startedAt);
    if (!(await isNetworkAlive(options))) return undefined;
    // The network may have been lost only for a short time, so the connection is repeated.
    if (!wasAlive) handshake = await see(() => shakeHands(address, hostname), options);
    if (handshake === undefined || (isSilent(handshake) && !(await isNetworkAlive(options)))) return undefined;
  } else gaps.alive(now());
  const ms = now() - startedAt;
  if (handshake.ok) return { ok: true, ...(handshake.unconfirmed === true ? { confirmed: false } : {}), ms };
  const { code, detail } = handshake;
  if (code !== "ipv6-not-here") return { ok: false, code, detail, ms };
  onIpv6Missing();
  return undefined;
}

function isSilent(handshake: Handshake): boolean {
  return !handshake.ok && silentCodes.has(handshake.code);
}

/** Reports whether any server that is independent of the site answers. If no server answers, the network is lost. */
async function isNetworkAlive(options: CheckHostnameOptions): Promise<boolean> {
  const isAlive = await see(options.control, options);
  if (isAlive === false) options.gaps.lost(options.now());
  else if (isAlive === true) options.gaps.alive(options.now());
  return isAlive === true;
}

/** Runs some work. Returns undefined if the watch was stopped, or if a gap in monitoring occurred during the work. */
async function see<Result>(
  work: () => Promise<Result>,
  { gaps, signal, now }: CheckHostnameOptions,
): Promise<Result | undefined> {
  const start = gaps.begin();
  const result = await orAborted(work(), signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  gaps.beat(now());
  return !signal.aborted && gaps.counts(start) ? result : undefined;
}
