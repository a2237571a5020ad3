import type { StepState } from "../../live/status";

/** What the states of a step are called in the report. */
export const stateWords: Readonly<Record<StepState, string>> = {
  done: "done",
  waiting: "waiting",
  todo: "to do",
  failed: "failed",
  unknown: "unknown",
  none: "needless",
};

/** In the order in which they are laid on top of each other: the first is seen, however few it has. */
export const stateOrder = [
  "failed",
  "done",
  "none",
  "waiting",
  "todo",
  "unknown",
] as const satisfies readonly StepState[];
