import { setMaxListeners } from "node:events";
import type { WatchGap } from "./model";

/** The watch says something at least this often, so that a longer silence is its own. */
export const beatMs = 1_000;
/** How late it may be under load without having stood still. */
const latestMs = 5_000;

/** How much of a gap is known. */
interface OpenGap extends Pick<WatchGap, "reason" | "resolver"> {
  readonly from: number;
  until: number | undefined;
  discarded: number;
}

/** A look that has begun; what came of it counts only if the watch could see all the while. */
export type Look = number;

/**
 * Whether the watch itself can see. It can't while the machine sleeps or the process is stopped, nor when nothing at all answers; then what it
 * finds says nothing of the site. Times are milliseconds of the clock on the wall: the one that only runs while the machine does would not
 * notice.
 */
export class Sight {
  readonly #onGap: (gap: WatchGap) => void;
  readonly #onSilent: (resolver: string) => void;
  #beatAt: number;
  /** When the network was last known to carry something. */
  #aliveAt: number;
  /** Looks that began with another number fell into a gap. */
  #era = 0;
  #lost: OpenGap | undefined;
  #still: OpenGap | undefined;
  readonly #silent = new Map<string, OpenGap>();
  readonly #silences = new Map<string, AbortController>();
  readonly #heardAt = new Map<string, number>();

  /**
   * @param onGap told of each gap that is over
   * @param onSilent told of each resolver that is found to be silent
   */
  constructor(now: number, onGap: (gap: WatchGap) => void, onSilent: (resolver: string) => void) {
    this.#beatAt = now;
    this.#aliveAt = now;
    this.#onGap = onGap;
    this.#onSilent = onSilent;
  }

  /** To be called at least every {@link beatMs}, and whenever something has come back, before anything is made of it. */
  beat(now: number): void {
    const before = this.#beatAt;
    this.#beatAt = now;
    if (now - before <= latestMs && now >= before - beatMs) return;
    this.#era += 1;
    this.#flushStill();
    this.#still = { reason: "stood-still", from: Math.min(before, now), until: Math.max(before, now), discarded: 0 };
  }

  begin(): Look {
    return this.#era;
  }

  /** Whether something that came of a look counts; where not, it is written down as thrown away. */
  counts(look: Look): boolean {
    if (look === this.#era) return true;
    const gap = this.#lost ?? this.#still;
    if (gap !== undefined) gap.discarded += 1;
    return false;
  }

  /** Something came back over the network: a gap without it is over. */
  alive(now: number): void {
    this.#aliveAt = now;
    if (this.#lost === undefined) return;
    this.#end(this.#lost, now);
    this.#lost = undefined;
    // What began in the dark may still fail from it.
    this.#era += 1;
  }

  /** Whether something came back over the network after that moment. */
  wasAliveSince(time: number): boolean {
    return this.#aliveAt > time;
  }

  /** Nothing came back, not even from what has nothing to do with the site. */
  lost(): void {
    this.#lost ??= { reason: "network-lost", from: this.#aliveAt, until: undefined, discarded: 0 };
    this.#lost.discarded += 1;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** One resolver answers nobody, while others do. */
  silent(resolver: string, now: number): void {
    const from = this.#heardAt.get(resolver) ?? now;
    const known = this.#silent.get(resolver);
    const gap = known ?? {
      reason: "resolver-silent",
      resolver,
      from,
      until: undefined,
      discarded: 0,
    };
    gap.discarded += 1;
    this.#silent.set(resolver, gap);
    this.#silenceControllerOf(resolver).abort();
    if (known === undefined) this.#onSilent(resolver);
  }

  /** Aborted as soon as the resolver is found to be silent; another one when it has been heard again. */
  silenceOf(resolver: string): AbortSignal {
    return this.#silenceControllerOf(resolver).signal;
  }

  #silenceControllerOf(resolver: string): AbortController {
    const known = this.#silences.get(resolver);
    if (known !== undefined) return known;
    const controller = new AbortController();
    // Each question under way listens to it.
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

  /** A resolver answered, whatever it said. */
  heard({ name, isFar }: { readonly name: string; readonly isFar: boolean }, now: number): void {
    if (isFar) this.alive(now);
    this.#heardAt.set(name, now);
    const gap = this.#silent.get(name);
    if (gap === undefined) return;
    this.#silent.delete(name);
    this.#silences.delete(name);
    this.#end(gap, now);
  }

  /** Tells of gaps that are over, when nothing can be thrown away in them any more. */
  endRound(): void {
    this.#flushStill();
  }

  /** Tells of every gap, also of those that are not over. */
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

  #end({ reason, resolver, from, discarded }: OpenGap, until: number): void {
    this.#onGap({
      kind: "gap",
      time: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      reason,
      ...(resolver === undefined ? {} : { resolver }),
      discarded,
    });
  }
}
