import type { StepState } from "../../live/status";

/** Names of the states of a step in the report. */
export const stateWords: Readonly<Record<StepState, string>> = {
  done: "done",
  waiting: "waiting",
  todo: "to do",
  failed: "failed",
  unknown: "unknown",
  none: "not applicable",
};

/** The order in which states are stacked. The first stays visible, however few hostnames it has. */
export const stateOrder = [
  "failed",
  "done",
  "none",
  "waiting",
  "todo",
  "unknown",
] as const satisfies readonly StepState[];
