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
