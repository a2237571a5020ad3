import { setTimeout as pause, setImmediate as yieldTurn } from "node:timers/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Resolver } from "../dns";
import { defined } from "../json/defined";
import type { ClientRule } from "./client-rule";
import {
  type ClientCertificate,
  type ClientCounts,
  createClientCounts,
  judgeClientProbe,
  type Probe,
  type Side,
} from "./probe";
import { beatMs, isOwn, machineTimers, Pulse, type Timers, type Wait } from "./pulse";
import { shakeProbedHands } from "./shake-hands";

/** Answer of DNS for one type of address. */
export interface DnsAnswer {
  /**
   * Time when the first probe used the answer, even if the other type was answered later: the cloud's time, RFC 3339.
   */
  readonly time: string;
  readonly name: string;
  readonly type: string;
  readonly answers: readonly { readonly data: string; readonly ttl: number }[];
}

/**
 * A try that timed out while the prober's own process was suspended. It gives no information about the migration, so it
 * is not a probe and is counted separately. The prober repeats it at once, with the addresses that are valid then.
 */
export interface DiscardedTry extends Pick<Probe, "time" | "hostname" | "address" | "side">, Wait {
  /** End of the try, in the cloud's time, RFC 3339. */
  readonly until: string;
  /** Operation that timed out. */
  readonly error: string;
}

/** Returns the listener on this machine that answers for a public IP address. */
export type Route = (
  address: string,
) => { readonly host: string; readonly port: number; readonly side: Side } | undefined;

export interface ProberOptions {
  readonly hostnames: readonly string[];
  readonly resolver: Resolver;
  readonly route: Route;
  /** Roots that clients trust, in PEM. */
  readonly trusted: readonly string[];
  /**
   * Mutual TLS: every second probe of a hostname presents the certificate.
   *
   * @default - clients have no certificate, and have to be accepted
   */
  readonly clients?: { readonly rule: ClientRule; readonly certificate: ClientCertificate };
  /** Current time of the cloud, which determines the age of DNS answers. */
  readonly now: () => Date;
  readonly pace?: ProberPace;
  readonly observers?: ProberObservers;
}

interface ProberPace {
  /** Number of concurrent probes. @default 4 */
  readonly concurrency?: number;
  /** Pause of a worker between two probes, in milliseconds of the machine. @default 20 */
  readonly pauseMs?: number;
  /** Timers for the time-outs of tries, in the machine's time. @default - the machine's own */
  readonly timers?: Timers;
}

/** Functions that are called with each answer of DNS, each probe and each discarded try. */
interface ProberObservers {
  readonly onAnswer?: (answer: DnsAnswer) => void;
  readonly onProbe?: (probe: Probe) => void;
  readonly onDiscarded?: (discarded: DiscardedTry) => void;
}

export interface ProbeCount {
  readonly probes: number;
  readonly failed: number;
  readonly previous: number;
  readonly loadBalancer: number;
  /** Number of discarded tries, which are not probes. */
  readonly discarded: number;
}

/** Probes of one hostname that began in one second. */
export interface SecondCount {
  readonly hostname: string;
  /** Second of the cloud's time, RFC 3339 without fractions. */
  readonly second: string;
  readonly probes: number;
  readonly failed: number;
}

/** Key for the probes of a name without an address. */
const noAddress = "";

/** Probes since a call of {@link Prober.everyHostname}. */
interface Round {
  /** Number of the first probe that counts. */
  readonly from: number;
  /** Addresses that were tried, each with the kind of client, by hostname; may contain {@link noAddress}. */
  readonly met: Map<string, Set<string>>;
}

/** Default number of concurrent probes. */
export const probesAtOnce = 4;
/**
 * Maximum time that the process ran during all tries of one probe, in milliseconds. A server without an answer by then
 * has failed.
 */
const enoughMs = 10_000;
/**
 * Maximum number of tries of a probe. The last try counts in any case; otherwise, a process that never gets enough CPU
 * time would never end.
 */
const mostTries = 12;
/** Maximum number of failed probes that are kept with their reasons. */
const mostKept = 1_000;

/**
 * Connects to every hostname continuously, at the address that DNS returns. Caches DNS answers for their time to live,
 * as clients do.
 */
export class Prober {
  readonly #options: ProberOptions;
  /** Contexts of the kinds of clients, which probe in turn. */
  readonly #kinds: readonly ClientKind[];
  readonly #clientCounts: ReturnType<typeof createClientCounts> | undefined;
  readonly #timers: Timers;
  readonly #pulse: Pulse;
  readonly #cache = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();
  readonly #failures: Probe[] = [];
  /** Number of probes that were begun, by hostname. */
  readonly #begun = new Map<string, number>();
  readonly #rounds = new Set<Round>();
  /** Counts by second and hostname. */
  readonly #seconds = new Map<string, { probes: number; failed: number }>();
  /** Side that answered the last probe, by hostname and address. */
  readonly #sides = new Map<string, Map<string, Probe["side"]>>();
  #count = { probes: 0, failed: 0, previous: 0, loadBalancer: 0, discarded: 0 };
  #next = 0;
  #stopped = false;
  #workers: Promise<unknown> = Promise.resolve();
  #stopBeating: () => void = () => undefined;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#timers = options.pace?.timers ?? machineTimers;
    this.#pulse = new Pulse(this.#timers.now, () => options.now().toISOString());
    const { clients, trusted } = options;
    const contextOf = (more: object) =>
      createSecureContext({ ca: [...trusted], allowPartialTrustChain: true, ...more });
    const plain = { context: contextOf({}), hasCertificate: false };
    this.#kinds =
      clients === undefined ? [plain] : [plain, { context: contextOf(clients.certificate), hasCertificate: true }];
    this.#clientCounts = clients && createClientCounts(clients.rule);
  }

  start(): void {
    const { concurrency = probesAtOnce } = this.#options.pace ?? {};
    this.#beat();
    this.#workers = Promise.all(Array.from({ length: concurrency }, () => this.#work()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#workers;
    this.#stopBeating();
  }

  count(): ProbeCount {
    return { ...this.#count };
  }

  /** Returns the counts of clients with and without a certificate; undefined without mutual TLS. */
  clients(): ClientCounts | undefined {
    return this.#clientCounts?.counts();
  }

  /** Returns the counts of every hostname and second, in chronological order. */
  bySecond(): readonly SecondCount[] {
    return [...this.#seconds].map(([key, counts]) => {
      const [second = "", hostname = ""] = key.split(" ");
      return { hostname, second, ...counts };
    });
  }

  failures(): readonly Probe[] {
    return this.#failures;
  }

  /**
   * Returns the side that answered the last probes of a hostname, over all of its addresses. Undefined if an address
   * did not answer, or if both sides answered.
   */
  sideOf(hostname: string): Probe["side"] {
    const sides = new Set(this.#addressesOf(hostname).map((address) => this.#sides.get(hostname)?.get(address)));
    return sides.size === 1 ? [...sides][0] : undefined;
  }

  /** Returns the addresses of a hostname that its clients have cached. */
  #addressesOf(hostname: string): readonly string[] {
    return this.#cache.get(hostname)?.addresses ?? [noAddress];
  }

  /**
   * Resolves when every hostname has been probed at each of its addresses, by each kind of client, by probes that began
   * after the call.
   */
  async everyHostname(): Promise<void> {
    const round: Round = { from: this.#next, met: new Map() };
    this.#rounds.add(round);
    const isMet = (name: string) =>
      this.#addressesOf(name).every((address) =>
        this.#kinds.every(({ hasCertificate }) => round.met.get(name)?.has(`${address} ${hasCertificate}`) === true),
      );
    while (!this.#stopped && !this.#options.hostnames.every(isMet)) await pause(10);
    this.#rounds.delete(round);
  }

  async #work(): Promise<void> {
    const { hostnames, pace: { pauseMs = 20 } = {} } = this.#options;
    while (!this.#stopped) {
      const turn = this.#next++;
      const hostname = hostnames[turn % hostnames.length];
      if (hostname !== undefined) this.#record(await this.#probe(hostname), turn);
      await (pauseMs > 0 ? pause(pauseMs) : yieldTurn());
    }
  }

  #record(probe: Probe, turn: number): void {
    this.#count.probes++;
    if (!probe.ok) this.#count.failed++;
    const key = `${probe.time.slice(0, 19)}Z ${probe.hostname}`;
    const { probes, failed } = this.#seconds.get(key) ?? { probes: 0, failed: 0 };
    this.#seconds.set(key, { probes: probes + 1, failed: failed + (probe.ok ? 0 : 1) });
    this.#clientCounts?.add(probe);
    if (probe.side !== undefined) this.#count[probe.side]++;
    if (!probe.ok && this.#failures.length < mostKept) this.#failures.push(probe);
    const { hostname, address = noAddress, side, clientCertificate = false } = probe;
    this.#sides.set(hostname, (this.#sides.get(hostname) ?? new Map()).set(address, side));
    for (const { from, met } of this.#rounds) {
      if (turn < from) continue;
      met.set(hostname, (met.get(hostname) ?? new Set()).add(`${address} ${clientCertificate}`));
    }
    this.#options.observers?.onProbe?.(probe);
  }

  #beat(): void {
    this.#pulse.beat();
    this.#stopBeating = this.#timers.after(beatMs, () => this.#beat());
  }

  /** Tries until the result is valid. */
  async #probe(hostname: string): Promise<Probe> {
    // Kinds of clients and addresses are used in turn, so that every address that fails is noticed.
    const turn = this.#begun.get(hostname) ?? 0;
    this.#begun.set(hostname, turn + 1);
    let ranMs = 0;
    for (let tries = 1; ; tries++) {
      const { wait, time, ...outcome } = await this.#try(hostname, turn);
      const { error } = outcome;
      ranMs += wait?.ranMs ?? 0;
      if (error === undefined || wait === undefined || !isOwn(wait) || ranMs >= enoughMs || tries >= mostTries) {
        return { time, hostname, ok: error === undefined, ...outcome };
      }
      this.#count.discarded++;
      this.#options.observers?.onDiscarded?.({ time, until: this.#pulse.beat(), hostname, ...outcome, error, ...wait });
    }
  }

  /** @param turn selects one of the addresses */
  async #try(hostname: string, turn: number): Promise<Outcome & Pick<Probe, "time">> {
    const askedAt = this.#pulse.beat();
    const { addresses = [], dnsAnswers = [], ...failure } = await this.#addresses(hostname);
    const { context, hasCertificate } = this.#kinds[turn % this.#kinds.length] as ClientKind;
    const client = this.#options.clients === undefined ? {} : { clientCertificate: hasCertificate };
    if (failure.error !== undefined) return { time: askedAt, ...client, ...failure };
    // The process may have been suspended during the DNS request, and no handshake begins before the answer, so the
    // time is read again.
    const time = this.#pulse.beat();
    for (const { type, answers } of dnsAnswers)
      this.#options.observers?.onAnswer?.({ time, name: hostname, type, answers });
    const address = addresses[Math.floor(turn / this.#kinds.length) % addresses.length];
    if (address === undefined) return { time, ...client, error: "DNS has no address" };
    const route = this.#options.route(address);
    if (route === undefined) return { time, ...client, address, error: `nothing listens at ${address}` };
    const begun = this.#pulse.begin();
    const handshake = await shakeProbedHands(route, hostname, context, this.#timers, {
      asks: this.#options.clients !== undefined,
    });
    const { timedOut, isRefusal: _refusal, isValidated: _validated, notAfterMs, ...rest } = handshake;
    // Node compares with the machine's time, and the cloud's may be months ahead.
    const isExpired = notAfterMs !== undefined && notAfterMs <= this.#options.now().getTime();
    const { error = isExpired ? "CERT_HAS_EXPIRED" : undefined, ...met } = rest;
    const rule = this.#options.clients?.rule;
    const judged =
      rule === undefined
        ? { ...defined({ error }) }
        : judgeClientProbe({ ...handshake, ...defined({ error }) }, { ...rule, hasCertificate });
    return {
      time,
      address,
      side: route.side,
      ...met,
      ...judged,
      ...(timedOut ? { wait: this.#pulse.since(begun) } : {}),
    };
  }

  /** Returns the addresses, from the cache if possible. @returns also the answers of DNS, if DNS was asked */
  async #addresses(hostname: string): Promise<
    Pick<Outcome, "error" | "wait"> & {
      readonly addresses?: readonly string[];
      readonly dnsAnswers?: readonly Pick<DnsAnswer, "type" | "answers">[];
    }
  > {
    const nowMs = this.#options.now().getTime();
    const cached = this.#cache.get(hostname);
    if (cached !== undefined && cached.untilMs > nowMs) return { addresses: cached.addresses };
    const begun = this.#pulse.begin();
    const lookUps = await Promise.all(
      (["A", "AAAA"] as const).map(async (type) => ({
        type,
        found: await this.#options.resolver.resolve(hostname, type),
      })),
    );
    const dnsAnswers: Pick<DnsAnswer, "type" | "answers">[] = [];
    for (const { type, found } of lookUps) {
      if (!found.ok) {
        // Otherwise, `everyHostname` would wait for probes at cached addresses that are no longer used.
        this.#cache.delete(hostname);
        const error = `DNS: ${type} records of ${hostname}: ${found.detail}`;
        return { error, ...(found.detail === "timeout" ? { wait: this.#pulse.since(begun) } : {}) };
      }
      dnsAnswers.push({ type, answers: found.records.map(({ data, ttlSeconds }) => ({ data, ttl: ttlSeconds })) });
    }
    const records = dnsAnswers.flatMap(({ answers }) => answers);
    const ttlSeconds = records.reduce((least, { ttl }) => Math.min(least, ttl), 300);
    const addresses = records.map(({ data }) => data);
    if (addresses.length > 0) this.#cache.set(hostname, { addresses, untilMs: nowMs + ttlSeconds * 1_000 });
    else this.#cache.delete(hostname);
    return { addresses, dnsAnswers };
  }
}

/** Clients that probe in turn. */
interface ClientKind {
  readonly context: SecureContext;
  readonly hasCertificate: boolean;
}

/** Result of one try. */
interface Outcome
  extends Pick<Probe, "address" | "side" | "certificate" | "clientCertificate" | "confirmed" | "error" | "refused"> {
  /** Waiting time of a try that timed out. */
  readonly wait?: Wait;
}
