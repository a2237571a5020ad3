/** Recounts the handshakes of a verdict, by step and by second. */

import type { StepResult } from "../part-runner";
import type { Probe } from "../probe";
import { probesAtOnce } from "../prober";
import type { RehearsalResult } from "../rehearsal";
import { check, checkWithout, type EvidenceCheck } from "./evidence-lines";

/** Tolerance in seconds: seconds are recorded with two digits, and the two clocks are not read at the same instant. */
const slackSeconds = 0.1;
/** Minimum length in seconds of a step that can be used to measure the speed of the cloud's clock. */
const longSeconds = 0.5;

export function createRecount({ steps, bySecond = [], ...all }: RehearsalResult) {
  const total = { probes: 0, failed: 0 };
  const seconds = new Map<string, { probes: number; failed: number }>();
  const counts = steps.map((step) => ({ step, probes: 0, failed: 0 }));
  return {
    add: ({ time, hostname, ok }: Probe): void => {
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
    /** Checks the totals of all probes. */
    totals: (): readonly EvidenceCheck[] => {
      const counts = [
        ["probes", total.probes, all.probes],
        ["failed handshakes", total.failed, all.failedHandshakes],
      ] as const;
      return counts.map(([name, counted, reported]) =>
        check(name, counted === reported, `${counted} in the file, ${reported} in the result`),
      );
    },
    /** Checks the counts by second and by step. */
    checks: (): readonly EvidenceCheck[] => {
      const reported = new Map(bySecond.map((count) => [`${count.second} ${count.hostname}`, count]));
      const unlike = [...seconds].filter(([key, { probes, failed }]) => {
        const { probes: reportedProbes, failed: reportedFailed } = reported.get(key) ?? {};
        return probes !== reportedProbes || failed !== reportedFailed;
      }).length;
      const more = bySecond.length - (seconds.size - [...seconds.keys()].filter((key) => !reported.has(key)).length);
      const wrong = counts
        .filter(({ step, probes, failed }) => !isLike(probes, step.probes) || !isLike(failed, step.failedHandshakes))
        .map(({ step }) => step.number);
      const mistimed = mistimedOf(steps).map(({ number }) => number);
      return [
        checkWithout(
          unlike + more === 0 ? [] : [`${unlike + more} counts differ from the file`],
          "probes by second",
          `${seconds.size} counts match`,
        ),
        checkWithout(
          wrong.length === 0 ? [] : [`different from the file in steps ${wrong.join(", ")}`],
          "probes of each step",
          `${steps.length} steps match`,
        ),
        checkWithout(
          mistimed.length === 0 ? [] : [`different from their times in steps ${mistimed.join(", ")}`],
          "duration of each step",
          `${steps.length} steps match their times`,
        ),
      ];
    },
  };
}

/**
 * Returns whether two counts of a step agree. The verdict counts a probe when it ends, and a recount uses the time when
 * it began, so probes in progress at the beginning or end of a step can differ.
 */
function isLike(recounted: number, reported: number): boolean {
  return Math.abs(recounted - reported) <= probesAtOnce;
}

/**
 * Returns the steps whose duration does not match their times. The cloud's clock has a constant speed, so the cloud's
 * time of a step determines its time on the machine.
 */
function mistimedOf(steps: readonly StepResult[]): readonly StepResult[] {
  const speed = speedOf(steps);
  if (speed === undefined) return [];
  return steps.filter((step) => {
    const seconds = spanOf(step) / speed;
    return !(Math.abs(step.seconds - seconds) <= slackSeconds + seconds / 50);
  });
}

/** Returns the speed of the cloud's clock, as the median over the long steps; undefined without long steps. */
export function speedOf(steps: readonly StepResult[]): number | undefined {
  const speeds = steps
    .filter(({ seconds }) => seconds >= longSeconds)
    .map((step) => spanOf(step) / step.seconds)
    .sort((left, right) => left - right);
  return speeds[Math.floor(speeds.length / 2)];
}

/** Returns the duration of a step in seconds of the cloud's time. */
function spanOf({ from, until }: StepResult): number {
  return (Date.parse(until) - Date.parse(from)) / 1_000;
}
