import { rootCertificates } from "node:tls";
import { defined } from "../json/defined";
import { type RehearsedUpload, uploadKey } from "../rehearsed";
import type { EndedPart, RehearsalTimeline } from "../report";
import { certificatesIn, isIssuedByOneOf } from "../x509";
import { type DaysOptions, passDays } from "./days/days";
import type { DaysResult } from "./days/model";
import { detachActs, rollBackInPlace, runInPlace } from "./in-place";
import type { RehearsalPart } from "./observer";
import { createPartLog } from "./part-log";
import { type Act, PartRunner, type StepResult } from "./part-runner";
import { checkPauses, type Pauses, pauserOf } from "./pauses";
import type { ClientCounts, Probe } from "./probe";
import type { SecondCount } from "./prober";
import type { StackVariant } from "./script";
import { buildStage, type Stage, type StageOptions } from "./stage";
import { allActive, runSteps, StepActions, type StepOptions } from "./steps";
import { createTimelineRecorder } from "./timeline/recorder";

export interface RehearsalOptions extends StageOptions {
  /** @default - steps, watch, rotation and rollback */
  readonly course?: CourseOptions;
  /** Pauses, in which the world stays up. @default - the rehearsal never pauses */
  readonly pauses?: Pauses;
}

/** What a rehearsal does, in which order. */
export interface CourseOptions extends StepOptions {
  /** Further actions on the migration, after all eight steps and before rotation and rollback. @default - nothing */
  readonly acts?: readonly Act[];
  /** Whether rotation and rollback follow. @default true */
  readonly extras?: boolean;
  /** Days of the cloud's time that pass at the end. @default - none */
  readonly days?: Omit<DaysOptions, "signal">;
}

/** Results of the parts of a rehearsal that follow the steps. */
interface ExtraResults {
  /**
   * Whether a watch after step 8 saw all traffic on the load balancer without failures; absent if the watch was not
   * reached.
   */
  readonly watch?: boolean;
  /** Whether a domain was added to a certificate without a failed handshake; absent if that was not rehearsed. */
  readonly rotation?: boolean;
  /** Whether traffic was rolled back and moved again without a failed handshake; absent if that was not rehearsed. */
  readonly rollback?: boolean;
  /** What happened in the days after the cut-over; absent if none were rehearsed. */
  readonly days?: DaysResult;
  /** The watch and the acts that were started. A failed act is the last. */
  readonly acts: readonly ActResult[];
}

interface ActResult {
  readonly name: string;
  readonly ok: boolean;
}

/** What the clients of a rehearsal met. */
interface HandshakeResults {
  readonly probes: number;
  readonly failedHandshakes: number;
  /** Results of clients with and without a certificate; absent without mutual TLS. */
  readonly clients?: ClientCounts;
  /**
   * Number of tries that timed out while this process itself was suspended. They give no information about the
   * migration, so they are not probes; each was repeated.
   */
  readonly discarded: number;
  /** Probes by hostname and second, in chronological order. */
  readonly bySecond: readonly SecondCount[];
  /** The first thousand failed probes. */
  readonly failures: readonly Probe[];
}

/** What went wrong on purpose. */
interface FaultResults {
  /** How often each fault took effect, in the order of the plan. */
  readonly faultCounts: readonly { readonly list: string; readonly count: number }[];
  /** How often Terraform was killed. */
  readonly kills: number;
  /** Number of resources that existed outside of Terraform's state and had to be imported. */
  readonly imports: number;
}

/** How a rehearsal ended. */
interface EndResults {
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
  readonly partsEndedAt: string;
  /** Version of the google provider: that of the bindings for the stand-in. */
  readonly providerVersion?: string;
}

export interface RehearsalResult extends ExtraResults, HandshakeResults, FaultResults, EndResults {
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
  /** Parts and pauses, in the order in which they ended. Steps of the same apply are one part. */
  readonly parts: readonly EndedPart[];
  /** Applies, gates, certificates, records and handshakes up to {@link RehearsalResult.partsEndedAt}. */
  readonly timeline: RehearsalTimeline;
}

/**
 * Rehearses a migration on this machine, with real Terraform, real DNS and real handshakes. Runs the eight steps from
 * the previous provider to the load balancer, a watch, further acts, a rotation and a rollback.
 *
 * @throws InputError if Terraform is missing or refuses the stack before anything is created, or if a chosen pause
 * never comes
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalResult> {
  const recorder = createTimelineRecorder(options.migration.hostnames.all);
  const partLog = createPartLog(() => new Date());
  const observers = [...(options.output.observers ?? []), recorder.observer, partLog.observer];
  const pauses = options.pauses && { ...options.pauses, hold: partLog.holding(options.pauses.hold) };
  const stage = await buildStage({ ...options, output: { ...options.output, observers } });
  try {
    const result = await rehearseOn(stage, { ...options, ...defined({ pauses }) });
    return { ...result, parts: partLog.parts, timeline: recorder.result(result.days?.from ?? result.partsEndedAt) };
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

/** Runs all parts on a stage, and destroys the stack. */
async function rehearseOn(
  stage: Stage,
  options: RehearsalOptions,
): Promise<Omit<RehearsalResult, "parts" | "timeline">> {
  const { course: { order } = {}, pauses, signal, output, migration } = options;
  // Without a map, nothing changes what the proxies present.
  const isInPlace = stage.serving.length > 0 && order !== "certificates alone";
  checkPauses(pauses, { ...defined({ order }), isInPlace });
  const pauser = pauserOf(stage, { ...defined({ pauses, order }), added: migration.hostnames.added, signal });
  const onPart = (part: RehearsalPart) => stage.emit("part", part);
  const runner = new PartRunner(stage, { say: output.say, onPart, afterSteps: pauser.afterSteps, signal });
  const { haveSucceeded, ...extras } = await runParts(stage, options, { runner, isInPlace });
  const isDone = haveSucceeded && !runner.wasStopped;
  // Before the convergence, which removes all faults: after a failure, the world is as the failure left it.
  await pauser.beforeDestroy({ ok: isDone && stage.prober.count().failed === 0 });
  const end = await endOn(stage, options, { isDone });
  for (const step of pauser.missed()) {
    output.say(`no pause after step ${step}: the rehearsal ended before this step, because an earlier step failed`);
  }
  const completed = isDone && end.failedHandshakes === 0;
  return {
    ok: completed && end.destroyed,
    completed,
    ...(runner.wasStopped ? { stopped: true as const } : {}),
    steps: runner.steps,
    ...extras,
    ...end,
  };
}

const watchName = "watch: all traffic leads to the load balancer, without failures";

/** Runs the eight steps, the watch, further acts, a rotation and a rollback, until one of them fails. */
async function runParts(
  stage: Stage,
  { course = {}, migration, output, signal }: RehearsalOptions,
  { runner, isInPlace }: { readonly runner: PartRunner; readonly isInPlace: boolean },
): Promise<ExtraResults & { readonly haveSucceeded: boolean }> {
  const actions = new StepActions(stage, { ...course, say: output.say });
  const acts: ActResult[] = [];
  const act = async (name: string, work: () => Promise<boolean>): Promise<boolean | undefined> => {
    const ok = await runner.extra(name, work);
    if (ok !== undefined) acts.push({ name, ok });
    return ok;
  };
  const runActs = async (list: readonly Act[]) => {
    for (const { name, run } of list) if ((await act(name, () => run(stage))) !== true) break;
  };
  const migrated = await (isInPlace ? runInPlace : runSteps)(stage, course, { runner, actions });
  const isGood = () => migrated && acts.every(({ ok }) => ok);
  const watch = migrated && !isInPlace && movesTraffic(course) ? await act(watchName, stage.watch) : undefined;
  if (isGood()) await runActs(course.acts ?? []);
  const hasExtras = course.extras !== false && isGood();
  const rotated = actions.variant({ traffic: "loadBalancer", rotated: true });
  const rotation =
    hasExtras && migration.hostnames.added !== undefined
      ? await runner.extra("rotation: a domain added to a certificate", () => rotate(stage, rotated))
      : undefined;
  const rollback = hasExtras
    ? await (isInPlace
        ? runner.extra("rollback: map detached, and attached again", () => rollBackInPlace(stage))
        : runner.extra("rollback: traffic to the previous provider and back", () => rollBack(stage, rotated)))
    : undefined;
  if (isInPlace && rotation !== false && rollback === true) await runActs(detachActs);
  const haveRun = isGood() && rotation !== false && rollback !== false;
  const days =
    haveRun && course.days !== undefined
      ? await runDays(stage, runner, { replaceUploads: uploadReplacer(stage), ...course.days, signal })
      : undefined;
  const haveSucceeded = haveRun && (course.days === undefined || days?.ok === true);
  return { haveSucceeded, acts, ...defined({ watch, rotation, rollback, days }) };
}

/** Days for which the certificates are valid that replace uploaded ones: the limit of public CAs from March 2027 on. */
const uploadDays = 100;

/**
 * Returns a function that replaces uploaded certificates as their owner would: a new certificate with a new key, and a
 * deploy.
 */
function uploadReplacer(stage: Stage): NonNullable<DaysOptions["replaceUploads"]> {
  const uploads: Record<string, RehearsedUpload> = {};
  const publicRoots: string[] = [];
  return async (chainsPem) => {
    const deployed = stage.pipeline.deployedVariant;
    if (deployed === undefined) return false;
    const daysAhead = (stage.cloud.clock.now().getTime() - Date.now()) / 86_400_000;
    for (const pem of chainsPem) {
      const key = uploadKey(pem);
      const made = await stage.issueUpload(key.split(" "), Math.ceil(daysAhead) + uploadDays);
      uploads[key] = { certificatePem: made.chainPem, privateKeyPem: made.privateKeyPem };
      // The alerts of an upload stay as they are: they depend on whether its CA is public.
      if (isIssuedByOneOf(certificatesIn(pem), [...rootCertificates, ...publicRoots])) publicRoots.push(made.chainPem);
    }
    return stage.pipeline.deploy({ ...deployed, uploads: { ...uploads }, publicRoots: [...publicRoots] });
  };
}

async function runDays(stage: Stage, runner: PartRunner, options: DaysOptions): Promise<DaysResult | undefined> {
  let result: DaysResult | undefined;
  const work = async () => {
    result = await passDays(stage, options);
    return result.ok;
  };
  await runner.extra(`${options.days} days after the cut-over`, work, { passesDays: true });
  return result;
}

function movesTraffic({ order }: CourseOptions): boolean {
  return order !== "without traffic" && order !== "certificates alone";
}

async function rotate(stage: Stage, rotated: StackVariant): Promise<boolean> {
  if (!(await stage.pipeline.deploy(rotated))) return false;
  await stage.prober.everyHostname();
  return allActive(await stage.reader.certificates());
}

async function rollBack(stage: Stage, rotated: StackVariant): Promise<boolean> {
  return (await stage.moveTraffic({ ...rotated, traffic: "previous" })) && stage.moveTraffic(rotated);
}

/** Ends all probes, and destroys the stack. */
async function endOn(
  stage: Stage,
  { faults: { kills = [] } = {}, signal, output: { say } }: RehearsalOptions,
  { isDone }: { readonly isDone: boolean },
): Promise<EndResults & HandshakeResults & FaultResults> {
  const { prober, cloud, pipeline } = stage;
  if (signal.aborted) say("stopped before it was over; what was made is destroyed");
  const faultCounts = cloud.faults.counts().map(({ list, count }) => ({ list, count }));
  // A stopped run always has changes left, and the user wants no further applies.
  const converged = isDone || (signal.aborted ? undefined : await pipeline.converge());
  // Probes in progress also count.
  await prober.stop();
  const { probes, failed, discarded } = prober.count();
  const providerVersion = stage.providerVersion();
  const partsEndedAt = cloud.clock.now().toISOString();
  const { ended, left } = await stage.destroy();
  if (left.length > 0) say(`left behind: ${left.join(", ")}`);
  const missed = kills.slice(stage.kills.count);
  if (isDone && missed.length > 0) {
    const { product } = stage.terraform.name;
    say(`${product} was not killed at ${missed.join(", ")}: no run of it called that`);
  }
  return {
    ...defined({ converged, providerVersion, clients: prober.clients() }),
    ...{ probes, failedHandshakes: failed, discarded, partsEndedAt, left, faultCounts },
    destroyed: ended && left.length === 0,
    bySecond: prober.bySecond(),
    failures: prober.failures(),
    kills: stage.kills.count,
    imports: pipeline.imports,
  };
}
