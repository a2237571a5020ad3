import { InputError } from "../../errors";
import type { AssembledProject, ProjectFinding, ProjectInventory, ProjectProbe } from "../../inventory/project";
import { parseLocatedName } from "../../resource-names";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CommandOption, ExitCode, Invocation, Io } from "../command";
import { readCount, readDuration } from "../duration";
import { readTextFile } from "../files";
import { endpointOf } from "../options";
import { createProgress } from "../progress";
import { readProjectId } from "../source";
import { safe, toJson } from "../text";
import { type Output, readOutput, writeMigration } from "./inventory-output";
import { printProject } from "./inventory-project-tables";
import { readRehearsalRoute } from "./rehearse/route";

export const projectOptions: readonly CommandOption[] = [
  {
    flags: "--project <id>",
    description: "read what the load balancers of this Google Cloud project serve; nothing is changed",
  },
  {
    flags: "--dns-project <id>",
    description: "with --project: another project whose DNS zones are read",
    repeatable: true,
  },
  {
    flags: "--probe",
    description: "with --project: also make a TLS handshake with each external address for each known name",
  },
  {
    flags: "--adopt <proxy>",
    description:
      "with --project and --out: import this proxy, which no other Terraform configuration may manage; by default only a map is created",
    repeatable: true,
  },
  {
    flags: "--ssl-proxies",
    description:
      "with --project and --out: also migrate target SSL proxies, whose own configuration needs google 7.19 or later",
  },
  {
    flags: "--group <by>",
    description: "with --project and --out: managed certificates for each certificate of today, or for each domain",
    choices: ["certificate", "domain"],
    default: "certificate",
  },
];

/** Options that read files and servers, and have no meaning with `--project`. */
const ofOtherSources = ["host", "connect"] as const;

/**
 * Refuses options that would have no effect: project options without `--project`, and migration options without
 * `--out`.
 */
export function refuseIgnoredOptions(options: Invocation["options"]): void {
  const { project, out, dnsProject, probe, adopt, group, sslProxies, caPool } = options;
  const ofMigration = [
    ...(sslProxies === true ? ["--ssl-proxies"] : []),
    ...((adopt as readonly string[]).length > 0 ? ["--adopt"] : []),
    ...(group === "domain" ? ["--group domain"] : []),
  ];
  const ofProject = [
    ...((dnsProject as readonly string[]).length > 0 ? ["--dns-project"] : []),
    ...(probe === true ? ["--probe"] : []),
    ...ofMigration,
  ];
  if (project === undefined && ofProject.length > 0) {
    const message = `${ofProject.join(", ")} needs --project; give the id of the project`;
    throw new InputError("option-without-project", message);
  }
  const needOut = [...ofMigration, ...(caPool === undefined ? [] : ["--ca-pool"])];
  if (out === undefined && needOut.length > 0) {
    throw new InputError("option-without-out", `${needOut.join(", ")} needs --out; give the file of the migration`);
  }
  readCaPool(options);
}

/** Reads the CA pool of private names. */
export function readCaPool({ caPool }: Invocation["options"]): { readonly caPool?: string } {
  if (caPool === undefined) return {};
  const name = String(caPool);
  if (parseLocatedName(name)?.collection === "caPools" && !name.includes("/locations/global/")) return { caPool: name };
  const message = `--ca-pool ${quote(name)} is not the name of a CA pool; expected projects/PROJECT/locations/LOCATION/caPools/POOL, as 'gcloud privateca pools describe' prints it`;
  throw new InputError("ca-pool-malformed", message);
}

/** Reads a project, and prints what its load balancers serve and what blocks a migration. */
export async function runProjectInventory({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  const project = readProjectId(options.project as string, "--project");
  const dnsProjects = (options.dnsProject as readonly string[]).map((id) => readProjectId(id, "--dns-project"));
  const sources = [
    ...(given.source as readonly string[]),
    ...ofOtherSources.flatMap((name) => options[name] as string[]),
  ];
  if (sources.length > 0 || options.hosts !== undefined) {
    const message = `--project reads no files or servers, but ${quote(sources[0] ?? String(options.hosts))} is given; run the command twice`;
    throw new InputError("project-with-sources", message);
  }
  const output = await readOutput(options);
  const { assembleProject, judgeProject, readProject } =
    require("../../inventory/project") as typeof import("../../inventory/project");
  const { createRestApi, projectLister } = require("../../google") as typeof import("../../google");
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(readDuration(options.within as string, "--within"))]);
  const progress = createProgress(io, { noun: ["resource", "resources"] });
  const resources = await readProject({
    project,
    dnsProjects,
    lister: projectLister(createRestApi({ endpoint: endpointOf(options, io) })),
    signal,
    onPage: (count, what) => progress.update(count, 0, what),
  }).finally(() => progress.end());
  const assembled = assembleProject(resources);
  const probes = options.probe === true ? await probe(assembled, options, signal, io) : [];
  const inventory = finish(assembled.inventory, probes, judgeProject(assembled.inventory, probes, io.now()));
  if (options.json === true) io.stdout.write(toJson(inventory));
  else printProject(inventory, output?.path === "-" ? { ...io, stdout: io.stderr } : io);
  const isWritten = output === undefined || (await writeProjectMigration(inventory, output, options, io));
  io.stderr.write(`${safe(summaryOf(inventory))}\n`);
  return isWritten && !inventory.findings.some(({ severity }) => severity === "error") ? 0 : 4;
}

async function writeProjectMigration(
  inventory: ProjectInventory,
  output: Output,
  options: Invocation["options"],
  io: Io,
): Promise<boolean> {
  const { projectToMigration, unreadNouns, whyWithoutMigration } =
    require("../../inventory/project") as typeof import("../../inventory/project");
  const included = { sslProxies: options.sslProxies === true, ...readCaPool(options), now: io.now() };
  const made = projectToMigration(inventory, {
    name: options.name as string,
    group: options.group as "certificate" | "domain",
    adopt: options.adopt as readonly string[],
    ...included,
  });
  const comment = [
    `A certificate map for load balancers of the project ${inventory.project}. Their addresses stay, and traffic does not move.`,
    "After the apply, the configuration that owns each proxy attaches the map (output certificate_map_id):",
    '  certificate_map = "//certificatemanager.googleapis.com/${certificate_map_id}"',
  ];
  const unread = unreadNouns(inventory, "targetHttpsProxies", "forwardingRules", "sslCertificates");
  const nothing =
    unread === ""
      ? "no global target proxy serves a name that a migration in place can contain"
      : `could not be checked: ${unread} not readable`;
  if (made === undefined) {
    for (const reason of whyWithoutMigration(inventory, included)) io.stderr.write(`${safe(reason)}\n`);
  }
  return writeMigration(made, { comment, nothing }, output, io);
}

/** Returns the inventory with its fields in the order of the schema. */
function finish(
  { unread, ...read }: AssembledProject,
  probes: readonly ProjectProbe[],
  findings: readonly ProjectFinding[],
): ProjectInventory {
  return { ...read, probes, unread, findings };
}

async function probe(
  assembled: Parameters<typeof import("../../inventory/project").probeProject>[0],
  options: Invocation["options"],
  signal: AbortSignal,
  io: Io,
): Promise<readonly ProjectProbe[]> {
  const { probeProject } = require("../../inventory/project") as typeof import("../../inventory/project");
  const { createOffers, probeTls } = require("../../inventory/live") as typeof import("../../inventory/live");
  const { rootCertificates } = require("node:tls") as typeof import("node:tls");
  const timeoutMs = readDuration(options.timeout as string, "--timeout");
  const concurrency = readCount(options.concurrency as string, "--concurrency", 1_000);
  const rehearsal = await readRehearsalRoute(io);
  const roots = typeof options.ca === "string" ? [await readTextFile(options.ca, "--ca", io)] : [];
  // The offer for old clients accepts every type of key.
  const { legacy } = createOffers(roots.length === 0 ? undefined : [...rootCertificates, ...roots]);
  (require("node:events") as typeof import("node:events")).setMaxListeners(0, signal);
  const progress = createProgress(io, { noun: ["handshake", "handshakes"] });
  return probeProject(assembled, {
    probeTls: async ({ serverName, address, port }) => {
      const place = rehearsal === undefined ? { address, port } : await rehearsal.locate(address, port);
      return probeTls({ ...place, serverName, timeoutMs, secureContext: legacy, signal });
    },
    concurrency,
    onProbe: (done, total) => progress.update(done, total),
  }).finally(() => progress.end());
}

function summaryOf({ forwardingRules, proxies, certificates, zones, findings, unread }: ProjectInventory): string {
  const blockers = findings.filter(({ severity }) => severity === "error").length;
  const parts = [
    countOf(forwardingRules.length, "forwarding rule"),
    countOf(proxies.length, "proxy", "proxies"),
    countOf(certificates.length, "certificate"),
    countOf(zones.length, "zone"),
  ].join(", ");
  const incomplete = unread.length === 0 ? "" : `; ${countOf(unread.length, "list")} could not be read`;
  return `${parts}; ${countOf(blockers, "error")} and ${countOf(findings.length - blockers, "other finding")}${incomplete}`;
}
