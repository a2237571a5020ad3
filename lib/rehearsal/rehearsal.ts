import { defined } from "../json/defined";
import { detachActs, rollBackInPlace, runInPlace } from "./in-place";
import { type Act, createPartRunner, type RehearsalPart, type StepResult } from "./part-runner";
import { checkPauses, type Pauses, pauserOf } from "./pauses";
import type { ClientCounts, Probe } from "./probe";
import type { SecondCount } from "./prober";
import type { RehearsalOrder, StackVariant } from "./script";
import { buildStage, type Stage, type StageOptions } from "./stage";
import { allActive, runSteps } from "./steps";
import type { Timeline } from "./timeline/model";
import { createTimelineRecorder, type TimelineRecorder } from "./timeline/recorder";

export interface RehearsalOptions extends StageOptions {
  /**
   * Order of the deploys:
   * - `phases`: deploys the certificates first, and the map when they are ACTIVE
   * - `one deploy`: does steps 1 to 6 in one deploy
   * - `traffic at once`: also does step 8 in that deploy, which the guide warns against
   * - `without traffic`, `certificates alone`: one deploy that ends with step 7 or step 3
   * - `map attached at once`, `certificates removed first`: only for proxies that serve the hostnames already; the two
   *   wrong orders of their change, which lose handshakes
   *
   * @default "phases"
   */
  readonly order?: RehearsalOrder;
  /**
   * Resources that the stack leaves to others and the rehearsal creates manually: target proxies with addresses, or
   * addresses alone.
   *
   * @default - nothing
   */
  readonly manualStep?: "proxies" | "addresses";
  /** Whether certificates in state FAILED get another generation, once. @default false */
  readonly mend?: boolean;
  /** Called when steps, watch, acts, rotation and rollback begin and end. */
  readonly onPart?: (part: RehearsalPart) => void;
  /** Pauses, in which the world stays up. @default - the rehearsal never pauses */
  readonly pauses?: Pauses;
  /** Whether rotation and rollback follow. @default true */
  readonly extras?: boolean;
  /** Further actions on the migration, after all eight steps and before rotation and rollback. @default - nothing */
  readonly acts?: readonly Act[];
}

export interface RehearsalResult {
  /** Whether the rehearsal completed, and a destroy left nothing. */
  readonly ok: boolean;
  /**
   * Whether steps, watch, acts, rotation and rollback succeeded, every second plan was empty, and no handshake failed.
   */
  readonly completed: boolean;
  /** Present if the run was stopped before the end. */
  readonly stopped?: true;
  /** Steps that were started, ordered by number. Steps of the same apply have the same time and probes. */
  readonly steps: readonly StepResult[];
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Results of clients with and without a certificate; absent without mutual TLS. */
  readonly clients?: ClientCounts;
  /**
   * Number of tries that timed out while this process itself was suspended. They give no information about the
   * migration, so they are not probes; each was repeated.
   */
  readonly discarded: number;
  /**
   * Whether a watch after step 8 saw all traffic on the load balancer without failures; absent if the watch was not
   * reached.
   */
  readonly watch?: boolean;
  /** Whether a domain was added to a certificate without a failed handshake; absent if that was not rehearsed. */
  readonly rotation?: boolean;
  /** Whether traffic was rolled back and moved again without a failed handshake; absent if that was not rehearsed. */
  readonly rollback?: boolean;
  /** The watch and the acts that were started. A failed act is the last. */
  readonly acts: readonly { readonly name: string; readonly ok: boolean }[];
  /**
   * Whether the last plan was empty. After a failure, all faults are removed and one more apply is allowed first.
   * Absent if the run was stopped.
   */
  readonly converged?: boolean;
  /** Whether nothing remained in the cloud after the stack was destroyed. */
  readonly destroyed: boolean;
  /** Names of the resources that remained. */
  readonly left: readonly string[];
  /** Time of the cloud when all parts had run and the destroy began, RFC 3339. */
  readonly playedUntil: string;
  /** Version of the google provider: that of the bindings for the stand-in. */
  readonly providerVersion?: string;
  /** Applies, gates, certificates, records and handshakes up to {@link RehearsalResult.playedUntil}. */
  readonly timeline: Timeline;
  /** Probes by hostname and second, in chronological order. */
  readonly bySecond: readonly SecondCount[];
  /** The first thousand failed probes. */
  readonly failures: readonly Probe[];
  /** How often each fault took effect, in the order of the plan. */
  readonly struck: readonly { readonly list: string; readonly count: number }[];
  /** How often Terraform was killed. */
  readonly kills: number;
  /** Number of resources that existed outside of Terraform's state and had to be imported. */
  readonly imports: number;
}

const watchName = "watch: all traffic leads to the load balancer, and stays good";

/**
 * Rehearses a migration on this machine, with real Terraform, real DNS and real handshakes. Runs the eight steps from
 * the previous provider to the load balancer, a watch, further acts, a rotation and a rollback.
 *
 * @throws InputError if Terraform is missing or refuses the stack before anything is created, or if a chosen pause
 * never comes
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalResult> {
  const recorder = createTimelineRecorder(options.hostnames);
  const stage = await buildStage(recorder.recording(options));
  try {
    return await rehearseOn(stage, options, recorder);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

async function rehearseOn(
  stage: Stage,
  options: RehearsalOptions,
  recorder: TimelineRecorder,
): Promise<RehearsalResult> {
  const { prober } = stage;
  // Without a map, nothing changes what the proxies present.
  const isInPlace = stage.serving.length > 0 && options.order !== "certificates alone";
  checkPauses(options.pauses, options.order, isInPlace);
  const pauser = pauserOf(stage, options);
  const runner = createPartRunner(stage, { ...options, afterSteps: pauser.afterSteps });
  const stepped = isInPlace ? await runInPlace(stage, options, runner) : await runSteps(stage, options, runner);
  const watch =
    stepped && !isInPlace && movesTraffic(options.order) ? await runner.extra(watchName, stage.watch) : undefined;
  const migrated = stepped && watch !== false;
  const { extras = true } = options;
  const variant: StackVariant = {
    phase: "serve",
    traffic: "loadBalancer",
    rotated: true,
    mended: runner.replacements(),
  };
  const acts: RehearsalResult["acts"][number][] = watch === undefined ? [] : [{ name: watchName, ok: watch }];
  const runActs = async (list: readonly Act[]) => {
    for (const act of list) {
      const ok = await runner.extra(act.name, () => act.run(stage));
      if (ok === undefined) break;
      acts.push({ name: act.name, ok });
      if (!ok) break;
    }
  };
  if (migrated) await runActs(options.acts ?? []);
  const acted = acts.every(({ ok }) => ok);
  const rotation =
    extras && migrated && acted && options.addedHostname !== undefined
      ? await runner.extra("rotation: a domain added to a certificate", async () => {
          if (!(await stage.deploy(variant))) return false;
          await prober.everyHostname();
          return allActive(await stage.certificates());
        })
      : undefined;
  const rollback =
    extras && migrated && acted
      ? isInPlace
        ? await runner.extra("rollback: map detached, and attached again", () => rollBackInPlace(stage))
        : await runner.extra("rollback: traffic to the previous provider and back", async () => {
            const back = await stage.moveTraffic("old", { ...variant, traffic: "previous" });
            return back && stage.moveTraffic("new", variant);
          })
      : undefined;
  if (isInPlace && rotation !== false && rollback === true) await runActs(detachActs);
  const done =
    migrated && acts.every(({ ok }) => ok) && rotation !== false && rollback !== false && !runner.wasStopped();
  // Before the convergence, which removes all faults: after a failure, the world is as the failure left it.
  await pauser.beforeDestroy(done && prober.count().failed === 0);
  if (options.signal.aborted) options.say("stopped before it was over; what was made is destroyed");
  const faultCounts = stage.faultCounts();
  // A stopped run always has changes left, and the user wants no further applies.
  const converged = done || (options.signal.aborted ? undefined : await stage.converge());
  // Probes in progress also count.
  await prober.stop();
  const { probes, failed, discarded } = prober.count();
  const providerVersion = stage.providerVersion();
  const endedAt = stage.cloud.clock.now().toISOString();
  const { ended, left } = await stage.destroy();
  if (left.length > 0) options.say(`left behind: ${left.join(", ")}`);
  const missed = (options.kills ?? []).slice(stage.counted().kills);
  if (done && missed.length > 0)
    options.say(`Terraform was not killed at ${missed.join(", ")}: no run of it called that`);
  for (const step of pauser.missed()) {
    options.say(`no pause after step ${step}: the rehearsal ended before this step, because an earlier step failed`);
  }
  const destroyed = ended && left.length === 0;
  const completed = done && failed === 0;
  return {
    ok: completed && destroyed,
    completed,
    ...(runner.wasStopped() ? { stopped: true as const } : {}),
    steps: runner.steps(),
    probes,
    failedHandshakes: failed,
    discarded,
    ...defined({ clients: prober.clients(), watch, rotation, rollback }),
    acts,
    ...defined({ converged }),
    destroyed,
    left,
    playedUntil: endedAt,
    ...defined({ providerVersion }),
    timeline: recorder.result(endedAt),
    bySecond: prober.bySecond(),
    failures: prober.failures(),
    struck: faultCounts,
    ...stage.counted(),
  };
}

function movesTraffic(order: RehearsalOptions["order"]): boolean {
  return order !== "without traffic" && order !== "certificates alone";
}
