/** Rows of a rehearsal's result: each part with its handshakes, and a last row for everything beside the parts. */
import { groupBy } from "../json/group-by";
import { stepNames } from "../live/status";
import { lastPart } from "../resource-names";
import { type MarkedState, markWords, stateMarks } from "../text/state-marks";
import type { EndedPart, RehearsalRecord } from "./model";

type Result = RehearsalRecord["result"];

export interface PartRow {
  /** Numbers of steps, for example `1, 2`; empty for other parts. */
  readonly steps: string;
  /** `todo`: the rehearsal ended before this part; `none`: this rehearsal has no such part. */
  readonly state: EndedPart["state"] | "todo" | "none";
  /** Absent for parts that did not run, and for parts that files of earlier versions do not count. */
  readonly counts?: PartCounts;
  readonly what: string;
}

interface PartCounts {
  /** With one decimal; NaN if the duration of the rehearsal is not known. */
  readonly seconds: number;
  readonly handshakes: number;
  readonly failed: number;
}

const words: Readonly<Record<MarkedState, string>> = { ...markWords, todo: "not reached", none: "not run" };

/** Returns the mark and the word of a state. */
export function partStateLabel(state: PartRow["state"]): string {
  return `${stateMarks[state]} ${words[state]}`;
}

/** @param seconds duration of the whole rehearsal; NaN if not known */
export function partRows(result: Result, seconds: number): readonly PartRow[] {
  const parts = result.parts ?? formerParts(result.steps);
  const rows = parts.map(({ numbers, name, state, seconds: time, handshakes, failed }): PartRow => {
    const named = numbers.map((number) => result.steps.find((step) => step.number === number)?.name ?? "");
    const counts = { seconds: tenths(time), handshakes, failed };
    return { steps: numbers.join(", "), state, counts, what: named.join("; ") || name };
  });
  return [...rows, ...uncounted(result, parts), restOf(rows, result, seconds)];
}

/** Returns the steps as parts. Steps of the same apply have the same time. */
function formerParts(steps: Result["steps"]): readonly EndedPart[] {
  const together = groupBy(steps, ({ number, from = number, until }) => `${from} ${until}`);
  return [...together.values()].flatMap((same) =>
    same.slice(0, 1).map(({ name, ok, stopped, seconds, probes, failedHandshakes }) => ({
      numbers: same.map(({ number }) => number),
      name,
      state: ok ? "done" : stopped === true ? "stopped" : "failed",
      seconds,
      handshakes: probes,
      failed: failedHandshakes,
    })),
  );
}

/** Returns the steps and the parts after them that did not run, and parts of files of earlier versions. */
function uncounted(result: Result, parts: readonly EndedPart[]): readonly PartRow[] {
  const { acts = [], rotation, rollback, failedHandshakes, stopped } = result;
  const { watch = acts.find(({ name }) => name.startsWith("watch:"))?.ok } = result;
  const isComplete = failedHandshakes === 0 && stopped !== true && parts.every(({ state }) => state === "done");
  const missing = isComplete ? "none" : "todo";
  const started = new Set(parts.flatMap(({ numbers }) => numbers));
  const steps = stepNames.flatMap((what, index): readonly PartRow[] =>
    started.has(index + 1) ? [] : [{ steps: String(index + 1), state: missing, what }],
  );
  const others = Object.entries({ watch, rotation, rollback }).flatMap(([what, ok]): readonly PartRow[] => {
    if (parts.some(({ name }) => name.startsWith(`${what}:`))) return [];
    return [{ steps: "", state: ok === undefined ? missing : ok ? "done" : "failed", what }];
  });
  return [...steps, ...others];
}

/** Returns the row of everything before, between and after the other rows, so that the rows add up to the total. */
function restOf(
  rows: readonly PartRow[],
  { parts, probes, failedHandshakes, destroyed, left = [] }: Result,
  seconds: number,
): PartRow {
  const rest = (total: number, of: (counts: PartCounts) => number) =>
    rows.reduce((remaining, { counts }) => (counts === undefined ? remaining : remaining - of(counts)), total);
  const failed = rest(failedHandshakes, (counts) => counts.failed);
  const counts = {
    seconds: Math.max(0, tenths(rest(tenths(seconds), (counted) => counted.seconds))),
    handshakes: rest(probes, (counted) => counted.handshakes),
    failed,
  };
  const remains = left.map(lastPart).join(", ");
  const others = parts === undefined ? "parts without counts, " : "";
  return {
    steps: "",
    state: destroyed && failed === 0 ? "done" : "failed",
    counts,
    what: `${others}preparation, time between the parts, destroy: ${remains || (destroyed ? "nothing" : "something")} left behind`,
  };
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
