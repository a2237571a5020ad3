import type { ProbeCount } from "./prober";
import type { Stage } from "./stage";

/** Result of one of the eight steps of specification 3. */
export interface StepResult {
  readonly number: number;
  readonly name: string;
  readonly ok: boolean;
  /** Present if the run was stopped before the step ended, and no handshake failed. */
  readonly stopped?: true;
  readonly seconds: number;
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Beginning and end in the cloud's time, RFC 3339; every hostname was probed in between. */
  readonly from: string;
  readonly until: string;
}

/** A part of the rehearsal that is in progress or has ended. */
export interface RehearsalPart {
  /** Numbers of the steps that run together; empty for parts after the eight steps. */
  readonly numbers: readonly number[];
  readonly name: string;
  /** Result; absent at the beginning. */
  readonly ok?: boolean;
  /** Present if the run was stopped before the part ended, and no handshake failed. */
  readonly stopped?: true;
  readonly seconds?: number;
}

const stepNames = [
  "certificates with DNS authorizations",
  "CNAME records published",
  "certificates ACTIVE",
  "map and one entry per hostname",
  "map entries ACTIVE",
  "map attached to the target proxy",
  "every hostname verified at the load balancer",
  "traffic on the load balancer",
] as const;

/** An action on a migration, and its expected result. */
export interface Act {
  readonly name: string;
  /** Runs the action. @returns whether it succeeded; failed handshakes are counted separately */
  readonly run: (stage: Stage) => Promise<boolean>;
}

/** Runner for the parts of a rehearsal. */
export type PartRunner = ReturnType<typeof createPartRunner>;

/** Outputs of the runner. */
interface PartRunnerOptions {
  readonly say: (line: string) => void;
  /** Called when steps, watch, acts, rotation and rollback begin and end. */
  readonly onPart?: (part: RehearsalPart) => void;
  /** Called after steps have ended; the next part begins when the promise resolves. @default - not called */
  readonly afterSteps?: (numbers: readonly number[], ok: boolean) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Returns a runner that measures the time and counts the handshakes of each part. */
export function createPartRunner(
  { prober, noteCertificates, cloud }: Stage,
  { say, onPart, afterSteps, signal }: PartRunnerOptions,
) {
  const steps: StepResult[] = [];
  let wasStopped = false;
  let replacements = 0;
  const now = () => cloud.clock.now().toISOString();
  const measured = async (numbers: readonly number[], name: string, work: () => Promise<boolean>) => {
    onPart?.({ numbers, name });
    const from = now();
    const before = prober.count();
    const startedAt = performance.now();
    const done = await work().catch((error: unknown) => {
      if (signal.aborted && isStop(error, signal)) return false;
      throw error;
    });
    await prober.everyHostname();
    await noteCertificates();
    const after = prober.count();
    const seconds = (performance.now() - startedAt) / 1_000;
    const ok = done && after.failed === before.failed;
    const until = now();
    const stopped = !done && signal.aborted && after.failed === before.failed;
    onPart?.({ numbers, name, ok, ...(stopped ? { stopped } : {}), seconds });
    wasStopped ||= stopped;
    say(
      `${ok ? "ok " : stopped ? "stopped" : "FAILED"} ${name}: ${describeHandshakes(before, after)}, ${seconds.toFixed(1)} s`,
    );
    const counts = { probes: after.probes - before.probes, failedHandshakes: after.failed - before.failed };
    return {
      done,
      ok,
      ...(stopped ? { stopped: true as const } : {}),
      seconds: Math.round(seconds * 100) / 100,
      ...counts,
      from,
      until,
    };
  };
  /** Returns whether the run was stopped; if so, logs that the next part is not run. */
  const isOver = (name: string): boolean => {
    if (!signal.aborted) return false;
    wasStopped = true;
    say(`not run: ${name}`);
    return true;
  };
  return {
    steps: (): readonly StepResult[] => [...steps].sort((one, other) => one.number - other.number),
    replacements: () => replacements,
    countReplacement: () => {
      replacements += 1;
    },
    /** Runs steps. @returns whether to continue; failed handshakes are counted, but do not stop the rehearsal */
    step: async (numbers: readonly number[], work: () => Promise<boolean>): Promise<boolean> => {
      const what = numbers.map((number) => `step ${number} (${stepNames[number - 1]})`).join(", ");
      if (isOver(what)) return false;
      const { done, ...measures } = await measured(numbers, what, work);
      for (const number of numbers) steps.push({ number, name: stepNames[number - 1] ?? "", ...measures });
      await afterSteps?.(numbers, measures.ok);
      return done;
    },
    /** Runs another part. @returns whether it succeeded; undefined if the run was stopped before or during it */
    extra: async (name: string, work: () => Promise<boolean>): Promise<boolean | undefined> => {
      if (isOver(name)) return undefined;
      const { ok, stopped } = await measured([], name, work);
      return stopped ? undefined : ok;
    },
    /** Returns whether a part was not started or not completed because the run was stopped. */
    wasStopped: () => wasStopped,
  };
}

/** Returns whether an error only reports that the work in progress was stopped, for example the synthesis of an app. */
function isStop(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error as Error | undefined)?.name === "AbortError";
}

function describeHandshakes(before: ProbeCount, after: ProbeCount): string {
  const more = (what: keyof ProbeCount) => after[what] - before[what];
  const handshakes = `${more("probes")} handshakes (${more("old")} old, ${more("new")} new), ${more("failed")} failed`;
  return more("discarded") === 0 ? handshakes : `${handshakes}, ${more("discarded")} discarded and repeated`;
}
