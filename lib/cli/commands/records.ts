import type { LookUp } from "../../dns";
import type { ChallengeRecord, RecordCheck, Records } from "../../live/records";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readCount } from "../duration";
import { dnsServerOption, endpointOf, endpointOption, jsonOption } from "../options";
import { createProgress } from "../progress";
import { readSource, sourceOptions } from "../source";
import { paintFor } from "../style";
import { formatTable, jsonDocument, safe } from "../text";

export const recordsCommand: CommandDetails = {
  description:
    "Shows the CNAME of each DNS authorization: as a table of full names, with names relative to their zones as registrars need them, or as a zone file. If the source does not contain the authorizations, the command reads them from Certificate Manager. With --check it looks the records up in DNS and reports missing, wrong and conflicting records, with a remedy and a command line where possible. The command changes nothing.",
  options: [
    ...sourceOptions,
    {
      flags: "--format <form>",
      description: "table, names relative to their zones, or a zone file for BIND",
      choices: ["table", "relative", "bind"],
      default: "table",
    },
    { flags: "--ttl <seconds>", description: "time to live in the zone file", default: "300" },
    { flags: "--by-hand", description: "only records that Terraform does not create" },
    { flags: "--check", description: "check in DNS which records are published" },
    dnsServerOption,
    endpointOption,
    jsonOption,
  ],
  examples: [
    { command: "terraform output -json | cert-migration records --outputs -", what: "the records to publish" },
    { command: "cert-migration records --outputs outputs.json --format bind", what: "a zone file" },
    {
      command: "cert-migration records --spec migration.yaml --project my-project --check",
      what: "the records that are not published yet",
    },
  ],
  exitCodes: { 4: "a record is not known yet; with --check: a record is not published correctly" },
  run: runRecords,
};

async function runRecords(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { checkRecords } = require("../../live/records") as typeof import("../../live/records");
  const { createLookUp } = require("../../dns") as typeof import("../../dns");
  const { options } = invocation;
  const ttlSeconds = readCount(options.ttl as string, "--ttl", 86_400);
  const lookUp = options.check === true ? createLookUp(options.dnsServer as string | undefined, io.signal) : undefined;
  const { records: all, unknown } = await readRecords(invocation, io);
  const records = options.byHand === true ? all.filter(({ published }) => published === "external") : all;
  for (const domain of unknown) {
    io.stderr.write(`${safe(domain)}: its authorization is not made yet; apply first, then ask again\n`);
  }
  if (lookUp === undefined) {
    printRecords(records, unknown, options, ttlSeconds, io);
    return unknown.length === 0 ? 0 : 4;
  }
  const progress = createProgress(io, { noun: ["record", "records"] });
  const known: RecordCheck[] = [];
  try {
    const checks = await checkRecords(records, untilStopped(lookUp, io.signal), undefined, (check) => {
      known.push(check);
      const bad = known.filter(({ verdict }) => verdict !== "published").length;
      progress.update(known.length, records.length, bad === 0 ? undefined : `${bad} not as they should be`);
    });
    progress.end();
    printChecks(checks, unknown, options.json === true, io);
    return unknown.length === 0 && checks.every(({ verdict }) => verdict === "published") ? 0 : 4;
  } catch (error) {
    progress.end();
    if (io.signal.aborted && known.length > 0) {
      printChecks(known, unknown, options.json === true, io);
      io.stderr.write(`${records.length - known.length} of ${countOf(records.length, "record")} not looked at\n`);
    }
    throw error;
  }
}

function untilStopped(lookUp: LookUp, signal: AbortSignal): LookUp {
  const { orAborted } = require("../../async/abort") as typeof import("../../async/abort");
  return (name, type) => orAborted(lookUp(name, type), signal);
}

async function readRecords(invocation: Invocation, io: Io): Promise<Records> {
  const { authorizationParents, gatherRecords, needsAuthorizations } =
    require("../../live/records") as typeof import("../../live/records");
  const { migrations } = await readSource(invocation, io);
  if (!needsAuthorizations(migrations)) return gatherRecords(migrations);
  const parents = authorizationParents(migrations);
  const { resourceLister } = require("../../google") as typeof import("../../google");
  const lister = resourceLister(endpointOf(invocation.options, io));
  const live = [];
  for (const parent of parents) live.push(...(await lister.authorizations(parent, io.signal)));
  return gatherRecords(migrations, live);
}

function printRecords(
  records: readonly ChallengeRecord[],
  unknown: readonly string[],
  { json, format }: Invocation["options"],
  ttlSeconds: number,
  io: Io,
): void {
  const { zoneFile } = require("../../live/records") as typeof import("../../live/records");
  if (json === true) io.stdout.write(jsonDocument({ records, unknown }));
  else if (format === "bind") io.stdout.write(zoneFile(records, ttlSeconds));
  else if (records.length === 0) io.stderr.write("no records\n");
  else {
    const relative = format === "relative";
    const head = relative ? ["zone", "name", "type", "data", "by"] : ["name", "type", "data", "by"];
    const rows = records.map(({ zone, name, relativeName, type, data, published }) => [
      ...(relative ? [zone, relativeName] : [name]),
      type,
      data,
      published === "external" ? "manually" : "Terraform",
    ]);
    io.stdout.write(formatTable(head, rows));
  }
}

function printChecks(checks: readonly RecordCheck[], unknown: readonly string[], json: boolean, io: Io): void {
  if (json) {
    const described = checks.map(({ record, ...rest }) => ({ ...record, ...rest }));
    io.stdout.write(jsonDocument({ records: described, unknown }));
  } else if (checks.length > 0) {
    const paint = paintFor(io, "stdout");
    const rows = checks.map(({ record, verdict, found }) => [record.name, verdict, found.join(", ") || "-"]);
    const paintState = (cell: string, column: number, row: number) =>
      column === 1 ? paint(toneOf(checks[row]), cell) : cell;
    io.stdout.write(formatTable(["name", "state", "found"], rows, paintState));
    for (const { record, fix, commands } of checks) {
      if (fix === undefined) continue;
      io.stdout.write(`\n${safe(record.domain)}: ${safe(fix)}\n`);
      for (const command of commands) io.stdout.write(`  $ ${safe(command)}\n`);
    }
  }
  const good = checks.filter(({ verdict }) => verdict === "published").length;
  if (io.quiet !== true) io.stderr.write(`${good} of ${countOf(checks.length + unknown.length, "record")} published\n`);
}

function toneOf(check: RecordCheck | undefined): "good" | "bad" | "pending" {
  const { recordCodes } = require("../../live/records") as typeof import("../../live/records");
  if (check === undefined || check.verdict === "published") return "good";
  return recordCodes[check.verdict].severity === "error" ? "bad" : "pending";
}
