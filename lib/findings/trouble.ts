/** Describes a code of a command. Code and severity are a stable contract; the texts are for people. */
export interface Trouble {
  /** An `error` stops the migration or affects live traffic, a `warning` may do so, an `info` is worth knowing. */
  readonly severity: "error" | "warning" | "info";
  /** Meaning of the code. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Ranks for sorting: the most severe comes first. */
export const severityRanks: Readonly<Record<Trouble["severity"], number>> = { error: 0, warning: 1, info: 2 };

export const error = (meaning: string, remedy: string): Trouble => ({ severity: "error", meaning, remedy });
export const warning = (meaning: string, remedy: string): Trouble => ({ severity: "warning", meaning, remedy });
export const info = (meaning: string, remedy: string): Trouble => ({ severity: "info", meaning, remedy });
