import type { Json } from "../front";
import { isJsonObject } from "../front";
import type { UptimeRun } from "./uptime-runs";

/** Metrics of uptime checks, on which conditions are evaluated. Conditions on other metrics are stored only. */
const metrics = {
  "monitoring.googleapis.com/uptime_check/check_passed": "passed",
  "monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires": "daysLeft",
} as const;

/** A condition on the results of an uptime check. */
export interface CheckCondition {
  readonly metric: keyof typeof metrics;
  /** Id of the check; undefined for every check of the project. */
  readonly checkId: string | undefined;
  readonly durationMs: number;
  /** Returns whether the condition holds for the latest result; undefined without a result. */
  readonly holds: (run: UptimeRun | undefined, nowMs: number) => boolean;
}

const dayMs = 24 * 3_600_000;
/** Locations of a check without regions. */
const locations = 6;

/** Reads a condition; undefined for one that the cloud does not evaluate. */
export function readCondition(condition: Json): CheckCondition | undefined {
  const { conditionThreshold, conditionAbsent } = condition;
  const kind = isJsonObject(conditionThreshold) ? conditionThreshold : conditionAbsent;
  if (!isJsonObject(kind)) return undefined;
  const filter = String(kind.filter ?? "");
  const metric = /metric\.type\s*=\s*"([^"]+)"/.exec(filter)?.[1] ?? "";
  if (!Object.hasOwn(metrics, metric)) return undefined;
  const checkId = /check_id\s*=\s*"([^"]+)"/.exec(filter)?.[1];
  const durationMs = durationOf(kind.duration);
  const shared = { metric: metric as keyof typeof metrics, checkId };
  if (kind === conditionAbsent) {
    // The duration is the age of the latest result, so it does not have to last in addition.
    const holds: CheckCondition["holds"] = (run, nowMs) => run !== undefined && nowMs - run.atMs >= durationMs;
    return { ...shared, durationMs: 0, holds };
  }
  return { ...shared, durationMs, holds: thresholdOf(kind, shared.metric) };
}

function thresholdOf(kind: Json, metric: keyof typeof metrics): CheckCondition["holds"] {
  const threshold = Number(kind.thresholdValue ?? 0);
  const [aggregation] = Array.isArray(kind.aggregations) ? (kind.aggregations as readonly Json[]) : [];
  const isCountOfFailed = aggregation?.crossSeriesReducer === "REDUCE_COUNT_FALSE";
  const isBeyond = (value: number) => (kind.comparison === "COMPARISON_LT" ? value < threshold : value > threshold);
  return (run, nowMs) => {
    if (run === undefined) return false;
    if (metrics[metric] === "daysLeft") {
      return run.notAfterMs !== undefined && isBeyond((run.notAfterMs - nowMs) / dayMs);
    }
    if (isCountOfFailed) return isBeyond(run.isPassed ? 0 : locations);
    return isBeyond(run.isPassed ? 1 : 0);
  };
}

/** Returns a duration such as `600s` in milliseconds. */
export function durationOf(duration: unknown): number {
  return Number(/^(\d+(?:\.\d+)?)s$/.exec(String(duration))?.[1] ?? 0) * 1_000;
}
