import { setTimeout as wait } from "node:timers/promises";

export interface PaceOptions {
  /** Milliseconds. @default Date.now */
  readonly now?: () => number;
  /** Resolves after that many milliseconds. @default setTimeout */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** So many requests may come at once; then one for each {@link msForRequest}. */
const burst = 60;
/** A project has 300 requests a minute for everybody who asks: in any minute this takes 210 at most, and half of them in the long run. */
const msForRequest = 400;

/** Resolves when the next request may be made; in the order in which it was called. */
export type Pace = () => Promise<void>;

/** Keeps requests to Certificate Manager within the quota of their project, however many pages there are. */
export function createPace({ now = Date.now, sleep = wait }: PaceOptions = {}): Pace {
  /** When the last request that is paid for is paid for. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    const time = now();
    // A clock that is set back must hold up nobody for longer than a burst is worth.
    paidUntil = Math.min(Math.max(paidUntil, time - burst * msForRequest), time + burst * msForRequest) + msForRequest;
    if (paidUntil > time) await sleep(paidUntil - time);
  };
}
