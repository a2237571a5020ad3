import { InputError } from "../../errors";
import type { CompanyWords } from "../catalogue";
import { findDoubts } from "./doubts";
import type { FreezeEvidence } from "./gather";
import { type Freeze, type FreezeReport, notWatched } from "./model";
import { readFreeze } from "./read";
import { sortEvents } from "./sort-events";

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
 * reported, even if there are doubts.
 *
 * @throws InputError for an invalid freeze or lag. For example, a misspelled class would watch nothing and the freeze
 * would appear clear
 */
export function evaluateFreeze(given: Freeze, evidence: FreezeEvidence, options: EvaluateOptions = {}): FreezeReport {
  const freeze = readFreeze(given);
  const lagMs = checkLag(options.lagSeconds ?? 600) * 1_000;
  const watermarkMs = Math.min(freeze.end.getTime(), evidence.listedAt.getTime() - lagMs);
  const seen = sortEvents(freeze, evidence.activities, options);
  const doubts = findDoubts(freeze, evidence, seen, watermarkMs, options.signOff === true);
  return {
    freeze: `${freeze.start.toISOString()}/${freeze.end.toISOString()}`,
    verdict: seen.violations.length > 0 ? "violations" : doubts.length > 0 ? "unknown" : "clear-as-of",
    asOf: watermarkMs > freeze.start.getTime() ? new Date(watermarkMs).toISOString() : null,
    final: watermarkMs === freeze.end.getTime(),
    checkedAt: evidence.listedAt.toISOString(),
    // Events that arrive late can change a clear verdict to violated, so a second check follows after another lag.
    nextCheckAt: new Date(Math.max(freeze.end.getTime(), evidence.listedAt.getTime()) + lagMs).toISOString(),
    violations: seen.violations,
    allowed: seen.allowed,
    doubts,
    unusedRules: (freeze.allow ?? []).flatMap((_, index) => (seen.usedRules.has(index) ? [] : [index])),
    expiredRules: [...seen.expiredRules].sort((a, b) => a - b),
    controlSeen: freeze.control === undefined ? null : seen.controlSeen,
    counts: { events: seen.events, watched: seen.watched, uncatalogued: seen.uncatalogued },
    notWatched,
  };
}

function checkLag(lagSeconds: number): number {
  if (Number.isFinite(lagSeconds) && lagSeconds >= 0) return lagSeconds;
  const message = `lagSeconds ${lagSeconds} is not a duration; use a number of seconds, 0 or more`;
  throw new InputError("seconds-invalid", message);
}
