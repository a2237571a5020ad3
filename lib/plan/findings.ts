import type { Problem } from "../errors";
import { type Code, severityRanks } from "../findings/codes";
import { type CodedFinding, type Finding, findingsOf } from "../findings/finding";
import { checks } from "./checks";

/** A code of {@link checks}. */
export type CheckCode = keyof typeof checks;

const finding = findingsOf(checks);

/** Collects the findings of all checks. */
export class Findings {
  readonly #found: CodedFinding<Code>[] = [];

  /**
   * Adds a finding.
   *
   * @param at JSON pointer of the input
   * @param what which input is wrong and why, in one line
   * @param remedy what is allowed and what to do, if the remedy of the code does not fit
   */
  report(code: CheckCode, at: string, what: string, remedy?: string): void {
    this.#found.push(finding(code, at, what, { remedy }));
  }

  /** Adds a problem that the reader of one input reported. */
  reject(problem: Problem, at: string, prefix = ""): void {
    this.#found.push({
      code: problem.code,
      severity: "error",
      subject: at,
      message: `${prefix}${problem.message}`,
      remedy: "",
    });
  }

  /** Returns the findings: errors first, then by message, independent of the order of the spec. */
  sorted(): readonly CodedFinding<Code>[] {
    return sortFindings(this.#found);
  }
}

/** Returns findings in a fixed order: errors first, then by code and message. */
export function sortFindings(findings: readonly CodedFinding<Code>[]): readonly CodedFinding<Code>[] {
  const rank = ({ severity, code, message }: Finding) => `${severityRanks[severity]} ${code} ${message}`;
  return [...findings].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
