import { BugError } from "../lib/errors";
import { type Behavior, type Group, idOf } from "./behavior";
import { BlockedError } from "./blocked";
import { type Difference, differencesOf } from "./compare";
import { JournalError } from "./journal";
import { normalize } from "./normalize";
import type { Side } from "./side";

/** What a run saw of one behavior. */
export interface Observation {
  readonly id: string;
  readonly expected: unknown;
  /** Normalized; undefined if `problem` is set. */
  readonly seen?: unknown;
  /** Empty if the service does what is expected. */
  readonly differences: readonly Difference[];
  /** Why the behavior could not be observed. */
  readonly problem?: string;
  readonly tookMs: number;
}

/** Result of a run. */
export interface SuiteResult {
  readonly observations: readonly Observation[];
  /** Why the run ended early; the rest of the behaviors was not observed. */
  readonly blocked?: BlockedError;
  readonly wasStopped: boolean;
}

export interface Selection {
  /** Services, needs or beginnings of ids. @default - all */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

interface RunOptions {
  readonly side: Side;
  readonly onObserved?: (observation: Observation) => void;
  readonly signal?: AbortSignal;
}

/** Returns the groups without behaviors that change what a run on Google Cloud has not created. */
export function observableOnGoogle(groups: readonly Group[]): readonly Group[] {
  return groups.flatMap((group) => {
    const behaviors = group.behaviors.filter(({ staysInRehearsal }) => staysInRehearsal !== true);
    return behaviors.length === 0 ? [] : [{ ...group, behaviors }];
  });
}

/** Returns the groups with the selected behaviors. */
export function select(groups: readonly Group[], { only = [], skip = [] }: Selection): readonly Group[] {
  const isNamed = (group: Group, behavior: Behavior<unknown>, words: readonly string[]) =>
    words.some((word) => {
      const id = idOf(group, behavior);
      return id === word || id.startsWith(`${word}.`) || group.needs?.some((need) => need === word) === true;
    });
  return groups.flatMap((group) => {
    const behaviors = group.behaviors.filter(
      (behavior) => (only.length === 0 || isNamed(group, behavior, only)) && !isNamed(group, behavior, skip),
    );
    return behaviors.length === 0 ? [] : [{ ...group, behaviors }];
  });
}

/** Observes the behaviors of all groups, one after the other. Deletes nothing. */
export async function runSuite(groups: readonly Group[], options: RunOptions): Promise<SuiteResult> {
  const { side, onObserved, signal } = options;
  const observations: Observation[] = [];
  const add = (observation: Observation) => {
    observations.push(observation);
    onObserved?.(observation);
  };
  try {
    for (const group of groups) for await (const observation of observeGroup(group, side, signal)) add(observation);
    return { observations, wasStopped: false };
  } catch (error) {
    if (signal?.aborted === true) return { observations, wasStopped: true };
    if (error instanceof BlockedError) return { observations, blocked: error, wasStopped: false };
    throw error;
  }
}

async function* observeGroup(group: Group, side: Side, signal: AbortSignal | undefined): AsyncGenerator<Observation> {
  const prepared = await attempt(async () => group.prepare?.(side), signal);
  for (const behavior of group.behaviors) {
    signal?.throwIfAborted();
    const { expected } = behavior;
    const id = idOf(group, behavior);
    const startedMs = side.now().getTime();
    const observed =
      "problem" in prepared
        ? { problem: `its resources could not be created: ${prepared.problem}` }
        : await attempt(() => behavior.observe(side, prepared.value), signal);
    const tookMs = side.now().getTime() - startedMs;
    if ("problem" in observed) {
      const problem = String(normalize(observed.problem, side.identity));
      yield { id, expected, differences: [], problem, tookMs };
      continue;
    }
    const seen = normalize(observed.value ?? null, side.identity);
    yield { id, expected, seen, differences: differencesOf(expected, seen), tookMs };
  }
}

/** Errors of the suite's own code and of refused preparations are results; what ends the run is thrown. */
async function attempt<Value>(
  action: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
  try {
    return { value: await action() };
  } catch (error) {
    const isOfRun = error instanceof BlockedError || error instanceof JournalError || error instanceof BugError;
    if (isOfRun || signal?.aborted === true) throw error;
    return { problem: (error as Error).message };
  }
}

export function isAsExpected({ differences, problem }: Observation): boolean {
  return problem === undefined && differences.length === 0;
}
