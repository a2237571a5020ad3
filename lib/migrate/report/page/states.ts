import type { StepState } from "../../status";

/** What the states of a step are called in the report, in the order of legends. */
export const stateWords: Readonly<Record<StepState, string>> = {
  done: "done",
  waiting: "waiting",
  todo: "to do",
  failed: "failed",
  unknown: "unknown",
  none: "needless",
};

export const stateOrder = [
  "done",
  "none",
  "waiting",
  "todo",
  "unknown",
  "failed",
] as const satisfies readonly StepState[];
