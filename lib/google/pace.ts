import { setTimeout as wait } from "node:timers/promises";

export interface PaceOptions {
  /** Returns the time in milliseconds. @default Date.now */
  readonly now?: () => number;
  /** Resolves after that many milliseconds. @default setTimeout */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** The number of requests that may be sent at once. Further requests wait {@link msForRequest} each. */
const burst = 60;
/**
 * A project has 300 requests a minute for all its clients. This package uses at most 210 in any minute, and 150 a
 * minute in the long run.
 */
const msForRequest = 400;

/** Resolves when the next request may be sent, in the order of the calls. */
export type Pace = () => Promise<void>;

/** Keeps requests to Certificate Manager within the quota of their project, whatever the number of pages. */
export function createPace({ now = Date.now, sleep = wait }: PaceOptions = {}): Pace {
  /** Time until which the quota is used by earlier requests, in milliseconds. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    const time = now();
    // A clock that is set back must not delay a request for longer than the time of a burst.
    paidUntil = Math.min(Math.max(paidUntil, time - burst * msForRequest), time + burst * msForRequest) + msForRequest;
    if (paidUntil > time) await sleep(paidUntil - time);
  };
}
