import type { Listed } from "./look";
import { type Play, playOf, type StepResult, type Stretch } from "./play";
import type { Probe } from "./probe";
import type { SecondCount } from "./prober";
import type { StackVariant } from "./script";
import { buildStage, type Stage, type StageOptions } from "./stage";

export interface RehearsalOptions extends StageOptions {
  /**
   * `phases`: certificates first, the map when they are ACTIVE. `one deploy`: steps 1 to 6 in one go. `traffic at once`: step 8 in that one deploy as well,
   * which the guide warns of. `without traffic` and `certificates alone` are one deploy that ends with step 7, or with step 3.
   *
   * @default "phases"
   */
  readonly order?: "phases" | "one deploy" | "traffic at once" | "without traffic" | "certificates alone";
  /** What the stack leaves to others, and is made by hand: target proxies and addresses, or addresses alone. @default - nothing */
  readonly byHand?: "proxies" | "addresses";
  /** Whether certificates that end as FAILED get another generation, once. @default false */
  readonly mend?: boolean;
  /** Told when steps, watch, acts, rotation and rollback begin and end. */
  readonly onStretch?: (stretch: Stretch) => void;
  /** Whether rotation and rollback follow. @default true */
  readonly extras?: boolean;
  /** What is done with the migration when all eight steps are done, before rotation and rollback. @default - nothing */
  readonly acts?: readonly Act[];
}

/** Something that is done with a migration, and how it has to end. */
interface Act {
  readonly name: string;
  /** @returns whether it ended as it should; handshakes that failed are counted beside it */
  readonly play: (stage: Stage) => Promise<boolean>;
}

export interface RehearsalResult {
  /** Whether it completed, and a destroy left nothing. */
  readonly ok: boolean;
  /** Whether steps, watch, acts, rotation and rollback ended as they should, every second plan empty, and no handshake failed. */
  readonly completed: boolean;
  /** That the run was stopped before everything was played. */
  readonly stopped?: true;
  /** Those that were begun, in the order of their numbers. Steps that one apply did share its time and its probes. */
  readonly steps: readonly StepResult[];
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Tries that timed out while this process itself stood still: no verdict on the migration, so they are no probes, and each was made again. */
  readonly discarded: number;
  /** Whether a watch saw all traffic lead to the load balancer and stay good, after step 8; absent where that was not reached. */
  readonly watch?: boolean;
  /** Whether a domain could be added to a certificate without a failed handshake; absent where that was not rehearsed. */
  readonly rotation?: boolean;
  /** Whether traffic went back and forth without a failed handshake; absent where that was not rehearsed. */
  readonly rollback?: boolean;
  /** The watch and those acts that were begun; one that did not end as it should is the last. */
  readonly acts: readonly { readonly name: string; readonly ok: boolean }[];
  /** Whether a last plan was empty; where something had gone wrong, after one more run with all faults gone. Absent where the run was stopped. */
  readonly converged?: boolean;
  /** Whether nothing was left in the cloud after destroying the stack. */
  readonly destroyed: boolean;
  /** Names of what was left. */
  readonly left: readonly string[];
  /** The cloud's time when all was played and the stack was about to be destroyed, RFC 3339. */
  readonly playedUntil: string;
  /** Probes by hostname and second, in the order in which they began. */
  readonly bySecond: readonly SecondCount[];
  /** Failed probes, the first thousand. */
  readonly failures: readonly Probe[];
  /** How often each fault has struck, in the order of the plan. */
  readonly struck: readonly { readonly list: string; readonly count: number }[];
  /** How often Terraform was killed. */
  readonly kills: number;
  /** How much was there but unknown to Terraform, and had to be imported. */
  readonly imports: number;
}

const watchName = "watch: all traffic leads to the load balancer, and stays good";

/**
 * Plays a migration through on this machine: real Terraform, real DNS, real handshakes, from the old provider to the load balancer and back: the eight
 * steps, a watch, what is to be done besides, a rotation and a rollback.
 *
 * @throws InputError where Terraform is missing or refuses the stack before anything is made
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalResult> {
  const stage = await buildStage(options);
  try {
    return await rehearseOn(stage, options);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

async function rehearseOn(stage: Stage, options: RehearsalOptions): Promise<RehearsalResult> {
  const { prober } = stage;
  const play = playOf(stage, options);
  const stepped = await playSteps(stage, options, play);
  const watch = stepped && movesTraffic(options.order) ? await play.extra(watchName, stage.watch) : undefined;
  const migrated = stepped && watch !== false;
  const { extras = true } = options;
  const variant: StackVariant = { phase: "serve", traffic: "loadBalancer", rotated: true, mended: play.mended() };
  const acts: RehearsalResult["acts"][number][] = watch === undefined ? [] : [{ name: watchName, ok: watch }];
  for (const act of migrated ? (options.acts ?? []) : []) {
    const ok = await play.extra(act.name, () => act.play(stage));
    if (ok === undefined) break;
    acts.push({ name: act.name, ok });
    if (!ok) break;
  }
  const acted = acts.every(({ ok }) => ok);
  const rotation =
    extras && migrated && acted && options.addedHostname !== undefined
      ? await play.extra("rotation: a domain added to a certificate", async () => {
          if (!(await stage.deploy(variant))) return false;
          await prober.everyHostname();
          return allActive(await stage.certificates());
        })
      : undefined;
  const rollback =
    extras && migrated && acted
      ? await play.extra("rollback: traffic to the old provider, and forth", async () => {
          const back = await stage.moveTraffic("old", { ...variant, traffic: "previous" });
          return back && stage.moveTraffic("new", variant);
        })
      : undefined;
  const done = migrated && acted && rotation !== false && rollback !== false && !play.wasStopped();
  if (options.signal.aborted) options.say("stopped before it was over; what was made is destroyed");
  const struck = stage.struck();
  // What was stopped in the middle has more to do in any case, and who stops wants nothing more to be made.
  const converged = done || (options.signal.aborted ? undefined : await stage.converge());
  // What is under way counts as well.
  await prober.stop();
  const { probes, failed, discarded } = prober.count();
  const playedUntil = stage.cloud.clock.now().toISOString();
  const { ended, left } = await stage.destroy();
  if (left.length > 0) options.say(`left behind: ${left.join(", ")}`);
  const missed = (options.kills ?? []).slice(stage.counted().kills);
  if (done && missed.length > 0)
    options.say(`Terraform was not killed at ${missed.join(", ")}: no run of it called that`);
  const destroyed = ended && left.length === 0;
  const completed = done && failed === 0;
  return {
    ok: completed && destroyed,
    completed,
    ...(play.wasStopped() ? { stopped: true as const } : {}),
    steps: play.steps(),
    probes,
    failedHandshakes: failed,
    discarded,
    ...(watch === undefined ? {} : { watch }),
    ...(rotation === undefined ? {} : { rotation }),
    ...(rollback === undefined ? {} : { rollback }),
    acts,
    ...(converged === undefined ? {} : { converged }),
    destroyed,
    left,
    playedUntil,
    bySecond: prober.bySecond(),
    failures: prober.failures(),
    struck,
    ...stage.counted(),
  };
}

function movesTraffic(order: RehearsalOptions["order"]): boolean {
  return order !== "without traffic" && order !== "certificates alone";
}

/** The eight steps, in the order that was asked for. */
async function playSteps(stage: Stage, options: RehearsalOptions, play: Play): Promise<boolean> {
  const { order = "phases", byHand } = options;
  const variant = (change: Partial<StackVariant>): StackVariant => ({
    phase: "serve",
    traffic: "previous",
    rotated: false,
    mended: play.mended(),
    ...change,
  });
  const certificatesActive = () => stage.wait(async () => allActive(await stage.certificates()));
  const begun = async (change: Partial<StackVariant>) => (await stage.deploy(variant(change))) && stage.hasMade();
  // Where certificates are attached directly there is no map, and nothing to wait for.
  const entriesActive = () =>
    stage.wait(async () => (await stage.maps()).length === 0 || allActive(await stage.entries()));
  const moved = () => stage.moveTraffic("new", variant({ traffic: "loadBalancer" }));
  // Step 6 is in what is deployed, unless the proxies are made by hand.
  const attached = byHand === "proxies" ? [] : [6];
  const attachedByHand = async () => byHand !== "proxies" || (await play.step([6], stage.attachByHand));
  const verified = async () => (byHand !== "addresses" || (await stage.attachByHand())) && stage.verify();
  if (order === "phases") {
    return (
      (await play.step([1, 2], () => begun({ phase: "issue" }))) &&
      (await play.step([3], () => issued(stage, options, play, variant))) &&
      (await play.step([4, ...attached], () => stage.deploy(variant({})))) &&
      (await play.step([5], entriesActive)) &&
      (await attachedByHand()) &&
      (await play.step([7], verified)) &&
      play.step([8], moved)
    );
  }
  if (order === "certificates alone") {
    return (await play.step([1, 2], () => begun({ phase: "issue" }))) && play.step([3], certificatesActive);
  }
  if (order === "one deploy" || order === "without traffic") {
    return (
      (await play.step([1, 2, 3, 4, ...attached], async () => (await begun({})) && certificatesActive())) &&
      (await play.step([5], entriesActive)) &&
      (await attachedByHand()) &&
      (await play.step([7], verified)) &&
      (order === "without traffic" || play.step([8], moved))
    );
  }
  return (
    (await play.step([1, 2, 4, 6, 8], async () => (await moved()) && stage.hasMade())) &&
    (await play.step([3], certificatesActive)) &&
    (await play.step([5], entriesActive)) &&
    play.step([7], stage.verify)
  );
}

async function issued(
  stage: Stage,
  options: RehearsalOptions,
  play: Play,
  variant: (change: Partial<StackVariant>) => StackVariant,
): Promise<boolean> {
  for (;;) {
    await stage.wait(async () => {
      const certificates = await stage.certificates();
      return allActive(certificates) || certificates.some(hasFailed);
    });
    const certificates = await stage.certificates();
    if (!certificates.some(hasFailed)) return allActive(certificates);
    options.say(
      `FAILED: ${certificates
        .filter(hasFailed)
        .map(({ name }) => name)
        .join(", ")}`,
    );
    if (options.mend !== true || play.mended() > 0) return false;
    play.mendOnce();
    if (!(await stage.deploy(variant({ phase: "issue" })))) return false;
  }
}

function stateOf({ state, managed }: Listed): string {
  // Uploaded certificates have no state: they are there, or they are not.
  return managed?.state ?? state ?? "ACTIVE";
}

function allActive(items: readonly Listed[]): boolean {
  return items.length > 0 && items.every((item) => stateOf(item) === "ACTIVE");
}

function hasFailed(item: Listed): boolean {
  return stateOf(item) === "FAILED";
}
