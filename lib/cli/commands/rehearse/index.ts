import { basename, join } from "node:path";
import { InputError, ServiceError } from "../../../errors";
import type { Finding } from "../../../findings/finding";
import { defined } from "../../../json/defined";
import type { Disturbance, EvidenceFolder, RehearsalResult, StackJson } from "../../../rehearsal";
import type { ExitCode, Io } from "../../command";
import { defineCommand } from "../../declare";
import * as load from "../../load";
import { filesOfSource } from "../../result-files";
import { type ResultWriter, resultFormOf, resultWriter } from "../../results";
import { jsonDocument, writeLine, writeProblems } from "../../text";
import { createRehearsalBoard, type RehearsalBoard } from "./board";
import { checkKept } from "./check";
import { readDays, refuseIdleFailure } from "./days";
import { listScenarios, readDisturbance } from "./disturbance";
import { checkPlaces, openWorkFolder, type WorkFolder } from "./folders";
import { listWord, type RehearseOptions, rehearseOptions } from "./options";
import {
  failureLines,
  rehearsalResult,
  rehearsalSummary,
  type SeededResult,
  standInNotes,
  writeReport,
} from "./outcome";
import { programOf, readPauses, withHold } from "./pause";
import { describeRehearsed, type RehearsalSource } from "./rehearsed";
import { rehearsalScreen } from "./screen";
import { readRehearsalSource } from "./source";
import type { ShownVerdict } from "./verdict-frame";

export const command = defineCommand({
  description:
    "Runs all eight steps with real Terraform, real DNS and real TLS on this machine. A previous provider serves every hostname, a prober connects to each hostname continuously, and Terraform applies the migration as a pipeline would. Then a domain is added to a certificate, and traffic is rolled back and moved again. The expected result is 0 failed handshakes. No traffic leaves this machine. Needs terraform or tofu on PATH.",
  options: rehearseOptions,
  examples: {
    "cert-migration rehearse --spec migration.yaml": "a migration file",
    "cert-migration rehearse --certificates ./pem": "the migration that replaces these certificates",
    'cert-migration rehearse --app "npx tsx main.ts"': "your own app, with all its resources",
    "cert-migration rehearse --terraform-dir .": "a root module in HCL, with its own proxies",
    "cert-migration rehearse --spec migration.yaml --pause-after 6 --pause-before-destroy":
      "with pauses, to use the other commands in a second terminal",
    "cert-migration rehearse --spec migration.yaml --faults killed-at-entry --evidence ./evidence":
      "with a killed apply, and evidence of the run",
  },
  exitCodes: {
    2: "the command line or an input can't be used; or no handshake failed, and the result can't be written",
    4: "a handshake failed, or a step did not reach its expected result",
    5: "the rehearsal was interrupted",
  },
  json: "ok, stopped?, steps, parts?, probes, failedHandshakes, clients?, discarded?, rotation, rollback, days?, seed, destroyed?, left?, converged?, acts?, failures?, faultCounts?, kills?, imports?, rehearsed?, timeline?, findings?",
  refused: (error, { options }, io) => {
    if (options.json === true || options.format === "json")
      io.stdout.write(jsonDocument(refusalOf(error, options, io), 0));
  },
  run: async ({ options, given, json }, io) => {
    const form = resultFormOf(options, given);
    const writer = resultWriter(form, "rehearse", () => filesOfSource(options, io), io);
    if (writer !== undefined) return writer.reporting(() => rehearseForTools(options, writer, io));
    const asked = { ...options, json: form === "json" };
    return rehearseForPeople(asked, given, json, io);
  },
});

/** Rehearses with a result for people or as JSON. */
async function rehearseForPeople(
  options: RehearseOptions,
  given: ReadonlySet<string>,
  json: FormatJson,
  io: Io,
): Promise<ExitCode> {
  try {
    if (options.checkEvidence !== undefined) return await checkKept(options, given, io);
    if (options.faults === listWord) return listScenarios(options, io);
    const { result, refusal } = await runRehearsal(options, io);
    const screen = () => rehearsalScreen(shownRehearsal({ result, refusal }, options), io);
    io.stdout.write(options.json ? json(rehearsalSummary(result, refusal), 0) : screen());
    return endRehearsal({ result, refusal }, io);
  } catch (error) {
    // A program that reads the JSON line receives a line for every outcome; stderr is for people.
    if (options.json) io.stdout.write(jsonDocument(refusalOf(error, options, io), 0));
    throw error;
  }
}

/** Returns what people see of an outcome. A file that could not be written has no link. */
function shownRehearsal({ result, refusal }: Outcome, { report, evidence }: RehearseOptions): ShownVerdict {
  const { input, startedAt, endedAt } = result.rehearsed;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  return { result, seconds, input, ...(refusal === undefined ? defined({ report, evidence }) : {}) };
}

type FormatJson = (summary: ReturnType<typeof rehearsalSummary>, indent?: number) => string;

/** Rehearses with a result in a format of other tools, which have none for evidence and lists. */
async function rehearseForTools(options: RehearseOptions, writer: ResultWriter, io: Io): Promise<ExitCode> {
  if (options.checkEvidence !== undefined || options.faults === listWord) {
    const message = `--format ${options.format} is for the result of a rehearsal; use text or json here`;
    throw new InputError("format-without-check", message);
  }
  const { result, refusal } = await runRehearsal(options, io);
  writer.write(rehearsalResult(result, refusal));
  return endRehearsal({ result, refusal }, io);
}

/** Writes the failures of a rehearsal. @returns its exit code */
function endRehearsal({ result, refusal }: Outcome, io: Io): ExitCode {
  for (const line of failureLines(result.failures)) writeLine(line, io, "stderr");
  if (refusal === undefined) return exitCodeOf(result, io);
  writeProblems(refusal, io);
  return result.failedHandshakes > 0 ? 4 : 2;
}

interface Outcome {
  readonly result: SeededResult;
  /** Error that prevented a requested file from being written. */
  readonly refusal: InputError | undefined;
}

async function runRehearsal(options: RehearseOptions, io: Io): Promise<Outcome> {
  const { checkVersion, EvidenceFolder, findTerraform, openFolder } = load.rehearsal();
  // The result needs it. Ctrl-C in a terminal also ends the compiler with which the sources are run.
  load.report();
  if (options.manifest !== undefined) {
    const message = "--manifest has no effect on a rehearsal; give it with --check-evidence, or leave it out";
    throw new InputError("rehearsal-source", message);
  }
  const pauses = readPauses(options, io);
  const days = readDays(options);
  const disturbance = await readDisturbance(options, io);
  // A rehearsal takes a minute, so unwritable outputs are refused first.
  const named = await checkPlaces(options);
  const terraform = findTerraform(options.terraform, io.env.PATH ?? "");
  const terraformVersion = await checkVersion(terraform, io.env, io.signal);
  const work = openWorkFolder(io, { isKept: options.keep === true, named: named.map(({ folder }) => folder) });
  let evidence: EvidenceFolder | undefined;
  try {
    const source = await readRehearsalSource(options, { gateCommand: ownCommand(), terraform }, work, io);
    await refuseIdleFailure(days, source.migration);
    const { all, added } = source.migration.hostnames;
    for (const { folder, option } of named) openFolder(folder, option);
    const board = createRehearsalBoard(io, all, added);
    source.notes.forEach(board.say);
    standInNotes(all, added).forEach(board.say);
    evidence = options.evidence === undefined ? undefined : new EvidenceFolder(options.evidence);
    const startedAt = io.now().toISOString();
    const { result, stack } = await rehearseSource(
      source,
      { options, disturbance, days, pauses, terraform, board, evidence, work },
      io,
    );
    const rehearsed = describeRehearsed({ ...source, stack }, result, options, {
      terraform: { program: basename(terraform), version: terraformVersion },
      speed: options.speed,
      startedAt,
      endedAt: io.now().toISOString(),
    });
    const seeded = { ...result, seed: disturbance.faults?.seed ?? 1, rehearsed };
    const manifestSha256 = evidence?.conclude(seeded);
    const { evidence: folder } = options;
    const kept = folder === undefined || manifestSha256 === undefined ? {} : { evidence: { folder, manifestSha256 } };
    const concluded = { ...seeded, rehearsed: { ...rehearsed, ...kept } };
    return await conclude(concluded, options.report, evidence, io);
  } finally {
    evidence?.[Symbol.dispose]();
    work[Symbol.dispose]();
  }
}

interface Run {
  readonly options: RehearseOptions;
  readonly disturbance: Partial<Disturbance>;
  readonly days: ReturnType<typeof readDays>;
  readonly pauses: ReturnType<typeof readPauses>;
  readonly terraform: string;
  readonly board: RehearsalBoard;
  readonly evidence: EvidenceFolder | undefined;
  readonly work: WorkFolder;
}

/** Runs the rehearsal of a source, and returns a stack that was rehearsed. */
async function rehearseSource(
  source: RehearsalSource,
  { options, disturbance, days, pauses, terraform, board, evidence, work }: Run,
  io: Io,
) {
  const { keep, speed, provider, existingPolicyMode } = options;
  const { faults, kills, losesState, behavior, attempts, course } = disturbance;
  const folder = typeof keep === "string" ? keep : join(work.path, "rehearsal");
  if (keep !== undefined) writeLine(`Terraform's files are kept in ${folder}`, io, "stderr");
  let stack: StackJson | undefined;
  const result = await load
    .rehearsal()
    .rehearse({
      migration: {
        ...source.migration,
        synthesize: async (variant) => {
          stack = await source.migration.synthesize(variant);
          return stack;
        },
      },
      course: {
        ...course,
        ...defined({ days }),
        ...source.course,
      },
      terraform: { folder, program: terraform, provider, ...defined({ attempts }) },
      world: { speed, existingPolicyMode, ...defined({ behavior }) },
      faults: defined({ plan: faults, kills, losesState }),
      output: {
        say: board.say,
        observers: [board.observer, evidence?.observer ?? {}],
        ...defined({ keepFile: evidence?.keepFile }),
      },
      // A rehearsal that has to produce evidence stops if the evidence cannot be written.
      signal: evidence === undefined ? io.signal : AbortSignal.any([io.signal, evidence.broken]),
      endSignal: work.endSignal,
      ...(pauses === undefined ? {} : { pauses: withHold(pauses, board, programOf(process), io) }),
    })
    .finally(board.end);
  return { result, stack };
}

/** Writes the report of a rehearsal. */
async function conclude(
  result: SeededResult,
  reportFile: string | undefined,
  evidence: EvidenceFolder | undefined,
  io: Io,
): Promise<Outcome> {
  const broken: unknown = evidence?.broken.reason;
  const unwritten = [
    ...(broken instanceof InputError ? [broken] : []),
    ...(reportFile === undefined ? [] : await writeReport(reportFile, result, io)),
  ];
  const problems = unwritten.flatMap((error) => error.problems);
  return { result, refusal: problems.length === 0 ? undefined : new InputError(problems) };
}

function exitCodeOf({ ok }: RehearsalResult, { signal }: Io): ExitCode {
  if (signal.aborted) return 5;
  return ok ? 0 : 4;
}

/** Returns the contract of `--json` for a rehearsal, or a check of evidence, that did not finish. */
function refusalOf(error: unknown, { checkEvidence }: Partial<RehearseOptions>, { signal }: Io): object {
  const findings = findingsOf(error, signal.aborted ? "stopped" : "bug");
  if (checkEvidence !== undefined) return { ok: false, checks: [], findings };
  const nothing = { steps: [], probes: 0, failedHandshakes: 0, rotation: null, rollback: null, seed: null };
  return { ok: false, ...nothing, findings };
}

/** @param otherCode code of an error that is neither of the input nor of a service */
function findingsOf(error: unknown, otherCode: string): readonly Finding[] {
  if (error instanceof InputError) return error.findings;
  const code = error instanceof ServiceError ? error.code : otherCode;
  const message = error instanceof Error ? error.message : String(error);
  return [{ code, severity: "error", subject: "", message, remedy: "" }];
}

/** Returns the command with which gates call this program: the command line that started this process. */
function ownCommand(): string {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""].map((word) => `"${word}"`).join(" ");
}
