import { ServiceError } from "../../errors";
import type { HostnameStatus, StepState, StepStatus } from "./model";

/** A step of a hostname that is not as it was. */
export interface StatusChange {
  readonly migration: string;
  readonly hostname: string;
  readonly before: StepState;
  readonly after: StepStatus;
}

/** What is different from one look to the next, in the order of the later one: states alone, not words. Hostnames that were not there are no change. */
export function statusChanges(
  before: readonly HostnameStatus[],
  after: readonly HostnameStatus[],
): readonly StatusChange[] {
  const known = new Map(before.map((status) => [keyOf(status), status.steps]));
  return after.flatMap((status) => {
    const { migration, hostname } = status;
    const earlier = known.get(keyOf(status));
    return status.steps.flatMap((step, index) => {
      const was = earlier?.[index]?.state;
      return was === undefined || was === step.state ? [] : [{ migration, hostname, before: was, after: step }];
    });
  });
}

function keyOf({ migration, hostname }: HostnameStatus): string {
  return JSON.stringify([migration, hostname]);
}

/** How many hostnames are in each state of a step. */
export type StepCounts = Readonly<Record<StepState, number>>;

/** The counts of the eight steps, in their order. */
export function countSteps(hostnames: readonly HostnameStatus[]): readonly StepCounts[] {
  const counts = Array.from({ length: 8 }, () => ({ done: 0, todo: 0, waiting: 0, failed: 0, unknown: 0, none: 0 }));
  for (const { steps } of hostnames) {
    steps.forEach(({ state }, index) => {
      const own = counts[index];
      if (own !== undefined) own[state] += 1;
    });
  }
  return counts;
}

/** One look at everything, and what it has cost. */
export interface StatusLook {
  readonly hostnames: readonly HostnameStatus[];
  readonly requests: number;
  readonly questions: number;
}

export interface StatusWatchOptions {
  readonly look: () => Promise<StatusLook>;
  /** The least time from one look to the next, in milliseconds. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told of every look, with what has changed since the one before, and when the next one comes. */
  readonly onLook: (hostnames: readonly HostnameStatus[], changes: readonly StatusChange[], pauseMs: number) => void;
  /** Told of each look that failed and is tried again. */
  readonly onRetry: (error: ServiceError) => void;
}

/** A project has 300 requests a minute for everybody: a watch takes a sixth at most. */
const msForRequest = 1_200;
/** A hundred questions a second are nothing that a resolver would refuse. */
const msForQuestion = 10;
const longestRetryMs = 120_000;

/**
 * Looks again and again, until every hostname is through all of its steps or the signal is aborted. What passes by itself is tried again.
 *
 * @returns what was seen last; nothing where it never came to that
 * @throws ServiceError for a refusal that asking again won't change
 */
export async function watchStatus(options: StatusWatchOptions): Promise<readonly HostnameStatus[]> {
  const { signal, everyMs, random } = options;
  let last: readonly HostnameStatus[] = [];
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs = everyMs;
    try {
      const { hostnames, requests, questions } = await options.look();
      const changes = statusChanges(last, hostnames);
      last = hostnames;
      failures = 0;
      pauseMs = Math.max(everyMs, requests * msForRequest, questions * msForQuestion) * (1 + random() / 4);
      options.onLook(hostnames, changes, pauseMs);
      if (hostnames.every(isThrough)) return last;
    } catch (error) {
      if (signal.aborted) return last;
      if (!(error instanceof ServiceError) || !error.retryable) throw error;
      failures += 1;
      pauseMs = Math.min(everyMs * 2 ** (failures - 1) * (1 + random() / 4), Math.max(everyMs, longestRetryMs));
      options.onRetry(error);
    }
    await options.sleep(pauseMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  return last;
}

/** Whether nothing of a hostname is left to be done. */
function isThrough({ current }: HostnameStatus): boolean {
  return current === undefined;
}
