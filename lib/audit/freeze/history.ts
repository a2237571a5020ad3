import { InputError } from "../../errors";
import { readLosslessJson } from "../reading";
import { isData, own } from "../reading/values";
import type { RecordLog } from "../service";
import { type FreezeReport, isViolation } from "./model";

/** A stored verdict. */
export interface VerdictRecord {
  /** Identifier of the freeze, as in the report. */
  readonly freeze: string;
  readonly checkedAt: string;
  readonly verdict: FreezeReport["verdict"];
  readonly asOf: string | null;
  readonly final: boolean;
  /** Keys of the violations. */
  readonly violations: readonly string[];
  /** Codes of the gaps in the evidence. */
  readonly doubts: readonly string[];
}

/** Differences from the previous verdict. */
export interface VerdictChange {
  readonly before: VerdictRecord;
  /** Whether an earlier "clear as of" covered the time of a violation that is new in this verdict. */
  readonly overturned: boolean;
  /** Keys of violations that were not known before. */
  readonly newViolations: readonly string[];
  /**
   * Keys of violations of the previous verdict that are now neither violations nor allowed: the log no longer contained
   * them.
   */
  readonly goneViolations: readonly string[];
}

/**
 * Adds a verdict to the history. Earlier verdicts stay unchanged.
 *
 * @returns the difference from the previous verdict of this freeze; undefined for the first verdict
 * @throws InputError `history-malformed` if the history cannot be read; then nothing was added
 */
export function recordVerdict(log: RecordLog, report: FreezeReport): VerdictChange | undefined {
  const history = log.read().map(parseVerdict);
  const { freeze, checkedAt, verdict, asOf, final, findings } = report;
  const record: VerdictRecord = {
    freeze,
    checkedAt,
    verdict,
    asOf,
    final,
    violations: findings.filter(isViolation).map(({ key }) => key),
    doubts: findings.filter((finding) => !isViolation(finding)).map(({ code }) => code),
  };
  log.append(JSON.stringify(record));
  return compareVerdicts(history, report);
}

/** Compares a verdict with the earlier verdicts of the same freeze. The history may contain other freezes. */
export function compareVerdicts(verdicts: readonly VerdictRecord[], report: FreezeReport): VerdictChange | undefined {
  const history = verdicts.filter(({ freeze }) => freeze === report.freeze);
  const before = history.at(-1);
  if (before === undefined) return undefined;
  const known = new Set(history.flatMap(({ violations }) => violations));
  const violations = report.findings.filter(isViolation);
  const fresh = violations.filter(({ key }) => !known.has(key));
  const reportedKeys = new Set([...violations, ...report.allowed].map(({ key }) => key));
  const clearUpTo = history
    .flatMap(({ verdict, asOf }) => (verdict === "clear-as-of" && asOf !== null ? [asOf] : []))
    .sort()
    .at(-1);
  return {
    before,
    overturned: clearUpTo !== undefined && fresh.some(({ time }) => time < clearUpTo),
    newViolations: fresh.map(({ key }) => key),
    goneViolations: before.violations.filter((key) => !reportedKeys.has(key)),
  };
}

function parseVerdict(line: string, index: number): VerdictRecord {
  const read = readLosslessJson(line);
  if (isVerdict(read)) return read;
  const message = `line ${index + 1} of the history is not a verdict; name a file that this command wrote`;
  throw new InputError("history-malformed", message);
}

function isVerdict(read: unknown): read is VerdictRecord {
  const texts = (name: string) => {
    const list = isData(read) ? own(read, name) : undefined;
    return Array.isArray(list) && list.every((item) => typeof item === "string");
  };
  return (
    isData(read) &&
    typeof own(read, "freeze") === "string" &&
    typeof own(read, "checkedAt") === "string" &&
    ["violations", "clear-as-of", "unknown"].includes(String(own(read, "verdict"))) &&
    (own(read, "asOf") === null || typeof own(read, "asOf") === "string") &&
    typeof own(read, "final") === "boolean" &&
    texts("violations") &&
    texts("doubts")
  );
}
