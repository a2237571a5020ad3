import { orAborted } from "../../async/abort";
import type { Handshake, HandshakeFailure } from "../verify";
import type { WatchSample, WatchSide } from "./model";
import { hasAnswered, type ResolverAnswer, type WatchResolver } from "./resolvers";
import type { Sight } from "./sight";

/** What a look needs of the world. */
export interface LookOptions {
  readonly resolvers: readonly WatchResolver[];
  readonly sideOf: (hostname: string, address: string) => WatchSide;
  /** Never rejects. */
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  /** Whether anything that has nothing to do with the site answers. */
  readonly control: () => Promise<boolean>;
  readonly sight: Sight;
  /** Told of each connection that is not made because this machine has no IPv6. */
  readonly onIpv6Missing: () => void;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * Told of what came, in one piece unless a resolver or a connection is slow: then what is known is told first, and the rest as it comes.
   *
   * @param isLast whether nothing more comes of this look
   */
  readonly onSamples: (hostname: string, samples: readonly WatchSample[], isLast: boolean) => void;
}

/** Failures in which nothing came back at all: they may be the watch's own. */
const silentCodes: ReadonlySet<HandshakeFailure> = new Set(["timeout", "handshake-timeout", "unreachable"]);

/** How a connection came out; nothing where that says nothing of the site. */
type Connection = Pick<WatchSample, "ok" | "confirmed" | "code" | "detail" | "ms"> | undefined;

/** How long the other resolvers wait for one that is slow, or for a slow connection. */
const patienceMs = 2_000;

/**
 * One look at a hostname: the answer of each resolver that is not silent, and a connection to every address that one of them has. It ends as soon as the signal is
 * aborted, with what had come by then.
 */
export async function lookAt(hostname: string, options: LookOptions): Promise<void> {
  const { resolvers, sight, onSamples } = options;
  const connections = new Map<string, Promise<Connection>>();
  const wanted = resolvers.filter(({ name }) => !sight.isSilent(name));
  let come: WatchSample[] = [];
  const tell = (isLast: boolean) => {
    const samples = come;
    come = [];
    if (isLast || samples.length > 0) onSamples(hostname, samples, isLast);
  };
  let isImpatient = false;
  const done = new AbortController();
  const waiting = options.sleep(patienceMs, done.signal).then(
    () => {
      isImpatient = true;
      tell(false);
    },
    () => undefined,
  );
  try {
    await Promise.all(
      wanted.map(async (resolver) => {
        const samples = await follow(hostname, resolver, connections, options);
        come.push(...samples);
        if (isImpatient) tell(false);
      }),
    );
  } finally {
    done.abort();
    await waiting;
  }
  tell(true);
}

async function follow(
  hostname: string,
  resolver: WatchResolver,
  connections: Map<string, Promise<Connection>>,
  options: LookOptions,
): Promise<readonly WatchSample[]> {
  const { sight, now } = options;
  if (sight.isLost) return [];
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

/** What a resolver says; nothing where it is the resolver or the network that has no answer, and not the hostname. */
async function ask(
  hostname: string,
  resolver: WatchResolver,
  options: LookOptions,
): Promise<ResolverAnswer | undefined> {
  const { sight, now } = options;
  const first = await see(() => resolveUnlessSilent(hostname, resolver, sight), options);
  if (first === undefined) return undefined;
  if (first === "silent") {
    sight.silent(resolver.name, now());
    return undefined;
  }
  if (hasAnswered(first)) {
    sight.heard(resolver, now());
    return first;
  }
  if (!(await isNetworkAlive(options))) return undefined;
  // Each zone has servers of its own. Where none has ever answered, a firewall lets nobody ask but the resolver of the house.
  const isAlive = resolver.isAlive === undefined ? sight.hasHeard(resolver.name) : await see(resolver.isAlive, options);
  if (isAlive === undefined) return undefined;
  if (!isAlive) {
    sight.silent(resolver.name, now());
    return undefined;
  }
  // It may have been silent, and be back by now: only a second silence is the hostname's own.
  const second = await see(() => resolver.resolve(hostname), options);
  if (second !== undefined) sight.heard(resolver, now());
  return second;
}

/** What others have found out of a resolver meanwhile needs no time-out of its own. */
async function resolveUnlessSilent(
  hostname: string,
  resolver: WatchResolver,
  sight: Sight,
): Promise<ResolverAnswer | "silent"> {
  const silence = sight.silenceOf(resolver.name);
  if (silence.aborted) return "silent";
  return orAborted(resolver.resolve(hostname), silence).catch((error: unknown) => {
    if (silence.aborted) return "silent" as const;
    throw error;
  });
}

async function connectTo(address: string, hostname: string, options: LookOptions): Promise<Connection> {
  const { shakeHands, sight, onIpv6Missing, now } = options;
  const startedAt = now();
  let handshake = await see(() => shakeHands(address, hostname), options);
  if (handshake === undefined) return undefined;
  if (isSilent(handshake)) {
    const wasAlive = sight.wasAliveSince(startedAt);
    if (!(await isNetworkAlive(options))) return undefined;
    // The network may have been lost, and be back by now: then a second look tells.
    if (!wasAlive) handshake = await see(() => shakeHands(address, hostname), options);
    if (handshake === undefined || (isSilent(handshake) && !(await isNetworkAlive(options)))) return undefined;
  } else sight.alive(now());
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

/** Whether anything answers that has nothing to do with the site; where nothing does, the network is lost. */
async function isNetworkAlive(options: LookOptions): Promise<boolean> {
  const isAlive = await see(options.control, options);
  if (isAlive === false) options.sight.lost();
  else if (isAlive === true) options.sight.alive(options.now());
  return isAlive === true;
}

/** What comes of some work; nothing where the watch could not see all the while, or was stopped. */
async function see<Result>(
  work: () => Promise<Result>,
  { sight, signal, now }: LookOptions,
): Promise<Result | undefined> {
  const look = sight.begin();
  const result = await orAborted(work(), signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  sight.beat(now());
  return !signal.aborted && sight.counts(look) ? result : undefined;
}
