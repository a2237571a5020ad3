/** Detects whether this process runs continuously, which its time-outs require. */

/** The machine's time, in which time-outs are measured. */
export interface Timers {
  /** Returns milliseconds of a monotonic clock that also advances while the process is suspended. */
  readonly now: () => number;
  /**
   * Calls a function once, after some milliseconds or as soon as the process runs again.
   *
   * @returns a function that cancels the call
   */
  readonly after: (milliseconds: number, ring: () => void) => () => void;
}

/** A span of the cloud's time, RFC 3339. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** A period of waiting. */
export interface Wait {
  /** Length in milliseconds of the machine. */
  readonly waitedMs: number;
  /** Milliseconds of it in which the process ran. */
  readonly ranMs: number;
  /** Spans in which the process was suspended. */
  readonly still: readonly Span[];
}

/** Beginning of a period of waiting. */
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

/** Interval between two beats, in milliseconds of the machine. */
export const beatMs = 100;
/** Maximum interval between two beats of a running process on a busy machine, in milliseconds. */
const latestMs = 500;
/** Maximum suspension, in milliseconds, for which a time-out is still attributed to the server. */
const mostStillMs = 1_000;

/** Returns whether the process itself caused a time-out: it was suspended, and could not have received an answer. */
export function isOwn({ waitedMs, ranMs }: Pick<Wait, "waitedMs" | "ranMs">): boolean {
  return waitedMs - ranMs > mostStillMs;
}

/**
 * Detects when this process was suspended: stopped, blocked, or without CPU time on a busy machine. After a suspension,
 * Node.js runs expired timers before it reads data that arrived in the meantime.
 */
export class Pulse {
  readonly #now: Timers["now"];
  readonly #time: () => string;
  readonly #spans: Span[] = [];
  #beatAt: number;
  #beatTime: string;
  #ranMs = 0;

  /** @param time returns the cloud's time, RFC 3339 */
  constructor(now: Timers["now"], time: () => string) {
    this.#now = now;
    this.#time = time;
    this.#beatAt = now();
    this.#beatTime = time();
  }

  /**
   * Records a beat. Call it every {@link beatMs}, and when something begins.
   *
   * @returns the cloud's time, which is never strictly inside a span
   */
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
