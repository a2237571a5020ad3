/** Whether this process gets to run, as its own time-outs need it to. */

/** The machine's time, by which time-outs run. */
export interface Timers {
  /** Milliseconds of a clock that only goes forward, and does so while the process stands still. */
  readonly now: () => number;
  /** Calls once, after so many milliseconds or as soon as the process runs again. @returns how to call it off */
  readonly after: (milliseconds: number, ring: () => void) => () => void;
}

/** From one moment of the cloud's time to another, RFC 3339. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** How something was waited for. */
export interface Wait {
  /** Milliseconds of the machine. */
  readonly waitedMs: number;
  /** How many of them the process ran. */
  readonly ranMs: number;
  /** When it stood still. */
  readonly still: readonly Span[];
}

/** When something began to be waited for. */
export interface Mark {
  readonly atMs: number;
  readonly ranMs: number;
  readonly spans: number;
}

export const machineTimers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, ring) => {
    const timer = setTimeout(ring, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** From one beat to the next, in milliseconds of the machine. */
export const beatMs = 100;
/** How late a beat may come on a busy machine without the process having stood still. */
const latestMs = 500;
/** A time-out in which the process stood still for no longer than this is one of who was waited for. */
const mostStillMs = 1_000;

/** Whether a time-out is the waiter's own: it stood still, and could not have heard an answer. */
export function isOwn({ waitedMs, ranMs }: Pick<Wait, "waitedMs" | "ranMs">): boolean {
  return waitedMs - ranMs > mostStillMs;
}

/**
 * Tells when this process stood still: stopped, blocked, or starved by others on a busy machine. Timers that ran out meanwhile ring before anything that
 * came meanwhile is read.
 */
export class Pulse {
  readonly #now: Timers["now"];
  readonly #time: () => string;
  readonly #spans: Span[] = [];
  #beatAt: number;
  #beatTime: string;
  #ranMs = 0;

  /** @param time the cloud's time, RFC 3339 */
  constructor(now: Timers["now"], time: () => string) {
    this.#now = now;
    this.#time = time;
    this.#beatAt = now();
    this.#beatTime = time();
  }

  /** To be called every {@link beatMs}, and when something begins. @returns the cloud's time: in no span is there another one than at its ends */
  beat(): string {
    const now = this.#now();
    const time = this.#time();
    const silentMs = now - this.#beatAt;
    if (silentMs <= latestMs) this.#ranMs += silentMs;
    else this.#spans.push({ from: this.#beatTime, until: time });
    this.#beatAt = now;
    this.#beatTime = time;
    return time;
  }

  begin(): Mark {
    this.beat();
    return { atMs: this.#beatAt, ranMs: this.#ranMs, spans: this.#spans.length };
  }

  since({ atMs, ranMs, spans }: Mark): Wait {
    this.beat();
    const whole = Math.round(this.#beatAt - atMs);
    return {
      waitedMs: whole,
      ranMs: Math.min(whole, Math.round(this.#ranMs - ranMs)),
      still: this.#spans.slice(spans),
    };
  }
}
