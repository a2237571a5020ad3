import { setMaxListeners } from "node:events";
import { join, parse } from "node:path";
import { rootCertificates } from "node:tls";
import { signalWithin } from "../../async/abort";
import { mapConcurrently } from "../../async/concurrent";
import type { CountingLookUp, LookUp } from "../../dns";
import { InputError, ServiceError } from "../../errors";
import type { AssembledProject, DirectProjectMigration, RenewalObstacles } from "../../inventory/project";
import { defined } from "../../json/defined";
import type { ProjectFinding, ProjectInventory, ProjectProbe } from "../../project-inventory";
import { parseLocatedName } from "../../resource-names";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import { caPoolReader } from "../ca-pools";
import type { ExitCode, Io } from "../command";
import { type OptionValues, value, values } from "../declare";
import { wordsFor } from "../duration";
import * as load from "../load";
import { endpointOf } from "../options";
import { createProgress } from "../progress";
import type { FoundResult, ResultWriter } from "../results";
import { readRoots } from "../roots";
import { toJson, writeNote } from "../text";
import { checked, oneOf, projectId } from "../value-types";
import { type VerdictLine, verdictText, writeVerdict } from "../verdict";
import { type InventoryOutput, type OutputOptions, readOutput, writeMigration } from "./inventory-output";
import { printProject } from "./inventory-project-tables";
import { readRehearsalRoute, serviceTime } from "./rehearse/route";

export const projectOptions = {
  "--project <id>": value(
    projectId,
    "read what the load balancers of this Google Cloud project serve; nothing is changed",
  ),
  "--dns-project <id>": values("with --project: another project whose DNS zones are read"),
  "--probe": "with --project: also make a TLS handshake with each external address for each known name",
  "--adopt <proxy>": values(
    "with --project and --out: import this proxy, which no other Terraform configuration may manage; by default only a map is created",
  ),
  "--ssl-proxies":
    "with --project and --out: also migrate target SSL proxies, whose own configuration needs google 7.19 or later",
  "--group <by>": value(
    oneOf("certificate", "domain"),
    "with --project and --out: managed certificates for each certificate of today, or for each domain",
    "certificate",
  ),
} as const;

type ProjectOptions = OptionValues<typeof projectOptions> &
  OutputOptions &
  SurveyOptions & {
    /** Writes the result in a format of other tools. @default - JSON or text */
    readonly writer?: ResultWriter | undefined;
    readonly name: string | undefined;
    readonly caPool: string | undefined;
  };

/** Options of the survey of servers that a probe of a project uses as well. */
interface SurveyOptions {
  readonly endpoint: string | undefined;
  /** @default - the machine's resolvers, or the DNS server of a rehearsal */
  readonly dnsServer: string | undefined;
  /** False if nothing is read from DNS. */
  readonly dns: boolean | undefined;
  readonly ca: string | undefined;
  readonly timeout: number;
  readonly within: number;
  readonly concurrency: number;
}

/**
 * Refuses options that would have no effect: project options without `--project`, and migration options without
 * `--out`.
 */
export function refuseIgnoredOptions(options: ProjectOptions): void {
  const { project, out, dnsProject, probe, adopt, group, sslProxies, caPool } = options;
  const ofMigration = [
    ...(sslProxies ? ["--ssl-proxies"] : []),
    ...(adopt.length > 0 ? ["--adopt"] : []),
    ...(group === "domain" ? ["--group domain"] : []),
  ];
  const ofProject = [
    ...(dnsProject.length > 0 ? ["--dns-project"] : []),
    ...(probe ? ["--probe"] : []),
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
}

/** Name of a CA pool. */
export const caPoolName = checked(
  "ca-pool-malformed",
  (given) =>
    parseLocatedName(given)?.collection === "caPools" && !given.includes("/locations/global/") ? given : undefined,
  "is not the name of a CA pool; expected projects/PROJECT/locations/LOCATION/caPools/POOL, as 'gcloud privateca pools describe' prints it",
);

/**
 * Reads a project, and prints what its load balancers serve and what blocks a migration.
 *
 * @param sources files and servers of the command line, which have no meaning with `--project`
 */
export async function runProjectInventory(
  project: string,
  sources: readonly string[],
  options: ProjectOptions,
  io: Io,
): Promise<ExitCode> {
  const [first] = sources;
  if (first !== undefined) {
    const message = `--project reads no files or servers, but ${quote(first)} is given; run the command twice`;
    throw new InputError("project-with-sources", message);
  }
  const dnsProjects = options.dnsProject.map((id) => projectId.read(id, "--dns-project"));
  const output = await readOutput(options);
  const { assembleProject, judgeProject, readProjectResources } = load.inventoryProject();
  const { createRestApi, projectLister } = load.google();
  const signal = signalWithin(options.within, io.signal);
  const progress = createProgress(io, { noun: ["resource", "resources"] });
  const resources = await readProjectResources({
    project,
    dnsProjects,
    lister: projectLister(createRestApi({ endpoint: endpointOf(options, io) })),
    signal,
    onPage: (pages, what) => progress.update(pages, 0, what),
  })
    .catch((error: unknown) => {
      if (io.signal.aborted || !signal.aborted) throw error;
      const message = `reading the project ${project} was not done within ${wordsFor(options.within)}; increase --within`;
      throw new ServiceError(message, { code: "service-timeout", retryable: true });
    })
    .finally(() => progress.end());
  const assembled = assembleProject(resources);
  const probes = options.probe ? await probe(assembled, options, signal, io) : [];
  const obstacles = await readObstacles(assembled.inventory, options, signal, io);
  const inventory = finish(
    assembled.inventory,
    probes,
    judgeProject(assembled.inventory, probes, await serviceTime(io), obstacles),
  );
  if (options.writer !== undefined) options.writer.write(resultOf(inventory));
  else if (options.json) io.stdout.write(toJson(inventory));
  else printProject(inventory, output?.path === "-" ? { ...io, stdout: io.stderr } : io);
  const isWritten = output === undefined || (await writeProjectMigration(inventory, output, options, io));
  const verdict = verdictOf(inventory);
  writeVerdict(isWritten ? verdict : { ...verdict, state: "failed" }, io, "stderr");
  return isWritten && verdict.state === "done" ? 0 : 4;
}

/** Returns the result for the formats of other tools: a check for each proxy without an error. */
function resultOf(inventory: ProjectInventory): FoundResult {
  const { findings, proxies } = inventory;
  const refused = new Set(findings.filter(({ severity }) => severity === "error").map(({ subject }) => subject));
  return {
    ok: refused.size === 0,
    summary: verdictText(verdictOf(inventory)),
    checks: proxies
      .filter(({ name }) => !refused.has(name))
      .map(({ name }) => ({ name: `the proxy ${name} can be migrated`, group: name })),
    findings,
  };
}

async function writeProjectMigration(
  inventory: ProjectInventory,
  output: InventoryOutput,
  options: ProjectOptions,
  io: Io,
): Promise<boolean> {
  const { projectToDirectMigrations, projectToMigration, unreadNouns, whyWithoutMigration } = load.inventoryProject();
  const { group, adopt, sslProxies, caPool } = options;
  // A project of a domain is `example.com:project`.
  const name = options.name ?? inventory.project.replace(/^.*:/, "");
  const included = { sslProxies, ...defined({ caPool }), now: await serviceTime(io) };
  const made = projectToMigration(inventory, { name, group, adopt, ...included });
  const direct = projectToDirectMigrations(inventory, { name, group, ...included });
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
    for (const reason of whyWithoutMigration(inventory, included)) writeNote("migration-not-written", reason, io);
  }
  const isGlobalWritten = await writeMigration(made, { comment, nothing }, output, io);
  const isDirectWritten = await writeDirectMigrations(direct, inventory.project, output, io);
  return isGlobalWritten || isDirectWritten;
}

/** Writes each migration into its own file beside that of the global proxies: `migration-europe-west6.yaml`. */
async function writeDirectMigrations(
  migrations: readonly DirectProjectMigration[],
  project: string,
  { path, force }: InventoryOutput,
  io: Io,
): Promise<boolean> {
  let isWritten = false;
  for (const { place, spec, notices } of migrations) {
    if (spec === undefined) {
      for (const reason of notices) writeNote("migration-not-written", `${place}: ${reason}`, io);
    } else if (path === "-") {
      const message = `the migration of the proxies in ${place} is not part of standard output; give --out a file`;
      writeNote("migration-not-written", message, io);
    } else {
      const { dir, name, ext } = parse(path);
      const comment = [
        `Certificates for load balancers of the project ${project}, ${place}. Their addresses stay, and traffic does not move.`,
        "After the apply, the configuration that owns each proxy attaches the certificates in one change:",
        "certificate_manager_certificates in place of ssl_certificates.",
      ];
      const output = { path: join(dir, `${name}-${place}${ext}`), force };
      await writeMigration({ spec, notices }, { comment, nothing: "" }, output, io);
      isWritten = true;
    }
  }
  return isWritten;
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
  options: SurveyOptions,
  signal: AbortSignal,
  io: Io,
): Promise<readonly ProjectProbe[]> {
  const { probeProject } = load.inventoryProject();
  const { createOffers, probeTls } = load.tlsProbe();
  const { timeout: timeoutMs, concurrency } = options;
  const rehearsal = await readRehearsalRoute(io);
  const roots = await readRoots(options.ca, io);
  // The offer for old clients accepts every type of key.
  const { legacy } = createOffers(roots.length === 0 ? undefined : [...rootCertificates, ...roots]);
  setMaxListeners(0, signal);
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

/**
 * Reads from DNS and CA Service what would stop the renewal of the project's certificates. Lists that can't be read
 * become a note.
 */
async function readObstacles(
  { certificates }: AssembledProject,
  options: Pick<SurveyOptions, "endpoint" | "dns" | "dnsServer" | "concurrency" | "within">,
  signal: AbortSignal,
  io: Io,
): Promise<RenewalObstacles> {
  const asksDns = options.dns !== false;
  const parents = certificates
    .filter(({ kind, issuanceConfigId }) => kind === "managerManaged" && (asksDns || issuanceConfigId !== undefined))
    .map(({ id }) => id.slice(0, id.indexOf("/certificates/")));
  if (parents.length === 0) return new Map();
  const rehearsal = await readRehearsalRoute(io);
  const lister = load.google().resourceLister(endpointOf(options, io));
  const caPools = caPoolReader(options, io);
  const limited = signalWithin(mostObstacleMs, signal);
  setMaxListeners(0, limited);
  const ifAllowed = async <Item>(list: Promise<readonly Item[]>): Promise<readonly Item[] | undefined> => {
    try {
      return await list;
    } catch (error) {
      io.signal.throwIfAborted();
      if (limited.aborted) return undefined;
      if (!(error instanceof ServiceError)) throw error;
      writeNote(error.code, `renewals could not be checked: ${error.message}`, io);
      return undefined;
    }
  };
  const { createLookUp, whileAnswered } = load.dns();
  const withoutDns: LookUp = async () => ({ ok: false, detail: "--no-dns was given" });
  const { lookUp, counts } = whileAnswered(
    asksDns ? createLookUp(options.dnsServer ?? rehearsal?.nameServer, limited) : withoutDns,
  );
  const obstaclesOf = load.renewal().createObstacleReader({
    lookUp,
    authorizationsIn: async (parent) => (await ifAllowed(lister.authorizations(parent, limited))) ?? [],
    authoritiesOf: (pool) => ifAllowed(caPools.authorities(pool, limited)),
  });
  const found = new Map<string, Awaited<ReturnType<typeof obstaclesOf>>>();
  for (const parent of new Set(parents)) {
    const live = await ifAllowed(lister.certificates(parent, limited));
    await mapConcurrently(live ?? [], options.concurrency, async (certificate) => {
      found.set(certificate.name, await obstaclesOf(certificate));
    });
  }
  io.signal.throwIfAborted();
  reportUnanswered(counts(), io);
  if (limited.aborted) {
    const [limitMs, remedy] = signal.aborted
      ? [options.within, "increase --within"]
      : [mostObstacleMs, "use a faster --dns-server"];
    const message = `not every renewal could be checked within ${wordsFor(limitMs)}; ${remedy}, or leave them out with --no-dns`;
    writeNote("service-timeout", message, io);
  }
  return found;
}

/** Notes that renewals are unchecked, also after a single question without an answer: no finding reports them. */
function reportUnanswered({ asked, unanswered }: ReturnType<CountingLookUp["counts"]>, io: Io): void {
  if (unanswered === 0) return;
  const message =
    unanswered === asked
      ? "renewals could not be checked: no DNS server answers; use --dns-server, or --no-dns"
      : `not every renewal could be checked: ${unanswered} of ${countOf(asked, "DNS look-up")} got no answer; use another --dns-server, or leave them out with --no-dns`;
  writeNote("resolver-unreachable", message, io);
}

/** Limit for what would stop renewals: the rest of an inventory is worth printing without it. */
const mostObstacleMs = 3 * 60_000;

function verdictOf({ forwardingRules, proxies, certificates, zones, findings, unread }: ProjectInventory): VerdictLine {
  const blockers = findings.filter(({ severity }) => severity === "error").length;
  const parts = [
    countOf(forwardingRules.length, "forwarding rule"),
    countOf(proxies.length, "proxy", "proxies"),
    countOf(certificates.length, "certificate"),
    countOf(zones.length, "zone"),
  ].join(", ");
  const incomplete = unread.length === 0 ? "" : `; ${countOf(unread.length, "list")} could not be read`;
  return {
    state: blockers === 0 ? "done" : "failed",
    headline: parts,
    rest: `; ${countOf(blockers, "error")} and ${countOf(findings.length - blockers, "other finding")}${incomplete}`,
  };
}
