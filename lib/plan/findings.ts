import type { Problem } from "../errors";
import { checks } from "./checks";

/** A code of {@link checks}. */
export type CheckCode = keyof typeof checks;

/** One thing that the checks have to say of a spec. */
export interface Finding extends Problem {
  /** A code of {@link checks}, or a `hostname-…` or `certificate-…` code of a part that could not be read. */
  readonly code: string;
  /** An error stops the migration; a warning is shown and that is all. */
  readonly severity: "error" | "warning";
  /** JSON pointer into the spec, as in `/certificates/0/domains/1`; empty where it is the spec as a whole. */
  readonly at: string;
}

/** Collects findings; each check adds its own. */
export class Findings {
  readonly #found: Finding[] = [];

  /**
   * Adds what a check found.
   *
   * @param at JSON pointer of the input
   * @param what which input and what is wrong with it, in one line
   * @param remedy what is allowed and what to do, where the table's own words don't fit
   */
  report(code: CheckCode, at: string, what: string, remedy: string = checks[code].remedy): void {
    this.#found.push({ code, severity: checks[code].severity, at, message: `${what}; ${remedy}` });
  }

  /** Takes over what a reader of one input found wrong with it. */
  reject(problem: Problem, at: string, prefix = ""): void {
    this.#found.push({ code: problem.code, severity: "error", at, message: `${prefix}${problem.message}` });
  }

  /** Errors first, then by message: the order of the spec has no say. */
  sorted(): readonly Finding[] {
    const rank = (finding: Finding) => `${finding.severity === "error" ? 0 : 1} ${finding.code} ${finding.message}`;
    return [...this.#found].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  }
}
