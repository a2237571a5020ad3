/** Marks of states, the same in every command and report. They are ASCII, so that every terminal and log shows them. */
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
