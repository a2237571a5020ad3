import { randomBytes } from "node:crypto";
import type { Severity } from "../../findings/codes";
import type { DoctorFinding, DoctorGoogle, DoctorReport, NameServerAddress } from "../../live/doctor";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import { defineCommand, type OptionValues, value, values } from "../declare";
import { readTextFile } from "../files";
import * as load from "../load";
import { endpointOf, endpointOption } from "../options";
import { createProgress } from "../progress";
import { filesOfSource } from "../result-files";
import { type FoundResult, formatOptions, resultFormOf, resultWriter } from "../results";
import { readProject, readSource, sourceOptions } from "../source";
import { folderFor, paintFor, severityTones } from "../style";
import { commandText, safe, writeNote } from "../text";
import { nameServer } from "../value-types";
import { type VerdictLine, verdictText, writeVerdict } from "../verdict";
import { serviceTime } from "./rehearse/route";

const doctorOptions = {
  ...sourceOptions,
  "--inventory <file>": "the previous certificates: output of 'inventory --json'",
  "--dns-server <host:port>": value(
    nameServer,
    "resolver to query; default: the system's resolver. A resolver on a port other than 53 replaces all name servers",
  ),
  "--resolver <host:port>": values("another resolver; its answers for each hostname must be the same", nameServer),
  ...endpointOption,
  ...formatOptions,
};

export const command = defineCommand({
  description:
    "Checks what a migration depends on before it starts: billing, APIs, permissions, quotas, zones and their delegation, records that conflict with DNS authorizations, CAA, addresses and TTLs of the hostnames, target proxies and the certificates that they present today. Each finding has a code, the problem, its effect and a remedy, with a command line to copy. The command changes nothing, and lists the checks for which it has no permission.",
  options: doctorOptions,
  json: "findings, checks, stopped",
  examples: {
    "cert-migration doctor --spec migration.yaml --project my-project": "before the first apply",
    "cert-migration doctor --spec migration.yaml --inventory inventory.json --resolver 8.8.8.8":
      "with the previous certificates, and another resolver",
  },
  exitCodes: {
    3: "no check could run: neither Google Cloud nor DNS answered, or the credentials are not accepted",
    4: "a finding is an error, or the run was interrupted",
  },
  run: async ({ options, given, json }, io) => {
    const form = resultFormOf(options, given);
    const writer = resultWriter(form, "doctor", () => filesOfSource(options, io), io);
    const examine = () =>
      examineMigration(options, form === "text" ? io : { ...io, quiet: true }, (report) => {
        if (writer !== undefined) writer.write(resultOf(report));
        else if (form === "json") io.stdout.write(json(report));
        else printFindings(report.findings, io);
        writeVerdict(verdictOf(report), io, "stderr");
      });
    return writer === undefined ? examine() : writer.reporting(examine);
  },
});

async function examineMigration(
  options: OptionValues<typeof doctorOptions>,
  io: Io,
  print: (report: DoctorReport) => void,
): Promise<ExitCode> {
  const { inventory } = options;
  const previousCertificates =
    inventory === undefined
      ? []
      : load.doctor().readInventory(await readTextFile(inventory, "--inventory", io), inventory);
  const { kind, migrations, plan, stack } = await readSource(options, io);
  const now = await serviceTime(io);
  const progress = createProgress(io, { noun: ["check", "checks"] });
  progress.show("reading DNS and Google Cloud");
  const { dnsServer: resolver, resolver: resolvers } = options;
  const report = await load
    .doctor()
    .examine(migrations, {
      google: googleReaders(endpointOf(options, io)),
      dns: dnsView(resolver, io.signal),
      source: { plan, stack, isFromOutputs: kind === "outputs", project: readProject(options, io) },
      lookUps: { resolver, resolvers, unusedLabel: `cert-migration-${randomBytes(6).toString("hex")}` },
      previousCertificates,
      now,
      signal: io.signal,
      run: { onCheck: (done, total) => progress.update(done, total) },
    })
    .finally(() => progress.end());
  print(report);
  if (load.doctor().hasNoAnswers(report)) {
    writeNote("no-answers", "no check could run: nothing is known of the migration's surroundings", io);
    return 3;
  }
  return isSound(report) ? 0 : 4;
}

function isSound({ stopped, findings }: DoctorReport): boolean {
  return !stopped && findings.every(({ severity }) => severity !== "error");
}

/** Returns the report for the formats of other tools. What could not be checked fails no check. */
function resultOf(report: DoctorReport): FoundResult {
  const checks = report.checks
    .filter(({ outcome }) => outcome === "passed")
    .map(({ check, subject }) => ({ name: `${check}: ${subject}`, group: check }));
  return { ok: isSound(report), summary: verdictText(verdictOf(report)), checks, findings: report.findings };
}

function googleReaders(endpoint: string | undefined): DoctorGoogle {
  const {
    createRestApi,
    listRecordSets,
    listZones,
    loadBalancerReader,
    privateCaReader,
    projectReader,
    resourceLister,
  } = load.google();
  const resources = resourceLister(endpoint);
  const api = createRestApi({ endpoint });
  return {
    projects: projectReader(api),
    balancers: loadBalancerReader(api),
    resources,
    privateCas: privateCaReader(api),
    zones: (project, signal) => listZones(api, project, signal),
    recordSets: (project, record, signal) => listRecordSets(api, project, record, signal),
  };
}

function dnsView(resolver: NameServerAddress | undefined, signal: AbortSignal) {
  const { createDnsView, machineResolvers } = load.doctor();
  return createDnsView({
    resolvers: resolver === undefined ? machineResolvers() : [resolver],
    nameServerPort: standsForAll(resolver) ? "none" : 53,
    signal,
  });
}

/**
 * Returns whether the name server answers for all names. DNS cannot delegate to a port other than 53. A server on
 * another port, such as the name server of a rehearsal, is therefore the only one.
 */
function standsForAll(resolver: NameServerAddress | undefined): boolean {
  return resolver !== undefined && resolver.port !== 53;
}

const headings = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["info", "Notes"],
] as const;

function printFindings(findings: readonly DoctorFinding[], io: Io): void {
  const paint = paintFor(io, "stdout");
  const fold = folderFor(io, "stdout");
  for (const [severity, heading] of headings) {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    if (ofSeverity.length === 0) continue;
    io.stdout.write(`${paint(severityTones[severity], `${heading} (${ofSeverity.length})`)}\n`);
    for (const { code, subject, message, meaning = "", remedy, command } of ofSeverity) {
      const lines = [
        fold(safe(`  ${subject} [${code}]`), 2),
        ...[`    what    ${message}`, `    why     ${meaning}`, `    remedy  ${remedy}`].map((line) =>
          fold(safe(line), 12),
        ),
      ];
      const run = command === undefined ? "" : commandText("    run     ", command, io);
      io.stdout.write(`${lines.join("\n")}\n${run}\n`);
    }
  }
}

function verdictOf(report: DoctorReport): VerdictLine {
  const { findings, checks, stopped } = report;
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const unknown = checks.filter(({ outcome }) => outcome === "unknown").length;
  const counts = `${countOf(count("error"), "error")}, ${countOf(count("warning"), "warning")}, ${countOf(count("info"), "note")}`;
  const without = unknown > 0 ? `, ${unknown} without a result (--json has the reasons)` : "";
  const rest = `; ${countOf(checks.length, "check")}${without}`;
  if (stopped) return { state: "stopped", headline: "stopped before the end", rest: `: ${counts}${rest}` };
  const state = load.doctor().hasNoAnswers(report) ? "unknown" : isSound(report) ? "done" : "failed";
  return { state, headline: counts, rest };
}
