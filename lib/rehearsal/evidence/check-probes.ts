/** Counts again what a verdict says of handshakes, by step and by second. */

import type { StepResult } from "../play";
import type { Probe } from "../probe";
import { probesAtOnce } from "../prober";
import type { RehearsalResult } from "../rehearsal";
import { check, type EvidenceCheck } from "./check-terraform";

/** Two digits are told of seconds, and the machine takes its time between two looks at its clocks. */
const slackSeconds = 0.1;
/** Shorter steps don't tell how fast the cloud's clock went. */
const longSeconds = 0.5;

export interface Recount {
  readonly add: (probe: Probe) => void;
  /** Of all probes together. */
  readonly totals: () => readonly EvidenceCheck[];
  /** By second and by step. */
  readonly checks: () => readonly EvidenceCheck[];
}

export function createRecount({ steps, bySecond = [], ...all }: RehearsalResult): Recount {
  const total = { probes: 0, failed: 0 };
  const seconds = new Map<string, { probes: number; failed: number }>();
  const counts = steps.map((step) => ({ step, probes: 0, failed: 0 }));
  return {
    add: ({ time, hostname, ok }) => {
      const failed = ok ? 0 : 1;
      total.probes += 1;
      total.failed += failed;
      const key = `${time.slice(0, 19)}Z ${hostname}`;
      const before = seconds.get(key) ?? { probes: 0, failed: 0 };
      seconds.set(key, { probes: before.probes + 1, failed: before.failed + failed });
      for (const count of counts) {
        if (time < count.step.from || time > count.step.until) continue;
        count.probes += 1;
        count.failed += failed;
      }
    },
    totals: () => {
      const counts = [
        ["probes", total.probes, all.probes],
        ["failed handshakes", total.failed, all.failedHandshakes],
      ] as const;
      return counts.map(([name, counted, told]) =>
        check(name, counted === told, `${counted} in the file, ${told} in the verdict`),
      );
    },
    checks: () => {
      const told = new Map(bySecond.map((one) => [`${one.second} ${one.hostname}`, one]));
      const unlike = [...seconds].filter(([key, { probes, failed }]) => {
        const { probes: toldProbes, failed: toldFailed } = told.get(key) ?? {};
        return probes !== toldProbes || failed !== toldFailed;
      }).length;
      const more = bySecond.length - (seconds.size - [...seconds.keys()].filter((key) => !told.has(key)).length);
      // Those that were under way at a step's beginning or end are counted by one, and timed by the other.
      const isLike = (one: number, other: number) => Math.abs(one - other) <= probesAtOnce;
      const wrong = counts
        .filter(({ step, probes, failed }) => !isLike(probes, step.probes) || !isLike(failed, step.failedHandshakes))
        .map(({ step }) => step.number);
      const mistimed = mistimedOf(steps).map(({ number }) => number);
      return [
        check(
          "probes by second",
          unlike + more === 0,
          unlike + more === 0 ? `${seconds.size} counts` : `${unlike + more} counts are not those of the file`,
        ),
        check(
          "probes of each step",
          wrong.length === 0,
          wrong.length === 0 ? `those of ${steps.length} steps` : `not those of the file in ${wrong.join(", ")}`,
        ),
        check(
          "seconds of each step",
          mistimed.length === 0,
          mistimed.length === 0 ? "as its times say" : `not as its times say in ${mistimed.join(", ")}`,
        ),
      ];
    },
  };
}

/** The cloud's clock goes at one speed: what a step took of it tells what it took of the machine's. */
function mistimedOf(steps: readonly StepResult[]): readonly StepResult[] {
  const speed = speedOf(steps);
  if (speed === undefined) return [];
  return steps.filter((step) => {
    const seconds = spanOf(step) / speed;
    return !(Math.abs(step.seconds - seconds) <= slackSeconds + seconds / 50);
  });
}

/** How fast the cloud's clock went, by what most steps tell; undefined where none of them tells. */
export function speedOf(steps: readonly StepResult[]): number | undefined {
  const speeds = steps
    .filter(({ seconds }) => seconds >= longSeconds)
    .map((step) => spanOf(step) / step.seconds)
    .sort((one, other) => one - other);
  return speeds[Math.floor(speeds.length / 2)];
}

/** In seconds of the cloud's time. */
function spanOf({ from, until }: StepResult): number {
  return (Date.parse(until) - Date.parse(from)) / 1_000;
}
