import type { ProbeCount } from "./prober";
import type { Stage } from "./stage";

/** One of the eight steps of specification 3, and how it went. */
export interface StepResult {
  readonly number: number;
  readonly name: string;
  readonly ok: boolean;
  /** That the run was stopped before it had ended, and no handshake failed. */
  readonly stopped?: true;
  readonly seconds: number;
  readonly probes: number;
  readonly failedHandshakes: number;
  /** The cloud's time, RFC 3339: every hostname was probed in between. */
  readonly from: string;
  readonly until: string;
}

/** What is under way, or has ended. */
export interface Stretch {
  /** Numbers of the steps that are done at once; none for what follows the eight steps. */
  readonly numbers: readonly number[];
  readonly name: string;
  /** How it ended; absent where it begins. */
  readonly ok?: boolean;
  /** That the run was stopped before it had ended, and no handshake failed. */
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

/** What the parts of a rehearsal are played by. */
export type Play = ReturnType<typeof playOf>;

/** What a play tells of itself. */
interface PlayOptions {
  readonly say: (line: string) => void;
  /** Told when steps, watch, acts, rotation and rollback begin and end. */
  readonly onStretch?: (stretch: Stretch) => void;
  readonly signal: AbortSignal;
}

/** Takes the time, and counts the handshakes of what happens meanwhile. */
export function playOf({ prober, noteCertificates, cloud }: Stage, { say, onStretch, signal }: PlayOptions) {
  const steps: StepResult[] = [];
  let wasStopped = false;
  let mended = 0;
  const now = () => cloud.clock.now().toISOString();
  const measured = async (numbers: readonly number[], name: string, work: () => Promise<boolean>) => {
    onStretch?.({ numbers, name });
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
    onStretch?.({ numbers, name, ok, ...(stopped ? { stopped } : {}), seconds });
    wasStopped ||= stopped;
    say(`${ok ? "ok " : stopped ? "stopped" : "FAILED"} ${name}: ${told(before, after)}, ${seconds.toFixed(1)} s`);
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
  /** Whether the run was stopped, so that what comes next is told and not begun. */
  const isOver = (name: string): boolean => {
    if (!signal.aborted) return false;
    wasStopped = true;
    say(`not run: ${name}`);
    return true;
  };
  return {
    steps: (): readonly StepResult[] => [...steps].sort((one, other) => one.number - other.number),
    mended: () => mended,
    mendOnce: () => {
      mended += 1;
    },
    /** @returns whether to go on: a handshake that failed is counted, and keeps nobody from looking at the rest */
    step: async (numbers: readonly number[], work: () => Promise<boolean>): Promise<boolean> => {
      const what = numbers.map((number) => `${number} ${stepNames[number - 1]}`).join(", ");
      if (isOver(what)) return false;
      const { done, ...measures } = await measured(numbers, what, work);
      for (const number of numbers) steps.push({ number, name: stepNames[number - 1] ?? "", ...measures });
      return done;
    },
    /** @returns whether it ended as it should; nothing where the run was stopped before or within it */
    extra: async (name: string, work: () => Promise<boolean>): Promise<boolean | undefined> => {
      if (isOver(name)) return undefined;
      const { ok, stopped } = await measured([], name, work);
      return stopped ? undefined : ok;
    },
    /** Whether something was not begun or not ended, since the run was stopped. */
    wasStopped: () => wasStopped,
  };
}

/** Whether an error only says that what was under way was stopped, as an app that is synthesized is. */
function isStop(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error as Error | undefined)?.name === "AbortError";
}

function told(before: ProbeCount, after: ProbeCount): string {
  const more = (what: keyof ProbeCount) => after[what] - before[what];
  const handshakes = `${more("probes")} handshakes (${more("old")} old, ${more("new")} new), ${more("failed")} failed`;
  return more("discarded") === 0 ? handshakes : `${handshakes}, ${more("discarded")} thrown away and made again`;
}
