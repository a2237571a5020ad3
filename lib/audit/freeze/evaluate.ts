import { InputError } from "../../errors";
import { findingsOf } from "../../findings/finding";
import { escapeUnsafe } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CompanyWords } from "../catalogue";
import { evidenceGaps } from "../codes";
import { retentionDays, retentionStart } from "../query";
import type { FreezeEvidence } from "./gather";
import { type EvidenceGap, type Freeze, type FreezeReport, notWatched } from "./model";
import { readFreeze } from "./read";
import { type SortedEvents, sortEvents } from "./sort-events";

/** Options of {@link evaluateFreeze}. */
export interface EvaluateOptions extends CompanyWords {
  /**
   * Time until the log is complete, in seconds.
   *
   * @default 600: the public service documents a couple of minutes, with exceptions
   */
  readonly lagSeconds?: number;
  /**
   * Whether the freeze is to be signed off. If true, a result before the end of the freeze is unknown. @default false
   */
  readonly signOff?: boolean;
}

/**
 * Evaluates a freeze from its log. The evaluation detects changes after they were made; it prevents none. The verdict
 * is never "clear", only "clear as of" a time, for the part that the log covers. Observed violations are always
 * reported, even if the evidence has gaps.
 *
 * @throws InputError for an invalid freeze or lag. For example, a misspelled class would watch nothing and the freeze
 * would appear clear
 */
export function evaluateFreeze(given: Freeze, evidence: FreezeEvidence, options: EvaluateOptions = {}): FreezeReport {
  const freeze = readFreeze(given);
  const lagMs = checkLag(options.lagSeconds ?? 600) * 1_000;
  const watermarkMs = Math.min(freeze.end.getTime(), evidence.listedAt.getTime() - lagMs);
  const sorted = sortEvents(freeze, evidence.activities, options);
  const gaps = [
    ...gapsOfListing(freeze, evidence),
    ...gapsOfTime(freeze, watermarkMs, options),
    ...gapsOfRecords(evidence, sorted),
    ...gapsOfArrival(freeze, sorted),
  ];
  return {
    freeze: `${freeze.start.toISOString()}/${freeze.end.toISOString()}`,
    verdict: sorted.violations.length > 0 ? "violations" : gaps.length > 0 ? "unknown" : "clear-as-of",
    asOf: watermarkMs > freeze.start.getTime() ? new Date(watermarkMs).toISOString() : null,
    final: watermarkMs === freeze.end.getTime(),
    checkedAt: evidence.listedAt.toISOString(),
    // Events that arrive late can change a clear verdict to violated, so a second check follows after another lag.
    nextCheckAt: new Date(Math.max(freeze.end.getTime(), evidence.listedAt.getTime()) + lagMs).toISOString(),
    findings: [...sorted.violations, ...gaps],
    allowed: sorted.allowed,
    unusedRules: (freeze.allow ?? []).flatMap((_, index) => (sorted.usedRules.has(index) ? [] : [index])),
    expiredRules: [...sorted.expiredRules].sort((a, b) => a - b),
    controlSeen: freeze.control === undefined ? null : sorted.controlSeen,
    counts: sorted.counts,
    notWatched,
  };
}

function checkLag(lagSeconds: number): number {
  if (Number.isFinite(lagSeconds) && lagSeconds >= 0) return lagSeconds;
  const message = `lagSeconds ${lagSeconds} is not a duration; use a number of seconds, 0 or more`;
  throw new InputError("seconds-invalid", message);
}

const gap = findingsOf(evidenceGaps);

function gapsOfListing(
  { start }: Freeze,
  { listedAt, complete, failure, warnings }: FreezeEvidence,
): readonly EvidenceGap[] {
  const gaps: EvidenceGap[] = [];
  if (!complete) {
    const reason = failure === undefined ? "" : `: ${escapeUnsafe(failure)}`;
    gaps.push(gap("listing-incomplete", "", `the listing did not reach its last page${reason}`));
  }
  if (start < retentionStart(listedAt)) {
    const message = `the freeze began more than ${retentionDays} days ago, the retention period of the service`;
    gaps.push(gap("freeze-too-old", start.toISOString(), message));
  }
  for (const warning of warnings) {
    gaps.push(gap("data-missing", "", `the service reports that data is missing: ${escapeUnsafe(warning)}`));
  }
  return gaps;
}

/** Compares the freeze with the time up to which the log is expected to be complete. */
function gapsOfTime(
  { start, end }: Freeze,
  watermarkMs: number,
  { signOff = false }: EvaluateOptions,
): readonly EvidenceGap[] {
  if (watermarkMs <= start.getTime()) {
    return [gap("lag-not-over", start.toISOString(), "events of the freeze have not arrived in the log yet")];
  }
  if (!signOff || watermarkMs === end.getTime()) return [];
  const message = `the log is complete only up to ${new Date(watermarkMs).toISOString()}, before the end of the freeze`;
  return [gap("freeze-not-over", end.toISOString(), message)];
}

/** Findings of a record that leave the time or the name of the event unknown. */
const hidingFindings: ReadonlySet<string> = new Set([
  "time-missing",
  "time-malformed",
  "events-missing",
  "event-malformed",
  "event-name-missing",
]);

function gapsOfRecords({ activities, unreadable }: FreezeEvidence, { alike }: SortedEvents): readonly EvidenceGap[] {
  const problems = [
    ...unreadable.map(({ problem }) => problem),
    ...activities.flatMap(({ findings }) => findings.find(({ code }) => hidingFindings.has(code)) ?? []),
  ];
  const [first] = problems;
  const gaps: EvidenceGap[] = [];
  if (first !== undefined) {
    const count = countOf(problems.length, "record has", "records have");
    gaps.push(gap("record-unreadable", "", `${count} no readable time or event; the first: ${first.message}`));
  }
  for (const [name, like] of alike) {
    const message = `${escapeUnsafe(name)} is not in the catalogue and resembles ${like}, which is watched`;
    gaps.push(gap("event-alike", escapeUnsafe(name), message));
  }
  return gaps;
}

/** Returns a gap if nothing shows that events arrive in the log. */
function gapsOfArrival({ control }: Freeze, { controlSeen, counts: { events } }: SortedEvents): readonly EvidenceGap[] {
  if (control !== undefined) {
    if (controlSeen) return [];
    const message = `the log does not contain the change of 'control', ${control.event}: events may not arrive`;
    return [gap("control-missing", control.event, message)];
  }
  if (events > 0) return [];
  const message = "the log has no event of the freeze: missing data does not mean that nothing changed";
  return [gap("no-data", "", message)];
}
