import { basename, join } from "node:path";
import { InputError, ServiceError } from "../../../errors";
import type { Finding } from "../../../findings/finding";
import type { RehearsalOptions, RehearsalResult, StackJson } from "../../../rehearsal";
import { quote } from "../../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { jsonDocument, safe, writeProblems } from "../../text";
import { createRehearsalBoard, type RehearsalBoard } from "./board";
import { checkKept } from "./check";
import { listScenarios, listWord, readDisturbance } from "./disturbance";
import { checkPlaces, openWorkFolder } from "./folders";
import { type SeededResult, standInNotes, summaryOf, tableOf, writeReport } from "./outcome";
import { programOf, readPauses, withHold } from "./pause";
import { describeRehearsed } from "./rehearsed";
import { readRehearsalSource } from "./source";

export const rehearseCommand: CommandDetails = {
  description:
    "Runs all eight steps with real Terraform, real DNS and real TLS on this machine. A previous provider serves every hostname, a prober connects to each hostname continuously, and Terraform applies the migration as a pipeline would. Then a domain is added to a certificate, and traffic is rolled back and moved again. The expected result is 0 failed handshakes. No traffic leaves this machine. Needs terraform or tofu on PATH.",
  options: [
    { flags: "--spec <file>", description: "migration file, for example migration.yaml; - for standard input" },
    {
      flags: "--certificates <folder>",
      description: "folder with the current certificates; the migration that replaces them is rehearsed",
    },
    {
      flags: "--stack <folder>",
      description:
        "a synthesized stack, unchanged, for example cdktf.out/stacks/shop; with --app, the name of one of its stacks",
    },
    {
      flags: "--app <command>",
      description:
        "the command that runs an app of cdktf or cdktn, as in cdktf.json; rehearses every step of its migration and ignores the `phase` that the code sets",
    },
    {
      flags: "--terraform-dir <folder>",
      description:
        "folder of a root module in HCL that calls a module of 'cert-migration synth'; a copy is used, without backend and state",
    },
    {
      flags: "--skip-unknown",
      description: "leave out what can't be rehearsed: other providers, modules, states of other stacks, commands",
    },
    { flags: "--terraform <program>", description: "terraform, tofu, or a path; default: the first of them on PATH" },
    {
      flags: "--faults <name>",
      description:
        "faults to inject: a scenario, or a JSON file as for the command cloud; 'list' prints all scenarios and exits",
      offers: () => [
        listWord,
        ...(require("../../../rehearsal") as typeof import("../../../rehearsal")).disturbances.map(({ name }) => name),
      ],
    },
    {
      flags: "--seed <number>",
      description:
        "replaces the seed in the faults, up to 4294967295: faults with a probability affect the same methods, names and attempts in each run; 'times' counts requests in the order of their arrival",
    },
    { flags: "--speed <factor>", description: "seconds of the cloud's clock per real second", default: "30" },
    {
      flags: "--keep [folder]",
      description:
        "keep Terraform's files, log and state unchanged, with the private keys in the state; without a value, in a new folder whose path is printed",
    },
    {
      flags: "--evidence <folder>",
      description:
        "keep every probe, request, DNS answer and issued certificate as JSON lines here, and Terraform's plans, states and log; no key and no token is in it",
    },
    {
      flags: "--check-evidence <folder>",
      description:
        "check the files of an earlier --evidence again, without a rehearsal; only --json and --manifest can be combined with it",
    },
    {
      flags: "--manifest <sha256>",
      description:
        "with --check-evidence: the SHA-256 of the evidence as the report shows it; other evidence is an error",
    },
    {
      flags: "--provider <kind>",
      description:
        "real: the google provider that 'terraform init' installs (needs a registry or a mirror), with custom endpoints on this machine; stand-in: the built-in provider with the same behavior",
      choices: ["stand-in", "real"],
      default: "stand-in",
    },
    {
      flags: "--existing-policy-mode <mode>",
      description: "validation mode of the server TLS policies that the stack names by id (mutual TLS)",
      choices: ["ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"],
      default: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
    },
    {
      flags: "--pause-after <step>",
      description:
        "pause after this step, 1 to 8, and print commands for another terminal; steps of one apply pause after it",
      repeatable: true,
    },
    { flags: "--pause-before-destroy", description: "pause before everything is destroyed" },
    { flags: "--report <file>", description: "write the result to this file: an HTML page for .html, else JSON" },
    { flags: "--json", description: "print one line of JSON at the end, also after a failure" },
  ],
  examples: [
    { command: "cert-migration rehearse --spec migration.yaml", what: "a migration file" },
    { command: "cert-migration rehearse --certificates ./pem", what: "the migration that replaces these certificates" },
    { command: 'cert-migration rehearse --app "npx tsx main.ts"', what: "your own app, with all its resources" },
    { command: "cert-migration rehearse --terraform-dir .", what: "a root module in HCL, with its own proxies" },
    {
      command: "cert-migration rehearse --spec migration.yaml --pause-after 6 --pause-before-destroy",
      what: "with pauses, to use the other commands in a second terminal",
    },
    {
      command: "cert-migration rehearse --spec migration.yaml --faults killed-at-entry --evidence ./evidence",
      what: "with a killed apply, and evidence of the run",
    },
  ],
  exitCodes: {
    4: "a handshake failed, or a step did not reach its expected result",
    5: "the rehearsal was interrupted; 2 in place of 4 and 5 if the result can't be written",
  },
  run: runRehearse,
};

async function runRehearse(invocation: Invocation, io: Io): Promise<ExitCode> {
  const isCheck = invocation.options.checkEvidence !== undefined;
  try {
    if (isCheck) return await checkKept(invocation.options, io);
    if (invocation.options.faults === listWord) return listScenarios(invocation.options, io);
    return await runRehearsal(invocation, io);
  } catch (error) {
    // A program that reads the JSON line receives a line for every outcome; the error message on stderr is for people.
    if (invocation.options.json === true) io.stdout.write(jsonDocument(refusalOf(error, isCheck, io), 0));
    throw error;
  }
}

async function runRehearsal(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { checkVersion, findTerraform, keepEvidence, openFolder, rehearse } =
    require("../../../rehearsal") as typeof import("../../../rehearsal");
  const { options } = invocation;
  const { evidence } = options as Readonly<Record<string, string | undefined>>;
  const keep = options.keep as string | true | undefined;
  const speed = readSpeed(options.speed as string);
  if (options.manifest !== undefined) {
    const message = "--manifest has no effect on a rehearsal; give it with --check-evidence, or leave it out";
    throw new InputError("rehearsal-source", message);
  }
  const pauses = readPauses(options, io);
  const disturbance = await readDisturbance(options, io);
  // A rehearsal takes a minute, so unwritable outputs are refused first.
  const named = await checkPlaces(options);
  const terraform = findTerraform(options.terraform as string | undefined, io.env.PATH ?? "");
  const terraformVersion = await checkVersion(terraform, io.env, io.signal);
  const work = openWorkFolder(io, { isKept: keep === true, named: named.map(({ folder }) => folder) });
  let written: ReturnType<typeof keepEvidence> | undefined;
  try {
    const source = await readRehearsalSource(invocation, { gateCommand: ownCommand(), terraform }, work, io);
    for (const { folder, option } of named) openFolder(folder, option);
    const board = createRehearsalBoard(io, source.options.hostnames, source.options.addedHostname);
    source.notes.forEach(board.say);
    standInNotes(source.options.hostnames, source.options.addedHostname).forEach(board.say);
    const folder = typeof keep === "string" ? keep : join(work.path, "rehearsal");
    if (keep !== undefined) io.stderr.write(`Terraform's files are kept in ${safe(folder)}\n`);
    written = evidence === undefined ? undefined : keepEvidence(evidence);
    const startedAt = io.now().toISOString();
    let stack: StackJson | undefined;
    const result = await rehearse({
      ...disturbance,
      ...source.options,
      synthesize: async (variant) => {
        stack = await source.options.synthesize(variant);
        return stack;
      },
      ...board.hooks,
      ...written?.hooks,
      folder,
      cloud: { ...disturbance.cloud, speed },
      say: board.say,
      onProbe: (probe) => {
        board.hooks.onProbe?.(probe);
        written?.hooks.onProbe(probe);
      },
      // A rehearsal that has to produce evidence stops if the evidence cannot be written.
      signal: written === undefined ? io.signal : AbortSignal.any([io.signal, written.broken]),
      endSignal: work.endSignal,
      terraform,
      provider: options.provider === "real" ? "real" : "stand-in",
      existingPolicyMode: options.existingPolicyMode as NonNullable<RehearsalOptions["existingPolicyMode"]>,
      ...(pauses === undefined ? {} : { pauses: withHold(pauses, board, programOf(process), io) }),
    }).finally(board.end);
    const rehearsed = describeRehearsed({ ...source, stack }, result, options, {
      terraform: { program: basename(terraform), version: terraformVersion },
      speed,
      startedAt,
      endedAt: io.now().toISOString(),
    });
    const seeded = { ...result, seed: disturbance.faults?.seed ?? 1, rehearsed };
    const manifestSha256 = written?.conclude(seeded);
    const kept =
      evidence === undefined || manifestSha256 === undefined ? {} : { evidence: { folder: evidence, manifestSha256 } };
    const evidenceErrors = written?.broken.aborted === true ? [written.broken.reason as InputError] : [];
    return await printResult(
      { ...seeded, rehearsed: { ...rehearsed, ...kept } },
      evidenceErrors,
      board,
      invocation,
      io,
    );
  } finally {
    written?.[Symbol.dispose]();
    work[Symbol.dispose]();
  }
}

const mostFailures = 20;

/**
 * Prints the result of a rehearsal and returns the exit code.
 *
 * @param evidenceErrors errors that prevented the evidence from being written; empty if it was written
 */
async function printResult(
  result: SeededResult,
  evidenceErrors: readonly InputError[],
  { say }: RehearsalBoard,
  { options }: Invocation,
  io: Io,
): Promise<ExitCode> {
  for (const { time, hostname, address, error } of result.failures.slice(0, mostFailures)) {
    say(`${time} by the cloud's clock: ${hostname} at ${address ?? "no address"}: ${error}`);
  }
  const report = options.report as string | undefined;
  const unwritten = [...evidenceErrors, ...(report === undefined ? [] : await writeReport(report, result, io))];
  const refusal = unwritten.length === 0 ? undefined : new InputError(unwritten.flatMap(({ problems }) => problems));
  io.stdout.write(options.json === true ? jsonDocument(summaryOf(result, refusal), 0) : tableOf(result, io));
  if (refusal === undefined) return exitCodeOf(result, io);
  writeProblems(refusal, io);
  return result.failedHandshakes > 0 ? 4 : 2;
}

function exitCodeOf({ ok }: RehearsalResult, { signal }: Io): ExitCode {
  if (signal.aborted) return 5;
  return ok ? 0 : 4;
}

/** Returns the contract of `--json` for a rehearsal, or a check of evidence, that did not finish. */
function refusalOf(error: unknown, isCheck: boolean, { signal }: Io): object {
  const findings = findingsOf(error, signal.aborted ? "stopped" : "bug");
  if (isCheck) return { ok: false, checks: [], findings };
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

function readSpeed(value: string): number {
  const speed = Number(value);
  if (speed > 0 && speed <= 10_000) return speed;
  throw new InputError("speed-malformed", `--speed ${quote(value)} is not a number above 0, up to 10000`);
}
