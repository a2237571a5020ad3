import type { LookUp } from "../../dns";
import { InputError } from "../../errors";
import type { ChallengeRecord, RecordCheck, Records } from "../../live/records";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { defineCommand, value } from "../declare";
import * as load from "../load";
import { dnsServerOption, endpointOf, endpointOption, jsonOption } from "../options";
import { createProgress } from "../progress";
import { filesOfSource } from "../result-files";
import { type FoundResult, formWords, resultFormOf, resultForms, resultWriter } from "../results";
import { readSource, type SourceOptions, sourceOptions } from "../source";
import { commandText, writeLine, writeNote } from "../text";
import { writeTable } from "../text-table";
import { count, oneOf } from "../value-types";
import { writeVerdict } from "../verdict";

/** Formats of the records themselves. */
const recordForms = [
  "table",
  "relative",
  "bind",
  "cloudflare",
  "dnscontrol",
  "octodns",
  "route53",
  "terraform",
] as const;

export const command = defineCommand({
  description:
    "Shows the CNAME of each DNS authorization: as a table of full names, with names relative to their zones as registrars need them, or in a format that a DNS host or a tool imports. If the source does not contain the authorizations, the command reads them from Certificate Manager. With --check it looks the records up in DNS and reports missing, wrong and conflicting records, with a remedy and a command line where possible. The command changes nothing.",
  options: {
    ...sourceOptions,
    "--format <form>": value(
      oneOf(...recordForms, "json", ...resultForms),
      `table; names relative to their zones; a zone file for BIND, or with the comments of Cloudflare; D_EXTEND of DNSControl; a zone of octoDNS in YAML; a change batch of Route 53; local values for Terraform; JSON; with --check also ${formWords}`,
      "table",
    ),
    "--zone <domain>": "only records of this zone; cloudflare, octodns and route53 have a file for each zone",
    "--ttl <seconds>": value(count(86_400), "time to live of the records, except in tables", "300"),
    "--by-hand": "only records that Terraform does not create",
    "--check": "check in DNS which records are published",
    ...dnsServerOption,
    ...endpointOption,
    ...jsonOption,
  },
  json: "records, unknown",
  examples: {
    "terraform output -json | cert-migration records --outputs -": "the records to publish",
    "cert-migration records --outputs outputs.json --format bind": "a zone file",
    "cert-migration records --outputs outputs.json --format route53 --zone example.com":
      "a change batch for 'aws route53 change-resource-record-sets'",
    "cert-migration records --spec migration.yaml --project my-project --check":
      "the records that are not published yet",
  },
  exitCodes: { 4: "a record is not known yet; with --check: a record is not published correctly" },
  run: async ({ options, given, json }, io) => {
    const form = resultFormOf(options, given);
    const writer = resultWriter(form, "records", () => filesOfSource(options, io), io);
    if (writer !== undefined && !options.check) {
      throw new InputError("format-without-check", `--format ${form} is a result of --check; add --check`);
    }
    const lookUp = options.check ? load.dns().createLookUp(options.dnsServer, io.signal) : undefined;
    const work = async () => {
      const { records, unknown } = await readWanted(options, io);
      if (lookUp !== undefined) {
        const print = (checks: readonly RecordCheck[]) => {
          const result = resultOf(checks, unknown);
          if (writer !== undefined) writer.write(result);
          else if (form === "json") {
            io.stdout.write(json({ records: checks.map(({ record, ...rest }) => ({ ...record, ...rest })), unknown }));
          } else printChecks(checks, io);
          const state = result.ok ? "done" : "failed";
          if (io.quiet !== true) writeVerdict({ state, headline: result.summary }, io, "stderr");
        };
        const checks = await checkAll(records, untilStopped(lookUp, io.signal), print, io);
        return resultOf(checks, unknown).ok ? 0 : 4;
      }
      const textForm = recordForms.find((candidate) => candidate === form);
      if (textForm === undefined) io.stdout.write(json({ records, unknown }));
      else if (textForm === "table" || textForm === "relative") printRecords(records, textForm, io);
      else io.stdout.write(load.records().formatRecords(textForm, records, options.ttl));
      return unknown.length === 0 ? 0 : 4;
    };
    return writer === undefined ? work() : writer.reporting(work);
  },
});

type RecordOptions = SourceOptions & {
  readonly endpoint?: string | undefined;
  readonly byHand: boolean;
  readonly zone: string | undefined;
};

/** Reads the records that the options choose, and reports the domains whose records are not known yet. */
async function readWanted(options: RecordOptions, io: Io): Promise<Records> {
  const { records: all, unknown } = await readRecords(options, io);
  const wanted = options.byHand ? all.filter(({ published }) => published === "external") : all;
  const records = inZone(wanted, options.zone);
  for (const domain of unknown) writeNote("authorization-not-made", `${domain}: ${notMade}`, io);
  return { records, unknown };
}

const notMade = "its authorization is not made yet; apply first, then ask again";

/** Returns the checks for the formats of other tools: a record that is not published fails the command. */
function resultOf(checks: readonly RecordCheck[], unknown: readonly string[]): FoundResult {
  const { recordCodes } = load.records();
  const good = checks.filter(isPublished).length;
  const missing = unknown.map((domain) => ({ domain, code: "authorization-not-made", message: notMade, remedy: "" }));
  const failed = checks.flatMap(({ record, verdict, found, fix = "" }) => {
    if (verdict === "published") return [];
    const { meaning } = recordCodes[verdict];
    const message = found.length === 0 ? meaning : `${meaning} (found: ${found.join(", ")})`;
    return [{ domain: record.domain, code: verdict, message, remedy: fix }];
  });
  return {
    ok: good === checks.length && unknown.length === 0,
    summary: `${good} of ${countOf(checks.length + unknown.length, "record")} published`,
    checks: [
      ...checks.filter(isPublished).map(({ record: { domain } }) => ({ name: recordOf(domain), group: domain })),
      ...[...failed, ...missing].map(({ domain, ...failure }) => ({
        name: recordOf(domain),
        group: domain,
        failure: { ...failure, severity: "error" as const, subject: domain, hostnames: [domain] },
      })),
    ],
    findings: [],
  };
}

function recordOf(domain: string): string {
  return `the CNAME of ${domain} is published`;
}

/**
 * Returns the records of a zone, or all records without a zone.
 *
 * @throws InputError `zone-without-records`
 */
function inZone(records: readonly ChallengeRecord[], zone: string | undefined): readonly ChallengeRecord[] {
  if (zone === undefined) return records;
  const wanted = zone.toLowerCase().replace(/\.$/, "");
  const found = records.filter((record) => record.zone === wanted);
  if (found.length > 0) return found;
  const zones = [...new Set(records.map((record) => record.zone))];
  const known = zones.length === 0 ? "there are no records" : `zones with records: ${zones.join(", ")}`;
  throw new InputError("zone-without-records", `--zone: ${quote(zone)} has no record of the migration; ${known}`);
}

function isPublished({ verdict }: RecordCheck): boolean {
  return verdict === "published";
}

/** Looks all records up, and prints the checks; after a stop, those so far. */
async function checkAll(
  records: readonly ChallengeRecord[],
  lookUp: LookUp,
  print: (checks: readonly RecordCheck[]) => void,
  io: Io,
): Promise<readonly RecordCheck[]> {
  const progress = createProgress(io, { noun: ["record", "records"] });
  const known: RecordCheck[] = [];
  try {
    const checks = await load.records().checkRecords(records, lookUp, undefined, (check) => {
      known.push(check);
      const bad = known.filter((found) => !isPublished(found)).length;
      progress.update(known.length, records.length, bad === 0 ? undefined : `${bad} not as they should be`);
    });
    progress.end();
    print(checks);
    return checks;
  } catch (error) {
    progress.end();
    if (io.signal.aborted && known.length > 0) {
      print(known);
      io.stderr.write(`${records.length - known.length} of ${countOf(records.length, "record")} not looked at\n`);
    }
    throw error;
  }
}

function untilStopped(lookUp: LookUp, signal: AbortSignal): LookUp {
  const { orAborted } = load.abort();
  return (name, type) => orAborted(lookUp(name, type), signal);
}

async function readRecords(
  options: SourceOptions & { readonly endpoint?: string | undefined },
  io: Io,
): Promise<Records> {
  const { authorizationParents, gatherRecords, needsAuthorizations } = load.records();
  const { migrations } = await readSource(options, io);
  if (!needsAuthorizations(migrations)) return gatherRecords(migrations);
  const parents = authorizationParents(migrations);
  const { resourceLister } = load.google();
  const lister = resourceLister(endpointOf(options, io));
  const live = [];
  for (const parent of parents) live.push(...(await lister.authorizations(parent, io.signal)));
  return gatherRecords(migrations, live);
}

function printRecords(records: readonly ChallengeRecord[], form: "table" | "relative", io: Io): void {
  if (records.length === 0) {
    io.stderr.write("no records\n");
    return;
  }
  const isRelative = form === "relative";
  const head = isRelative ? ["zone", "name", "type", "data", "by"] : ["name", "type", "data", "by"];
  const rows = records.map(({ zone, name, relativeName, type, data, published }) => [
    ...(isRelative ? [zone, relativeName] : [name]),
    type,
    data,
    published === "external" ? "manually" : "Terraform",
  ]);
  writeTable(head, rows, io);
}

function printChecks(checks: readonly RecordCheck[], io: Io): void {
  if (checks.length === 0) return;
  const rows = checks.map(({ record, verdict, found }) => [record.name, verdict, found.join(", ") || "-"]);
  writeTable(["name", "state", "found"], rows, io, (column, row) => (column === 1 ? toneOf(checks[row]) : undefined));
  for (const { record, fix, commands } of checks) {
    if (fix === undefined) continue;
    io.stdout.write("\n");
    writeLine(`${record.domain}: ${fix}`, io, "stdout");
    for (const line of commands) io.stdout.write(commandText("  $ ", line, io));
  }
}

function toneOf(check: RecordCheck | undefined): "good" | "bad" | "pending" {
  const { recordCodes } = load.records();
  if (check === undefined || check.verdict === "published") return "good";
  return recordCodes[check.verdict].severity === "error" ? "bad" : "pending";
}
