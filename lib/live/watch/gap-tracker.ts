import { setMaxListeners } from "node:events";
import { defined } from "../../json/defined";
import type { WatchGap, WatchGapBegin } from "./model";

/** Maximum milliseconds between two calls of `beat`. After longer, the watch itself was interrupted. */
export const watchBeatMs = 1_000;
/** Maximum delay under load, in milliseconds, that does not count as an interruption. */
const latestMs = 5_000;

interface OpenGap extends Pick<WatchGap, "reason" | "resolver"> {
  readonly from: number;
  until: number | undefined;
  discarded: number;
}

/** A time in which no server answers. */
export interface NetworkOutage {
  /** Time of the last answer, or of the start of the watch, in milliseconds. */
  readonly since: number;
  /** How long the watch has known that, in milliseconds; the time in which the machine slept does not count. */
  readonly forMs: number;
}

/** Called for what the watch can't see. */
export interface GapHooks {
  readonly onGapBegin: (begin: WatchGapBegin) => void;
  readonly onGap: (gap: WatchGap) => void;
  readonly onSilent: (resolver: string) => void;
}

/** The start of a check. The result counts only if no gap occurred since then. */
export type CheckStart = number;

/**
 * Tracks whether the watch can monitor the site. It cannot while the machine sleeps, the process is stopped, or no
 * server answers; results of that time show nothing about the site. Times are wall-clock milliseconds, because a
 * monotonic clock may stop while the machine sleeps.
 */
export class GapTracker {
  readonly #hooks: GapHooks;
  #beatAt: number;
  /** Time since which the watch itself has run without an interruption. */
  #runsSince: number;
  /** Time at which the network last carried data of a check. */
  #aliveAt: number;
  /** Time at which a resolver last answered a pulse. */
  #pulseAt: number;
  /** Increased by each gap; checks that started with another number are discarded. */
  #era = 0;
  #lost: OpenGap | undefined;
  #still: OpenGap | undefined;
  readonly #silent = new Map<string, OpenGap>();
  readonly #silences = new Map<string, AbortController>();
  readonly #heardAt = new Map<string, number>();

  /** Creates a tracker without gaps. */
  constructor(now: number, hooks: GapHooks) {
    this.#beatAt = now;
    this.#runsSince = now;
    this.#aliveAt = now;
    this.#pulseAt = now;
    this.#hooks = hooks;
  }

  /** Must be called at least every {@link watchBeatMs}, and after each answer before the answer is evaluated. */
  beat(now: number): void {
    const before = this.#beatAt;
    this.#beatAt = now;
    if (now - before <= latestMs && now >= before - watchBeatMs) return;
    this.#era += 1;
    this.#runsSince = now;
    this.#flushStill();
    this.#still = { reason: "stood-still", from: Math.min(before, now), until: Math.max(before, now), discarded: 0 };
  }

  begin(): CheckStart {
    return this.#era;
  }

  /** Reports whether the result of a check counts. If not, adds it to the discarded samples of the gap. */
  counts(start: CheckStart): boolean {
    if (start === this.#era) return true;
    const gap = this.#lost ?? this.#still;
    if (gap !== undefined) gap.discarded += 1;
    return false;
  }

  /** Records that a check received data over the network, which ends a network gap. */
  alive(now: number): void {
    this.#aliveAt = now;
    this.#endLost(now);
  }

  /**
   * Records that a resolver answered a pulse, which ends a network gap. Does not count for {@link wasAliveSince}: the
   * network may have been lost between two pulses.
   */
  pulse(now: number): void {
    this.#pulseAt = now;
    this.#endLost(now);
  }

  /** Time at which any server was last heard. */
  get heardAt(): number {
    return Math.max(this.#aliveAt, this.#pulseAt);
  }

  #endLost(now: number): void {
    if (this.#lost === undefined) return;
    this.#end(this.#lost, now);
    this.#lost = undefined;
    // Checks that started during the gap may still fail because of it.
    this.#era += 1;
  }

  /** Reports whether a check received data over the network after that time. */
  wasAliveSince(time: number): boolean {
    return this.#aliveAt > time;
  }

  /**
   * Records that no server answers, including servers that are independent of the site.
   *
   * @param discarded number of checks that do not count because of it
   */
  lost(now: number, discarded = 1): void {
    if (this.#lost === undefined) {
      this.#lost = { reason: "network-lost", from: this.heardAt, until: undefined, discarded: 0 };
      this.#begin(this.#lost, now);
    }
    this.#lost.discarded += discarded;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Returns the time in which no server has answered; undefined while a server answers. */
  outage(now: number): NetworkOutage | undefined {
    if (this.#lost === undefined) return undefined;
    const { from } = this.#lost;
    return { since: from, forMs: Math.max(0, now - Math.max(from, this.#runsSince)) };
  }

  /** Records that one resolver does not answer while others do. */
  silent(resolver: string, now: number): void {
    const from = this.#heardAt.get(resolver) ?? now;
    const known = this.#silent.get(resolver);
    const gap = known ?? { reason: "resolver-silent", resolver, from, until: undefined, discarded: 0 };
    gap.discarded += 1;
    this.#silent.set(resolver, gap);
    this.#silenceControllerOf(resolver).abort();
    if (known !== undefined) return;
    this.#begin(gap, now);
    this.#hooks.onSilent(resolver);
  }

  /**
   * Returns a signal that is aborted when the resolver is found to be silent. After the resolver has answered again,
   * returns a new signal.
   */
  silenceOf(resolver: string): AbortSignal {
    return this.#silenceControllerOf(resolver).signal;
  }

  #silenceControllerOf(resolver: string): AbortController {
    const known = this.#silences.get(resolver);
    if (known !== undefined) return known;
    const controller = new AbortController();
    // Each query in progress adds a listener.
    setMaxListeners(0, controller.signal);
    this.#silences.set(resolver, controller);
    return controller;
  }

  isSilent(resolver: string): boolean {
    return this.#silent.has(resolver);
  }

  hasHeard(resolver: string): boolean {
    return this.#heardAt.has(resolver);
  }

  /** Records that a resolver answered, whatever the answer. */
  heard({ name, isFar }: { readonly name: string; readonly isFar: boolean }, now: number): void {
    if (isFar) this.alive(now);
    this.#heardAt.set(name, now);
    const gap = this.#silent.get(name);
    if (gap === undefined) return;
    this.#silent.delete(name);
    this.#silences.delete(name);
    this.#end(gap, now);
  }

  /** Reports the gaps that have ended and can discard no further samples. */
  endRound(): void {
    this.#flushStill();
  }

  /** Reports every gap, including gaps that have not ended. */
  end(now: number): void {
    this.#flushStill();
    for (const gap of [this.#lost, ...this.#silent.values()]) if (gap !== undefined) this.#end(gap, now);
    this.#lost = undefined;
    this.#silent.clear();
  }

  #flushStill(): void {
    if (this.#still !== undefined) this.#end(this.#still, this.#still.until ?? this.#beatAt);
    this.#still = undefined;
  }

  #begin({ reason, resolver, from }: OpenGap, now: number): void {
    if (reason === "stood-still") return;
    this.#hooks.onGapBegin({
      kind: "gap-begin",
      time: new Date(from).toISOString(),
      noticedAt: new Date(now).toISOString(),
      reason,
      ...defined({ resolver }),
    });
  }

  #end({ reason, resolver, from, discarded }: OpenGap, until: number): void {
    this.#hooks.onGap({
      kind: "gap",
      time: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      reason,
      ...defined({ resolver }),
      discarded,
    });
  }
}
