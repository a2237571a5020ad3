import type { Severity } from "../../findings/codes";
import type { DoctorFinding, DoctorReport, NameServerAddress } from "../../live/doctor";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readTextFile } from "../files";
import { endpointOf, endpointOption, jsonOption } from "../options";
import { createProgress } from "../progress";
import { readProject, readSource, sourceOptions } from "../source";
import { folderFor, paintFor } from "../style";
import { jsonDocument, safe } from "../text";

export const doctorCommand: CommandDetails = {
  description:
    "Checks what a migration depends on before it starts: billing, APIs, permissions, quotas, zones and their delegation, records that conflict with DNS authorizations, CAA, addresses and TTLs of the hostnames, target proxies and the certificates that they present today. Each finding has a code, the problem, its effect and a remedy, with a command line to copy. The command changes nothing, and lists the checks for which it has no permission.",
  options: [
    ...sourceOptions,
    { flags: "--inventory <file>", description: "the previous certificates: output of 'inventory --json'" },
    {
      flags: "--dns-server <host:port>",
      description:
        "resolver to query; default: the system's resolver. A resolver on a port other than 53 replaces all name servers",
    },
    {
      flags: "--resolver <host:port>",
      description: "another resolver; its answers for each hostname must be the same",
      repeatable: true,
    },
    endpointOption,
    jsonOption,
  ],
  examples: [
    { command: "cert-migration doctor --spec migration.yaml --project my-project", what: "before the first apply" },
    {
      command: "cert-migration doctor --spec migration.yaml --inventory inventory.json --resolver 8.8.8.8",
      what: "with the previous certificates, and another resolver",
    },
  ],
  exitCodes: {
    3: "no check could run: neither Google Cloud nor DNS answered, or the credentials are not accepted",
    4: "a finding is an error, or the run was interrupted",
  },
  run: runDoctor,
};

async function runDoctor(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { createDnsView, examine, hasNoAnswers, machineResolvers, readInventory, readNameServer } =
    require("../../live/doctor") as typeof import("../../live/doctor");
  const {
    createRestApi,
    listRecordSets,
    listZones,
    loadBalancerReader,
    privateCaReader,
    projectReader,
    resourceLister,
  } = require("../../google") as typeof import("../../google");
  const { randomBytes } = require("node:crypto") as typeof import("node:crypto");
  const { options } = invocation;
  const server = options.dnsServer as string | undefined;
  const resolver = server === undefined ? undefined : readNameServer(server, "--dns-server");
  const resolvers = (options.resolver as readonly string[]).map((text) => readNameServer(text, "--resolver"));
  const inventory = options.inventory as string | undefined;
  const old = inventory === undefined ? [] : readInventory(await readTextFile(inventory, "--inventory", io), inventory);
  const { kind, migrations, plan, stack } = await readSource(invocation, io);
  const endpoint = endpointOf(options, io);
  const resources = resourceLister(endpoint);
  const api = createRestApi({ endpoint });
  const quiet = io.quiet === true || options.json === true;
  const progress = createProgress({ ...io, quiet }, { noun: ["check", "checks"] });
  progress.show("reading DNS and Google Cloud");
  const report = await examine(migrations, {
    google: {
      projects: projectReader(api),
      balancers: loadBalancerReader(api),
      resources,
      privateCas: privateCaReader(api),
      zones: (project, signal) => listZones(api, project, signal),
      recordSets: (project, record, signal) => listRecordSets(api, project, record, signal),
    },
    dns: createDnsView({
      resolvers: resolver === undefined ? machineResolvers() : [resolver],
      nameServerPort: standsForAll(resolver) ? "none" : 53,
      signal: io.signal,
    }),
    plan,
    stack,
    isFromOutputs: kind === "outputs",
    project: readProject(options, io),
    resolver,
    resolvers,
    old,
    now: io.now(),
    signal: io.signal,
    unusedLabel: `cert-migration-${randomBytes(6).toString("hex")}`,
    onCheck: (done, total) => progress.update(done, total),
  }).finally(() => progress.end());
  if (options.json === true) io.stdout.write(jsonDocument({ ...report }));
  else printFindings(report.findings, io);
  io.stderr.write(`${safe(summaryOf(report))}\n`);
  if (hasNoAnswers(report)) {
    io.stderr.write("no check could run: nothing is known of the migration's surroundings\n");
    return 3;
  }
  return report.stopped || report.findings.some(({ severity }) => severity === "error") ? 4 : 0;
}

/**
 * Returns whether the name server answers for all names. DNS cannot delegate to a port other than 53. A server on
 * another port, such as the name server of a rehearsal, is therefore the only one.
 */
function standsForAll(resolver: NameServerAddress | undefined): boolean {
  return resolver !== undefined && resolver.port !== 53;
}

const headings = [
  ["error", "Errors", "bad"],
  ["warning", "Warnings", "pending"],
  ["info", "To know", "faint"],
] as const;

function printFindings(findings: readonly DoctorFinding[], io: Io): void {
  const paint = paintFor(io, "stdout");
  const fold = folderFor(io, "stdout");
  for (const [severity, heading, tone] of headings) {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) continue;
    io.stdout.write(`${paint(tone, `${heading} (${own.length})`)}\n`);
    for (const { code, subject, message, meaning = "", remedy, command } of own) {
      const lines = [
        safe(`  ${code}: ${subject}`),
        ...[`    what    ${message}`, `    why     ${meaning}`, `    remedy  ${remedy}`].map((line) =>
          fold(safe(line), 12),
        ),
        ...(command === undefined ? [] : [safe(`    run     ${command}`)]),
      ];
      io.stdout.write(`${lines.join("\n")}\n\n`);
    }
  }
}

function summaryOf({ findings, checks, stopped }: DoctorReport): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const unknown = checks.filter(({ outcome }) => outcome === "unknown").length;
  const parts = [
    `${countOf(count("error"), "error")}, ${countOf(count("warning"), "warning")}, ${count("info")} to know`,
    `${countOf(checks.length, "check")}${unknown > 0 ? `, ${unknown} of them incomplete (--json has the reason)` : ""}`,
  ];
  return `${stopped ? "stopped before the end: " : ""}${parts.join("; ")}`;
}
