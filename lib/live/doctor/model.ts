import { type CodedFinding, findingsOf } from "../../findings/finding";
import type { CheckName } from "./check-names";
import { type DoctorCode, doctorCodes } from "./codes";

/** A problem, or a fact to know before the start. */
export type DoctorFinding = CodedFinding<DoctorCode>;

/** Result of one check. */
export interface DoctorCheck {
  readonly check: CheckName;
  /** Subject of the check: a project, zone, domain or hostname; untrusted. */
  readonly subject: string;
  /** `unknown`: at least a part could not be checked. `stopped`: the run ended before the check did. */
  readonly outcome: "passed" | "found" | "unknown" | "stopped";
  /** What could not be checked and why, or measured numbers; untrusted. */
  readonly notes: readonly string[];
}

/** Result of the doctor. `cert-migration doctor --json` prints this as JSON, with `schemaVersion` 1 added. */
export interface DoctorReport {
  /** Errors first, then by code and subject. */
  readonly findings: readonly DoctorFinding[];
  /** All checks, in the order in which they are defined. */
  readonly checks: readonly DoctorCheck[];
  /** Whether the run was stopped before its end, so that findings may be missing. */
  readonly stopped: boolean;
}

export interface CheckResult {
  readonly findings: readonly DoctorFinding[];
  /** What could not be checked, and why. */
  readonly unknown?: readonly string[];
  /** Measured numbers. */
  readonly notes?: readonly string[];
}

export function merge(results: readonly CheckResult[]): CheckResult {
  return {
    findings: results.flatMap(({ findings }) => findings),
    unknown: results.flatMap(({ unknown = [] }) => unknown),
    notes: results.flatMap(({ notes = [] }) => notes),
  };
}

/** Creates a finding with the texts of its code. */
export const doctorFinding = findingsOf(doctorCodes);
