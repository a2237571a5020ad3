import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Accepted } from "./accepted";
import { type Group, idOf } from "./behavior";
import type { Difference } from "./compare";
import { isAsExpected, type Observation, type SuiteResult } from "./run";

const resultsFolder = join(__dirname, "results");

/** Results of a run as a file. Values are normalized: no project, token, key or address is in them. */
export interface ResultsFile {
  readonly version: 1;
  /** `other`: a service in place of Google's. */
  readonly side: "rehearsal" | "google" | "other";
  /** RFC 3339, the day only. */
  readonly date: string;
  readonly minutes: number;
  readonly behaviors: Readonly<Record<string, RecordedBehavior>>;
}

interface RecordedBehavior {
  readonly result: "as expected" | "accepted" | "different" | "not observed";
  readonly seen?: unknown;
  readonly differences?: readonly Difference[];
  /** Why it could not be observed, or why the difference is accepted. */
  readonly reason?: string;
}

/** Returns the results of a run as data. @param tookMs duration of the run */
export function resultsOf(
  { observations }: SuiteResult,
  { side, now, tookMs, accepted }: { side: ResultsFile["side"]; now: Date; tookMs: number; accepted: Accepted },
): ResultsFile {
  const behaviors = observations.map((observation): [string, RecordedBehavior] => [
    observation.id,
    recorded(observation, accepted),
  ]);
  return {
    version: 1,
    side,
    date: now.toISOString().slice(0, 10),
    minutes: Math.round(tookMs / 6_000) / 10,
    behaviors: Object.fromEntries(behaviors),
  };
}

function recorded(observation: Observation, accepted: Accepted): RecordedBehavior {
  const { id, seen, differences, problem } = observation;
  if (problem !== undefined) return { result: "not observed", reason: problem };
  if (isAsExpected(observation)) return { result: "as expected", seen };
  const reason = accepted[id];
  return reason === undefined
    ? { result: "different", seen, differences }
    : { result: "accepted", seen, differences, reason };
}

/** Writes `DATE-side.json`. @returns the path */
export function writeResults(results: ResultsFile, folder = resultsFolder): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${results.date}-${results.side}.json`);
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  return path;
}

/** Returns the report of the differences: behavior, expected, seen, and what depends on it. */
export function reportOf(results: ResultsFile, groups: readonly Group[]): string {
  const lines: string[] = [];
  for (const group of groups) {
    for (const behavior of group.behaviors) {
      const id = idOf(group, behavior);
      const { result, differences = [], reason } = results.behaviors[id] ?? {};
      if (result === undefined || result === "as expected") continue;
      lines.push(`${result}: ${id}`, `  ${behavior.statement}`);
      for (const { path, expected, seen } of differences) {
        lines.push(`  ${path === "" ? "the value" : path}: expected ${shown(expected)}, seen ${shown(seen)}`);
      }
      if (reason !== undefined) lines.push(`  ${reason}`);
      lines.push(`  depends on it: ${behavior.reliedOnBy.join(", ")}`);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
