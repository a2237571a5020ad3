import type { Problem } from "../errors";
import { checks } from "./checks";

/** A code of {@link checks}. */
export type CheckCode = keyof typeof checks;

/** A finding of the checks about a spec. */
export interface Finding extends Problem {
  /** A code of {@link checks}, or a `hostname-…` or `certificate-…` code of a part that could not be read. */
  readonly code: string;
  /** An error stops the migration; a warning is only shown. */
  readonly severity: "error" | "warning";
  /** JSON pointer into the spec, for example `/certificates/0/domains/1`; empty for the spec as a whole. */
  readonly at: string;
}

/** Collects the findings of all checks. */
export class Findings {
  readonly #found: Finding[] = [];

  /**
   * Adds a finding.
   *
   * @param at JSON pointer of the input
   * @param what which input is wrong and why, in one line
   * @param remedy what is allowed and what to do, if the remedy of the code does not fit
   */
  report(code: CheckCode, at: string, what: string, remedy: string = checks[code].remedy): void {
    this.#found.push({ code, severity: checks[code].severity, at, message: `${what}; ${remedy}` });
  }

  /** Adds a problem that the reader of one input reported. */
  reject(problem: Problem, at: string, prefix = ""): void {
    this.#found.push({ code: problem.code, severity: "error", at, message: `${prefix}${problem.message}` });
  }

  /** Returns the findings: errors first, then by message, independent of the order of the spec. */
  sorted(): readonly Finding[] {
    const rank = (finding: Finding) => `${finding.severity === "error" ? 0 : 1} ${finding.code} ${finding.message}`;
    return [...this.#found].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  }
}
