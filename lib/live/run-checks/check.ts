/** One thing that is tried until it is settled. */
export interface Check {
  /** What it goes to, as an address: places are shared evenly among those that have something to do, so that a dead one leaves the others theirs. */
  readonly lane?: string;
  /** Tries once. @returns whether it is settled; else whether to go on at `once`, or `later`, after the pause */
  readonly attempt: () => Promise<"settled" | "once" | "later">;
  /** Told, and once alone, that the time is over or the run was stopped before it was settled; an attempt may still be under way. */
  readonly giveUp: () => void;
}

/** The lane of a check; those that name none share one. */
export function laneOf({ lane = "" }: Check): string {
  return lane;
}
