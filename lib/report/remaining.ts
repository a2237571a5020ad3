import { type StepStatus, stepNames } from "../live/status";
import type { Standing } from "./standing";

/** The remaining work at one of the eight steps. */
export interface RemainingStep {
  readonly step: number;
  readonly name: string;
  /** The number of hostnames at this step: all earlier steps are done or not needed. */
  readonly count: number;
  readonly failed: number;
  readonly waiting: number;
  readonly todo: number;
  readonly unknown: number;
  /** Why hostnames are at this step, failures first; the most frequent causes. */
  readonly causes: readonly RemainingCause[];
}

/** Hostnames that are at a step for the same reason. */
export interface RemainingCause {
  readonly state: StepStatus["state"];
  readonly count: number;
  /** The first of the hostnames, with its reason and its next action. */
  readonly example: Standing;
}

/** Maximum number of causes of a step. */
const mostCauses = 5;

/** Returns the remaining work by the step at which hostnames are. Steps without hostnames are left out. */
export function remainingOf(standings: readonly Standing[]): readonly RemainingStep[] {
  return stepNames.flatMap((name, index) => {
    const step = index + 1;
    const here = standings.filter(({ current }) => current?.step === step);
    if (here.length === 0) return [];
    const count = (state: string) => here.filter(({ current }) => current?.state === state).length;
    const failed = here.filter(({ current }) => current?.state === "failed");
    return [
      {
        step,
        name,
        count: here.length,
        failed: failed.length,
        waiting: count("waiting"),
        todo: count("todo"),
        unknown: count("unknown"),
        causes: causesOf(here),
      },
    ];
  });
}

/** Groups hostnames by state and code. Without a code, the next action identifies the cause. */
function causesOf(standings: readonly Standing[]): readonly RemainingCause[] {
  const causes = new Map<string, { state: StepStatus["state"]; count: number; example: Standing }>();
  for (const standing of standings) {
    const { current } = standing;
    if (current === undefined) continue;
    const key = `${current.state} ${current.code ?? current.next ?? ""}`;
    const cause = causes.get(key) ?? { state: current.state, count: 0, example: standing };
    cause.count += 1;
    causes.set(key, cause);
  }
  const rank = ({ state }: RemainingCause) => (state === "failed" ? 0 : 1);
  return [...causes.values()]
    .sort((one, other) => rank(one) - rank(other) || other.count - one.count)
    .slice(0, mostCauses);
}
