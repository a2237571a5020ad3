/** Pauses of a rehearsal: the world stays up, and a person uses the commands of this package against it. */

import { InputError } from "../errors";
import { defined } from "../json/defined";
import type { Pipeline } from "./pipeline";
import { type Extent, lastStepOf, type StackVariant } from "./script";

/** Moments at which a rehearsal pauses. */
export interface Pauses {
  /** Numbers of steps, 1 to 8. Steps of the same apply share one pause, after that apply. */
  readonly afterSteps: readonly number[];
  /** Whether to pause after the last part, before the stack is destroyed. */
  readonly beforeDestroy: boolean;
  /**
   * Called at each pause; the rehearsal continues when the promise resolves. Clock, faults and prober keep running
   * meanwhile.
   */
  readonly hold: (pause: Pause) => Promise<void>;
}

/** A pause, and everything that commands need to examine the world. */
export interface Pause extends PausedWorld {
  /** Numbers of the steps that have just ended; empty before the destroy. */
  readonly steps: readonly number[];
  /** Whether these steps, or the whole run before the destroy, succeeded. */
  readonly ok: boolean;
  /** The saved plan of the next deployment; absent if nothing follows or Terraform could not plan it. */
  readonly nextPlan?: NextPlan;
}

/** Places of a running rehearsal on this machine. */
export interface PausedWorld {
  /** Base URL of the APIs. */
  readonly endpoint: string;
  /** URL of the cloud's control calls, the value of CERT_MIGRATION_REHEARSAL. */
  readonly control: string;
  /** Name server of the cloud, as in `127.0.0.1:40124`. */
  readonly nameServer: string;
  /** File of all roots that clients of the rehearsal trust, in PEM. */
  readonly rootsFile: string;
  /** Folder of the deployed stack and its state. */
  readonly stackFolder: string;
  /** IP addresses of the load balancer's HTTPS listeners; empty before a map is attached. */
  readonly addresses: readonly string[];
  /** The previous provider: its listener on this machine, and the IP addresses that DNS has for it. */
  readonly previous: { readonly listener: string; readonly addresses: readonly string[] };
}

/** A plan that is saved as JSON and not applied. */
export interface NextPlan {
  readonly file: string;
  /** What the plan does, as in "moves traffic to the load balancer". */
  readonly what: string;
}

/**
 * Refuses a pause after a step that the rehearsal does not run.
 *
 * @throws InputError `pause-never-comes`
 */
export function checkPauses(pauses: Pick<Pauses, "afterSteps"> | undefined, extent: Extent): void {
  const last = lastStepOf(extent);
  const never = pauses?.afterSteps.find((step) => step > last);
  if (never === undefined) return;
  const reason = last === 3 ? "the stack creates only certificates" : "traffic does not move";
  const message = `--pause-after ${never}: this rehearsal ends with step ${last}, because ${reason}; use 1 to ${last}`;
  throw new InputError("pause-never-comes", message);
}

/** Components that pauses use. */
interface PausedStage {
  readonly pausedWorld: () => PausedWorld;
  readonly pipeline: Pick<Pipeline, "deployedVariant" | "savePlan">;
}

interface PauserOptions extends Pick<Extent, "order"> {
  readonly pauses?: Pauses;
  readonly added: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the functions that pause a rehearsal; each does nothing if its moment is not chosen or the run was stopped.
 */
export function pauserOf(stage: PausedStage, options: PauserOptions) {
  const { pauses, signal } = options;
  const ended = new Set<number>();
  const hold = async (steps: readonly number[], { ok }: { readonly ok: boolean }): Promise<void> => {
    if (pauses === undefined || signal.aborted) return;
    const nextPlan = await planNext(stage, options);
    if (signal.aborted) return;
    await pauses.hold({ steps, ok, ...stage.pausedWorld(), ...defined({ nextPlan }) });
  };
  return {
    afterSteps: async (steps: readonly number[], result: { readonly ok: boolean }): Promise<void> => {
      for (const number of steps) ended.add(number);
      if (pauses?.afterSteps.some((number) => steps.includes(number)) === true) await hold(steps, result);
    },
    beforeDestroy: async (result: { readonly ok: boolean }): Promise<void> => {
      if (pauses?.beforeDestroy === true) await hold([], result);
    },
    /** Returns the chosen steps that the run did not reach, because an earlier step failed; empty if it was stopped. */
    missed: (): readonly number[] =>
      signal.aborted ? [] : [...new Set(pauses?.afterSteps)].filter((number) => !ended.has(number)).sort(),
  };
}

async function planNext({ pipeline }: PausedStage, options: PauserOptions): Promise<NextPlan | undefined> {
  const deployed = pipeline.deployedVariant;
  const next = deployed === undefined ? undefined : nextDeployment(deployed, options);
  if (next === undefined) return undefined;
  const file = await pipeline.savePlan(next.variant);
  return file === undefined ? undefined : { file, what: next.what };
}

/**
 * Returns the deployment that follows in a migration; undefined after the last deployment of an order without traffic.
 */
export function nextDeployment(
  deployed: StackVariant,
  { order = "phases", added }: Pick<PauserOptions, "order" | "added">,
): { readonly variant: StackVariant; readonly what: string } | undefined {
  if (deployed.phase === "issue") {
    if (order === "certificates alone") return undefined;
    return { variant: { ...deployed, phase: "serve" }, what: "creates the map and its entries" };
  }
  if (deployed.traffic === "previous") {
    if (order === "without traffic") return undefined;
    return { variant: { ...deployed, traffic: "loadBalancer" }, what: "moves traffic to the load balancer" };
  }
  if (!deployed.rotated && added !== undefined) {
    return { variant: { ...deployed, rotated: true }, what: "adds a domain to a certificate" };
  }
  return { variant: { ...deployed, traffic: "previous" }, what: "rolls traffic back" };
}
