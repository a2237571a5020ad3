/** An `error` stops the migration or affects live traffic, a `warning` may do so, an `info` is worth knowing. */
export type Severity = "error" | "warning" | "info";

/** Describes a code. Code and severity are a stable contract; the texts are for people. */
export interface CodeMeaning {
  readonly severity: Severity;
  /** Meaning of the code. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** A table of codes. Each module has its table next to the code that reports them. */
export type CodeTable<Code extends string = string> = Readonly<Record<Code, CodeMeaning>>;

/**
 * Lists every code of a table. Each table adds its codes by declaration merging, so that a code without a table is a
 * type error.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: the tables add the members
export interface Codes {}

/** A code of any table. */
export type Code = keyof Codes;

/** Ranks for sorting: the most severe comes first. */
export const severityRanks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

export const error = (meaning: string, remedy: string): CodeMeaning => ({ severity: "error", meaning, remedy });
export const warning = (meaning: string, remedy: string): CodeMeaning => ({ severity: "warning", meaning, remedy });
export const info = (meaning: string, remedy: string): CodeMeaning => ({ severity: "info", meaning, remedy });
