import { markWords, stateMarks } from "../text/state-marks";
import type { RehearsalPart } from "./observer";
import { endedState } from "./part-log";
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

/** Outputs of the runner. */
interface PartRunnerOptions {
  readonly say: (line: string) => void;
  /** Called when steps, watch, acts, rotation and rollback begin and end. */
  readonly onPart: (part: RehearsalPart) => void;
  /** Called after steps have ended; the next part begins when the promise resolves. */
  readonly afterSteps: (numbers: readonly number[], result: { readonly ok: boolean }) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What a part of a rehearsal measures. */
type Measures = Omit<StepResult, "number" | "name">;

/** Runs the parts of a rehearsal, measures the time, and counts the handshakes of each. */
export class PartRunner {
  readonly #stage: Pick<Stage, "prober" | "noteCertificates" | "cloud">;
  readonly #options: PartRunnerOptions;
  readonly #steps: StepResult[] = [];
  #wasStopped = false;

  constructor(stage: Pick<Stage, "prober" | "noteCertificates" | "cloud">, options: PartRunnerOptions) {
    this.#stage = stage;
    this.#options = options;
  }

  /** Results of the steps that were started, by number. */
  get steps(): readonly StepResult[] {
    return [...this.#steps].sort((before, after) => before.number - after.number);
  }

  /** Whether a part was not started or not completed because the run was stopped. */
  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  /** Runs steps. @returns whether to continue; failed handshakes are counted, but do not stop the rehearsal */
  async step(numbers: readonly number[], work: () => Promise<boolean>): Promise<boolean> {
    const name = numbers.map((number) => `step ${number} (${stepNames[number - 1]})`).join(", ");
    if (this.#isOver(name)) return false;
    const { isDone, measures } = await this.#measure({ numbers, name }, work);
    for (const number of numbers) this.#steps.push({ number, name: stepNames[number - 1] ?? "", ...measures });
    await this.#options.afterSteps(numbers, measures);
    return isDone;
  }

  /** Runs another part. @returns whether it succeeded; undefined if the run was stopped before or during it */
  async extra(
    name: string,
    work: () => Promise<boolean>,
    more: Pick<RehearsalPart, "passesDays"> = {},
  ): Promise<boolean | undefined> {
    if (this.#isOver(name)) return undefined;
    const { ok, stopped } = (await this.#measure({ numbers: [], name, ...more }, work)).measures;
    return stopped ? undefined : ok;
  }

  /** Returns whether the run was stopped; if so, logs that the next part is not run. */
  #isOver(name: string): boolean {
    if (!this.#options.signal.aborted) return false;
    this.#wasStopped = true;
    this.#options.say(`not run: ${name}`);
    return true;
  }

  async #measure(
    part: Pick<RehearsalPart, "numbers" | "name" | "passesDays">,
    work: () => Promise<boolean>,
  ): Promise<{ readonly isDone: boolean; readonly measures: Measures }> {
    const { prober, noteCertificates, cloud } = this.#stage;
    const { say, onPart, signal } = this.#options;
    onPart(part);
    const from = cloud.clock.now().toISOString();
    const before = prober.count();
    const startedAt = performance.now();
    const isDone = await work().catch((error: unknown) => {
      if (signal.aborted && isStop(error, signal)) return false;
      throw error;
    });
    await prober.everyHostname();
    await noteCertificates();
    const made = difference(before, prober.count());
    const seconds = (performance.now() - startedAt) / 1_000;
    const ok = isDone && made.failed === 0;
    const stopped = !isDone && signal.aborted && made.failed === 0 ? { stopped: true as const } : {};
    const until = cloud.clock.now().toISOString();
    onPart({ ...part, ok, ...stopped, seconds, from, until });
    this.#wasStopped ||= "stopped" in stopped;
    const state = endedState({ ok, ...stopped });
    say(`${stateMarks[state]} ${markWords[state]} ${part.name}: ${describeHandshakes(made)}, ${seconds.toFixed(1)} s`);
    const counts = { probes: made.probes, failedHandshakes: made.failed };
    return { isDone, measures: { ok, ...stopped, seconds: Math.round(seconds * 100) / 100, ...counts, from, until } };
  }
}

/** Returns whether an error only reports that the work in progress was stopped, for example the synthesis of an app. */
function isStop(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error as Error | undefined)?.name === "AbortError";
}

function difference(before: ProbeCount, after: ProbeCount): ProbeCount {
  return {
    probes: after.probes - before.probes,
    failed: after.failed - before.failed,
    previous: after.previous - before.previous,
    loadBalancer: after.loadBalancer - before.loadBalancer,
    discarded: after.discarded - before.discarded,
  };
}

function describeHandshakes({ probes, previous, loadBalancer, failed, discarded }: ProbeCount): string {
  const sides = `${previous} with the previous provider, ${loadBalancer} with the load balancer`;
  const handshakes = `${probes} handshakes (${sides}), ${failed} failed`;
  return discarded === 0 ? handshakes : `${handshakes}, ${discarded} discarded and repeated`;
}
