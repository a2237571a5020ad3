/** What a code of a command stands for. Code and severity are contract; the words are for people. */
export interface Trouble {
  /** An `error` stops the migration or hurts who is served, a `warning` may, an `info` should be known. */
  readonly severity: "error" | "warning" | "info";
  /** What it means. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** For sorting: what weighs most comes first. */
export const severityRanks: Readonly<Record<Trouble["severity"], number>> = { error: 0, warning: 1, info: 2 };

export const error = (meaning: string, remedy: string): Trouble => ({ severity: "error", meaning, remedy });
export const warning = (meaning: string, remedy: string): Trouble => ({ severity: "warning", meaning, remedy });
export const info = (meaning: string, remedy: string): Trouble => ({ severity: "info", meaning, remedy });
