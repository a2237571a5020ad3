/** A check that is repeated until it is settled. */
export interface Check {
  /**
   * The target address of the check. Attempts are shared evenly among the lanes with work, so that an unreachable
   * address does not slow down the others.
   */
  readonly lane?: string;
  /**
   * Runs one attempt.
   *
   * @returns `settled`, or when to run the next attempt: `once` without a pause, `later` after the pause
   */
  readonly attempt: () => Promise<"settled" | "once" | "later">;
  /**
   * Called at most once, if the deadline passed or the run was stopped before the check was settled. An attempt may
   * still be in progress.
   */
  readonly giveUp: () => void;
}

/** Returns the lane of a check. Checks without a lane share the same lane. */
export function laneOf({ lane = "" }: Check): string {
  return lane;
}
