import { ServiceError } from "../../errors";
import type { HostnameStatus, StepState, StepStatus } from "./model";

/** A step of a hostname whose state changed. */
export interface StatusChange {
  readonly migration: string;
  readonly hostname: string;
  readonly before: StepState;
  readonly after: StepStatus;
}

/**
 * Returns the changes from one snapshot to the next, in the order of the later snapshot. Compares states only, not
 * texts. New hostnames do not count as changes.
 */
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

/** Number of hostnames in each state of a step. */
export type StepCounts = Readonly<Record<StepState, number>>;

/** Returns the counts of the eight steps, in order. */
export function countSteps(hostnames: readonly HostnameStatus[]): readonly StepCounts[] {
  const counts = Array.from({ length: 8 }, () => ({ done: 0, todo: 0, waiting: 0, failed: 0, unknown: 0, none: 0 }));
  for (const { steps } of hostnames) {
    steps.forEach(({ state }, index) => {
      const counted = counts[index];
      if (counted !== undefined) counted[state] += 1;
    });
  }
  return counts;
}

/** One snapshot of all hostnames, and its number of requests and queries. */
export interface HostnamesSnapshot {
  readonly hostnames: readonly HostnameStatus[];
  readonly requests: number;
  readonly questions: number;
}

/** Options of {@link watchStatus}. */
export interface StatusWatchOptions {
  readonly takeSnapshot: () => Promise<HostnamesSnapshot>;
  /** Minimum time between two snapshots, in milliseconds. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /**
   * Called after every snapshot, with the changes since the previous snapshot and the pause until the next, in
   * milliseconds.
   */
  readonly onSnapshot: (
    hostnames: readonly HostnameStatus[],
    changes: readonly StatusChange[],
    pauseMs: number,
  ) => void;
  /** Called for each failed snapshot that is retried. */
  readonly onRetry: (error: ServiceError) => void;
}

/**
 * Minimum time per request to Certificate Manager. A project has 300 requests per minute for all clients; a watch uses
 * up to a sixth of them.
 */
const msForRequest = 1_200;
/** Minimum time per DNS query. Resolvers accept a hundred queries per second. */
const msForQuestion = 10;
const longestRetryMs = 120_000;

/**
 * Takes snapshots until every hostname has completed all steps or the signal is aborted. Retries temporary failures.
 *
 * @returns the last snapshot; an empty list if no snapshot succeeded
 * @throws ServiceError for a refusal that a retry cannot change
 */
export async function watchStatus(options: StatusWatchOptions): Promise<readonly HostnameStatus[]> {
  const { signal, everyMs, random } = options;
  let last: readonly HostnameStatus[] = [];
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs = everyMs;
    try {
      const { hostnames, requests, questions } = await options.takeSnapshot();
      const changes = statusChanges(last, hostnames);
      last = hostnames;
      failures = 0;
      pauseMs = Math.max(everyMs, requests * msForRequest, questions * msForQuestion) * (1 + random() / 4);
      options.onSnapshot(hostnames, changes, pauseMs);
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

function isThrough({ current }: HostnameStatus): boolean {
  return current === undefined;
}
