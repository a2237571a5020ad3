import type { Timers } from "../../lib/rehearsal/pulse";

/** Timers whose time advances only by calls. */
export interface VirtualTimers extends Timers {
  /** Advances the time, and calls each timer that is due. */
  readonly run: (milliseconds: number) => void;
  /** Advances the time as a suspended process sees it: all due timers are called at the end. */
  readonly standStill: (milliseconds: number) => void;
}

export function virtualTimers(): VirtualTimers {
  let now = 0;
  const waiting = new Set<{ readonly at: number; readonly ring: () => void }>();
  const ringUntil = (end: number, pass: (at: number) => void) => {
    for (;;) {
      const [next] = [...waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) return;
      waiting.delete(next);
      pass(next.at);
      next.ring();
    }
  };
  return {
    now: () => now,
    after: (milliseconds, ring) => {
      const timer = { at: now + milliseconds, ring };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    run: (milliseconds) => {
      const end = now + milliseconds;
      ringUntil(end, (at) => {
        now = Math.max(now, at);
      });
      now = end;
    },
    standStill: (milliseconds) => {
      const due = now + milliseconds;
      now = due;
      ringUntil(due, () => undefined);
    },
  };
}
