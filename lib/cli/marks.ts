import type { Tone } from "./style";

/** Marks of states, the same in every command. They are ASCII, so that every terminal and log shows them. */
export const stateMarks = {
  done: "+",
  /** In progress, or waiting for something outside of this program. */
  waiting: "~",
  todo: ".",
  failed: "X",
  /** Interrupted before its end, without a failure. */
  stopped: "/",
  unknown: "?",
  /** Does not apply. */
  none: "-",
} as const;

export type MarkedState = keyof typeof stateMarks;

/** Words of states in legends and tables. */
export const markWords: Readonly<Record<MarkedState, string>> = {
  done: "done",
  waiting: "waiting",
  todo: "to do",
  failed: "failed",
  stopped: "stopped",
  unknown: "not known",
  none: "not applicable",
};

/** Colors of states, the same in every command. */
export const stateTones: Readonly<Record<MarkedState, Tone>> = {
  done: "good",
  waiting: "pending",
  todo: "faint",
  failed: "bad",
  stopped: "pending",
  unknown: "pending",
  none: "faint",
};
