import { InputError } from "../../errors";
import type { MigrationSpec } from "../../plan";
import { quote } from "../../quote";
import type { Command, ExitCode, Invocation, Io } from "../command";
import { readTextFile } from "../files";
import { synthesizeSpec } from "../synthesize";
import { formatTable, safe } from "../text";

export const rehearseCommand: Command = {
  name: "rehearse",
  summary: "play a migration through on this machine",
  description:
    "Plays all eight steps with real Terraform, real DNS and real TLS on this machine: an old provider serves every hostname, a prober connects to each of them without pause, and the migration is applied as a pipeline would apply it; then a domain is added to a certificate, and traffic goes back and forth. The number to hold is 0 failed handshakes. Nothing leaves this machine; needs terraform or tofu on PATH.",
  options: [
    { flags: "--spec <file>", description: "the migration as data, as in migration.yaml" },
    {
      flags: "--certificates <folder>",
      description: "the certificates of today, in files: what replaces them is rehearsed",
    },
    { flags: "--terraform <program>", description: "terraform, tofu, or a path", default: "terraform" },
    { flags: "--faults <file>", description: "JSON that says what goes wrong, as for the command cloud" },
    { flags: "--speed <factor>", description: "the cloud's seconds in one of the machine's", default: "30" },
    { flags: "--keep <folder>", description: "keep Terraform's files, its log and every probe here" },
    { flags: "--json", description: "print one line of JSON at the end" },
  ],
  examples: [
    { command: "cert-migration rehearse --spec migration.yaml", what: "the migration of a file" },
    { command: "cert-migration rehearse --certificates ./pem", what: "what replaces these certificates" },
  ],
  exitCodes: { 4: "a handshake failed, or a step did not end as it should" },
  run: runRehearse,
};

async function runRehearse({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { mkdtempSync, mkdirSync, rmSync, writeFileSync } = require("node:fs") as typeof import("node:fs");
  const { tmpdir } = require("node:os") as typeof import("node:os");
  const { join } = require("node:path") as typeof import("node:path");
  const { readFaultPlan } = require("../../cloud") as typeof import("../../cloud");
  const { rehearse, scriptOf } = require("../../rehearsal") as typeof import("../../rehearsal");

  const source = await readSource(options, io);
  const script = scriptOf(source, ownCommand());
  const kept = options.keep as string | undefined;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "cert-migration-rehearsal-"));
  mkdirSync(folder, { recursive: true });
  const faults =
    typeof options.faults === "string"
      ? readFaultPlan(parseJson(await readTextFile(options.faults, "--faults")))
      : undefined;
  const probes: string[] = [];
  const say = (text: string) => void io.stderr.write(`${safe(text)}\n`);
  say(
    `${script.hostnames.length} hostnames, ${source.certificates.length} certificates; the rehearsal takes a minute or so`,
  );
  try {
    const result = await rehearse({
      synthesize: (variant) => synthesizeSpec(script.specOf(variant), "rehearsal-project"),
      hostnames: script.hostnames,
      addedHostname: script.addedHostname,
      folder,
      terraform: options.terraform as string,
      cloud: { speed: readSpeed(options.speed as string) },
      say,
      signal: io.signal,
      ...(faults === undefined ? {} : { faults }),
      ...(kept === undefined ? {} : { onProbe: (probe) => void probes.push(JSON.stringify(probe)) }),
    });
    if (kept !== undefined) writeFileSync(join(folder, "probes.jsonl"), probes.map((probe) => `${probe}\n`).join(""));
    const { steps, failures, struck: _struck, kills: _kills, ...rest } = result;
    if (options.json === true) {
      io.stdout.write(
        `${JSON.stringify({ ...rest, steps: steps.map(({ number, name, ok, seconds }) => ({ number, name, ok, seconds })) })}\n`,
      );
    } else {
      const rows = steps.map(({ number, name, ok, seconds, probes: made, failedHandshakes }) => [
        String(number),
        name,
        ok ? "ok" : "FAILED",
        seconds.toFixed(1),
        String(made),
        String(failedHandshakes),
      ]);
      io.stdout.write(formatTable(["STEP", "WHAT", "", "SECONDS", "HANDSHAKES", "FAILED"], rows));
      io.stdout.write(
        `rotation ${wordFor(result.rotation)}, rollback ${wordFor(result.rollback)}, ${result.destroyed ? "nothing" : "something"} left behind\n`,
      );
      io.stdout.write(`${result.failedHandshakes} of ${result.probes} handshakes failed\n`);
    }
    for (const { time, hostname, address, error } of failures.slice(0, 20))
      say(`${time} ${hostname} at ${address ?? "no address"}: ${error}`);
    return result.ok ? 0 : 4;
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function readSource(options: Invocation["options"], io: Io): Promise<MigrationSpec> {
  const { spec, certificates } = options as { readonly spec?: string; readonly certificates?: string };
  if ((spec === undefined) === (certificates === undefined)) {
    throw new InputError("rehearsal-source", "give either --spec or --certificates");
  }
  if (certificates !== undefined) {
    const { inventoryToSpec, takeInventory } = require("../../migrate") as typeof import("../../migrate");
    const made = inventoryToSpec(takeInventory([certificates], { now: io.now() }), "shop");
    if (made === undefined)
      throw new InputError("inventory-empty", `${quote(certificates)} has no certificate that can be migrated`);
    return made.spec;
  }
  const { parseMigrationDocument } = require("../../plan") as typeof import("../../plan");
  const read = parseMigrationDocument(await readTextFile(spec ?? "", "--spec"), { source: spec ?? "" });
  if ("problems" in read) throw new InputError(read.problems);
  return read.spec;
}

function wordFor(ok: boolean | undefined): string {
  return ok === undefined ? "not rehearsed" : ok ? "ok" : "FAILED";
}

/** How a gate calls this program again: as it was called itself. */
function ownCommand(): string {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""].map((word) => `"${word}"`).join(" ");
}

function readSpeed(value: string): number {
  const speed = Number(value);
  if (speed > 0 && speed <= 10_000) return speed;
  throw new InputError("speed-malformed", `--speed ${quote(value)} is not a number above 0, up to 10000`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError("json-malformed", `--faults is not JSON: ${safe((error as Error).message.slice(0, 200))}`);
  }
}
