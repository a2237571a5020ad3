import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../lib/errors";
import { defined } from "../lib/json/defined";
import { quote } from "../lib/text/quote";
import { acceptedInRehearsal, acceptedOnGoogle } from "./accepted";
import { announcement, isAgreed } from "./announce";
import type { Group } from "./behavior";
import { groups as allGroups } from "./behaviors";
import { cleanUp } from "./cleanup";
import { printRequests, printTrial } from "./dry-run";
import { createGoogleSide } from "./google-side";
import { createJournal, type JournalHeader, memoryJournal, readJournal } from "./journal";
import type { Identity } from "./normalize";
import { type Options, readOptions, usage } from "./options";
import { checkZone } from "./preflight";
import { startRehearsalSide } from "./rehearsal-side";
import { reportOf, resultsOf, writeResults } from "./results";
import { isAsExpected, observableOnGoogle, runSuite, type SuiteResult, select } from "./run";
import type { Side } from "./side";
import { type TrialOptions, trialAnnouncement, tryOnGoogle, tryOnRehearsal } from "./trial";

/** Folder of journals and trials, below the working directory. */
const defaultFolder = ".conformance";

/** What the command takes from its process. */
export interface Surroundings {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: NodeJS.ReadableStream;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** @default - all behaviors */
  readonly groups?: readonly Group[];
  /** Folder of journals. @default - `.conformance` in the working directory */
  readonly journals?: string;
  /** Folder of results. @default - `conformance/results` */
  readonly results?: string;
  /** @default - random */
  readonly prefix?: string;
  /** Waits between polls. @default - a timer */
  readonly wait?: (ms: number) => Promise<void>;
  /** Returns a signal that aborts after a time. @default AbortSignal.timeout */
  readonly timeout?: (ms: number) => AbortSignal;
}

/**
 * Runs the command. @returns 0 if every behavior is as expected or accepted, 1 for a difference, 2 for wrong input or
 * a project that can't run the suite, 3 if something could not be deleted
 */
export async function conform(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const options = readOptions(words);
  const groups = select(surroundings.groups ?? allGroups, options);
  if (options.isHelp) {
    surroundings.out(usage);
    return 0;
  }
  if (options.cleanup !== undefined) return confirmCleanup(options.cleanup, options, surroundings);
  if (groups.length === 0) throw new InputError("value-not-allowed", "--only and --skip leave no behavior to observe");
  const { project, domain, zone } = options;
  if (options.isDryRun) {
    const given = defined({ project, domain, zone });
    if (options.isTrial) return dryTrial(given, options, surroundings);
    await printRequests(observableOnGoogle(groups), surroundings.out, given);
    return 0;
  }
  if (project !== undefined && domain !== undefined && zone !== undefined)
    return onGoogle(observableOnGoogle(groups), { project, domain, zone }, options, surroundings);
  return options.isTrial ? trialOnRehearsal(options, surroundings) : onRehearsal(groups, options, surroundings);
}

async function onRehearsal(groups: readonly Group[], options: Options, surroundings: Surroundings): Promise<number> {
  const { now, out, signal } = surroundings;
  const startedMs = now().getTime();
  await using rehearsal = await startRehearsalSide({ https: options.https, signal });
  const result = await runSuite(groups, { side: rehearsal.side, signal });
  const results = resultsOf(result, {
    side: "rehearsal",
    now: now(),
    tookMs: now().getTime() - startedMs,
    accepted: acceptedInRehearsal,
  });
  out(reportOf(results, groups));
  if (options.isRecorded) out(`wrote ${writeResults(results, surroundings.results)}\n`);
  const left = await cleanUp(rehearsal.side, rehearsal.side.journal.resources());
  for (const { resource, why } of left.left) out(`not deleted: ${JSON.stringify(resource.target)}: ${why}\n`);
  const exitCode = conclude(result, new Set(Object.keys(acceptedInRehearsal)), surroundings);
  return left.left.length > 0 ? 3 : exitCode;
}

/** Runs the suite or a trial on Google Cloud after a confirmation, and deletes everything that the journal names. */
async function onGoogle(
  groups: readonly Group[],
  target: { readonly project: string; readonly domain: string; readonly zone: string },
  options: Options,
  surroundings: Surroundings,
): Promise<number> {
  const { now, out } = surroundings;
  const { limitMs, isTrial } = options;
  const identity: Identity = { ...target, prefix: surroundings.prefix ?? `cf${randomBytes(3).toString("hex")}` };
  const given = givenParts(options, surroundings);
  out(isTrial ? trialAnnouncement(identity, limitMs) : await announcement(groups, identity, limitMs));
  if (!options.isConfirmed && !(await isAgreed(surroundings, "Start?"))) {
    out("nothing was created\n");
    return 2;
  }
  await checkZone(createGoogleSide({ identity, journal: memoryJournal(), signal: surroundings.signal, ...given }));
  const path = join(surroundings.journals ?? defaultFolder, `${identity.prefix}.jsonl`);
  const { endpoint } = options;
  const cleanup = cleanupCommand(path, options);
  const startedAt = now().toISOString();
  const journal = createJournal(path, { version: 1, ...identity, ...defined({ endpoint }), startedAt });
  out(`journal: ${path}; after a kill, run '${cleanup}'\n`);
  const limit = (surroundings.timeout ?? AbortSignal.timeout)(limitMs);
  const signal = AbortSignal.any([surroundings.signal, limit]);
  const side = createGoogleSide({ identity, journal, signal, ...given });
  let exitCode = 1;
  let left = 0;
  try {
    exitCode = isTrial
      ? exitCodeOfTrial(await tryOnGoogle(side, trialOptions(options, { ...surroundings, signal })), signal)
      : await suiteOnGoogle(groups, side, options, { ...surroundings, signal });
    if (limit.aborted) out(`the time limit of ${limitMs / 60_000} minutes is over; the run stops and deletes\n`);
  } finally {
    // The signal that stopped the run must not stop the deletion.
    const cleaner = createGoogleSide({ identity, journal, ...given });
    left = await deleteAll(cleaner, cleanup, out);
    journal.close();
  }
  return left > 0 ? 3 : exitCode;
}

async function suiteOnGoogle(
  groups: readonly Group[],
  side: Side,
  options: Options,
  surroundings: Surroundings,
): Promise<number> {
  const { now, out, signal } = surroundings;
  const startedMs = now().getTime();
  const result = await runSuite(groups, {
    side,
    signal,
    onObserved: (observed) => out(`${isAsExpected(observed) ? "as expected" : "different"}: ${observed.id}\n`),
  });
  const results = resultsOf(result, {
    side: options.endpoint === undefined ? "google" : "other",
    now: now(),
    tookMs: now().getTime() - startedMs,
    accepted: acceptedOnGoogle,
  });
  out(reportOf(results, groups));
  // A part of a run would replace the whole run of the same day.
  const isSelected = options.only.length + options.skip.length > 0;
  const isWhole = !isSelected && !result.wasStopped && result.blocked === undefined;
  if (isWhole) out(`wrote ${writeResults(results, surroundings.results)}\n`);
  return conclude(result, new Set(Object.keys(acceptedOnGoogle)), surroundings);
}

async function trialOnRehearsal(options: Options, surroundings: Surroundings): Promise<number> {
  const { signal } = surroundings;
  // The clock of the cloud runs, because Terraform and the commands wait by their own. The signal stops programs only,
  // so that the deletion still works.
  await using rehearsal = await startRehearsalSide({ cloud: { speed: 60 } });
  const isGood = await tryOnRehearsal(rehearsal, trialOptions(options, surroundings));
  const left = await cleanUp(rehearsal.side, rehearsal.side.journal.resources());
  return left.left.length > 0 ? 3 : exitCodeOfTrial(isGood, signal);
}

/** Rehearses a trial, and prints what it and its programs requested, with placeholders. */
async function dryTrial(given: Partial<Identity>, options: Options, surroundings: Surroundings): Promise<number> {
  const { out, err } = surroundings;
  await using rehearsal = await startRehearsalSide({ cloud: { speed: 60 } });
  const quiet = { ...surroundings, out: err };
  const isGood = await tryOnRehearsal(rehearsal, trialOptions(options, quiet));
  printTrial(rehearsal.cloud.requests(), out, given);
  return exitCodeOfTrial(isGood, surroundings.signal);
}

function trialOptions({ previousAddress }: Options, { journals, signal, out, err }: Surroundings): TrialOptions {
  return { folder: journals ?? defaultFolder, previousAddress, signal, out, err };
}

function exitCodeOfTrial(isGood: boolean, signal: AbortSignal): number {
  if (signal.aborted) return 2;
  return isGood ? 0 : 1;
}

function givenParts({ endpoint }: Options, { wait }: Surroundings) {
  return { ...(endpoint === undefined ? {} : { endpoint }), ...(wait === undefined ? {} : { wait }) };
}

/** Deletes what the journal of a killed run names, after a confirmation. */
async function confirmCleanup(path: string, options: Options, surroundings: Surroundings): Promise<number> {
  const { header, resources } = readJournal(path);
  const { out } = surroundings;
  checkEndpoint(header, options);
  checkTerraformEnded(path, header);
  out(`Deletes in project ${header.project}, as far as they exist:\n`);
  for (const { createdBy, target } of resources) {
    out(`  ${createdBy.replace(/\.[a-zA-Z]+$/, "")} ${Object.values(target).join(" ")}\n`);
  }
  if (options.isDryRun) return 0;
  if (!options.isConfirmed && !(await isAgreed(surroundings, "Delete?"))) {
    out("nothing was deleted\n");
    return 2;
  }
  const journal = memoryJournal();
  for (const { isAnswered, ...resource } of resources) {
    journal.creating(resource);
    if (isAnswered) journal.answered(resource);
  }
  const side = createGoogleSide({ identity: header, journal, ...givenParts(options, surroundings) });
  return (await deleteAll(side, cleanupCommand(path, options), out)) > 0 ? 3 : 0;
}

function cleanupCommand(path: string, { endpoint }: Options): string {
  return `npm run conformance -- --cleanup ${path}${endpoint === undefined ? "" : ` --endpoint ${endpoint}`}`;
}

/** Credentials are sent to an endpoint only if the user names it. @throws InputError */
function checkEndpoint({ endpoint }: JournalHeader, options: Options): void {
  if (endpoint === options.endpoint) return;
  const what =
    endpoint === undefined ? "Google Cloud: leave out --endpoint" : `${quote(endpoint)}: give this --endpoint`;
  throw new InputError("value-not-allowed", `the journal is of a run at ${what}`);
}

/** A Terraform that has survived the kill of its trial would create more. @throws InputError */
function checkTerraformEnded(path: string, { prefix }: JournalHeader): void {
  const lock = join(dirname(path), `${prefix}-trial`, ".terraform.tfstate.lock.info");
  if (!existsSync(lock)) return;
  throw new InputError(
    "value-not-allowed",
    `Terraform may still run for this trial: wait until it has ended; if no process of it is left, delete ${quote(lock)}`,
  );
}

/** Deletes what the journal names. @param again command that tries again. @returns the number of resources left */
async function deleteAll(side: Side, again: string, out: (text: string) => void): Promise<number> {
  const waiting = (left: number, pauseMs: number) =>
    out(`${left} resources are in use, or may still appear; trying again in ${Math.round(pauseMs / 1_000)} s\n`);
  const { deleted, left, kept } = await cleanUp(side, side.journal.resources(), waiting);
  out(`${deleted} resources do not exist any more, ${left.length} are left\n`);
  for (const { resource, why } of left) out(`not deleted: ${JSON.stringify(resource.target)}: ${why}\n`);
  for (const what of kept) out(`kept by Google: ${what}\n`);
  if (left.length > 0) out(`run '${again}' again\n`);
  return left.length;
}

/** Prints the end of a run and returns its exit code. */
function conclude(result: SuiteResult, accepted: ReadonlySet<string>, { out, err }: Surroundings): number {
  const { observations, blocked, wasStopped } = result;
  const passed = observations.filter(
    (each) => isAsExpected(each) || (each.problem === undefined && accepted.has(each.id)),
  );
  const failed = observations.length - passed.length;
  if (blocked !== undefined) err(`${blocked.message}\n`);
  if (wasStopped) err("the run was stopped before its end\n");
  out(`${passed.length} passed, ${failed} failed\n`);
  if (blocked !== undefined || wasStopped) return 2;
  return failed === 0 ? 0 : 1;
}
