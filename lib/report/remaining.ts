import { stepNames } from "../live/status";
import { isOpen, type Standing } from "./standing";

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
  /** The first five of them, failed hostnames before others. */
  readonly examples: readonly Standing[];
}

const mostExamples = 5;

/** Returns the remaining work by the step at which hostnames are. Steps without hostnames are left out. */
export function remainingOf(standings: readonly Standing[]): readonly RemainingStep[] {
  return stepNames.flatMap((name, index) => {
    const step = index + 1;
    const here = standings.filter(({ current }) => current?.step === step);
    if (here.length === 0) return [];
    const count = (state: string) => here.filter(({ current }) => current?.state === state).length;
    const failed = here.filter(({ current }) => current?.state === "failed");
    const others = here.filter(({ current }) => current !== undefined && current.state !== "failed" && isOpen(current));
    return [
      {
        step,
        name,
        count: here.length,
        failed: failed.length,
        waiting: count("waiting"),
        todo: count("todo"),
        unknown: count("unknown"),
        examples: [...failed, ...others].slice(0, mostExamples),
      },
    ];
  });
}
