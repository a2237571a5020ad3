import { severityRanks } from "../findings/codes";
import type { Finding } from "../findings/finding";

/** A place in a file of the repository. */
export interface FilePlace {
  /** Path relative to the root of the repository, with `/`. */
  readonly path: string;
  /** From 1. @default - the whole file */
  readonly line?: number;
  /** From 1. @default - the whole line */
  readonly column?: number;
}

/** A finding with the place that a reader opens to fix it. */
export interface PlacedFinding extends Finding {
  readonly place: FilePlace;
  /** Whether the user has allowed the finding, so that it does not fail the run. @default false */
  readonly allowed?: boolean;
}

/** Something that a command has checked. */
export interface ResultCheck {
  /** What was checked; unique within a run, stable between runs. */
  readonly name: string;
  /** Hostname or other subject, by which reports group checks. */
  readonly group: string;
  /** Why the check failed. @default - the check passed */
  readonly failure?: PlacedFinding;
}

/** A table for people. */
export interface ResultTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The result of a command in the form from which every format is written. */
export interface CommandResult {
  /** Name of the command, as in `check-plan`. */
  readonly command: string;
  /** Version of this package. */
  readonly version: string;
  readonly ok: boolean;
  /** The verdict in one line. */
  readonly summary: string;
  readonly checks: readonly ResultCheck[];
  /** Findings beside the failures of checks. */
  readonly findings: readonly PlacedFinding[];
  readonly tables: readonly ResultTable[];
}

/** Returns the failures of checks and all other findings, the most severe first. */
export function allFindings({
  checks,
  findings,
}: Pick<CommandResult, "checks" | "findings">): readonly PlacedFinding[] {
  const all = [...checks.flatMap(({ failure }) => failure ?? []), ...findings];
  return all.sort((a, b) => severityRanks[a.severity] - severityRanks[b.severity]);
}

/** Returns whether a finding fails the run. */
export function isFailure({ severity, allowed }: PlacedFinding): boolean {
  return severity === "error" && allowed !== true;
}
