import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { InputError, type Problem } from "../../errors";
import type { Inventory, SpecFromInventory } from "../../inventory";
import type { HostTarget } from "../../inventory/live";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readCount, readDuration } from "../duration";
import { readTextFile } from "../files";
import { caOption, concurrencyOption, endpointOption, forceOption } from "../options";
import { createProgress } from "../progress";
import { readInput } from "../standard-input";
import { jsonDocument, safe } from "../text";
import { type Output, printInventory, readOutput, writeMigration } from "./inventory-output";
import { projectOptions, readCaPool, refuseIgnoredOptions, runProjectInventory } from "./inventory-project";

export const inventoryCommand: CommandDetails = {
  description:
    "Reads certificates from files and folders (PEM, DER, PKCS#7, PKCS#12; recognized by content) and from servers. For each address of a host, it makes TLS handshakes for ECDSA and RSA, without checking the chain, and a handshake without SNI. It reports the names of each certificate, obstacles to its replacement, how it is served, and the DNS records of the names. With --out it writes the migration that replaces the certificates, for the constructs and every other command. It sends only handshakes and DNS queries. With --project it reads instead what the load balancers of a Google Cloud project serve: forwarding rules, target proxies, certificates, certificate maps and DNS zones.",
  arguments: [
    {
      name: "source",
      description: "certificate files, folders (read recursively), or servers as host[:port]",
      takes: "any number",
      completes: "file",
    },
  ],
  options: [
    ...projectOptions,
    endpointOption,
    { flags: "--host <host>", description: "a server as host[:port]", repeatable: true },
    {
      flags: "--hosts <file>",
      description: "a file with one server per line, - for standard input; # begins a comment",
    },
    {
      flags: "--connect <ip>",
      description: "connect to this address instead of the addresses in DNS",
      repeatable: true,
    },
    {
      flags: "--dns-server <address>",
      description: "use this DNS server instead of the system's resolver, for example 127.0.0.1:53",
    },
    { flags: "--dns", description: "also look up the names in DNS if only files are read" },
    { flags: "--no-dns", description: "do not look up the names in DNS; with --connect, DNS is not used at all" },
    caOption,
    { flags: "--timeout <time>", description: "timeout of one handshake", default: "10s" },
    { flags: "--within <time>", description: "timeout of the whole command", default: "10m" },
    concurrencyOption,
    { flags: "--json", description: "print the inventory as JSON" },
    {
      flags: "--out <file>",
      description:
        "write the migration as YAML to this file; - for standard output (the inventory then goes to standard error)",
    },
    {
      flags: "--ca-pool <pool>",
      description:
        "with --out: projects/PROJECT/locations/LOCATION/caPools/POOL, which issues certificates for names that no public CA certifies; default: these names are left out",
    },
    { flags: "--name <name>", description: "name of the migration in --out", default: "migration" },
    forceOption,
    { flags: "--password-file <file>", description: "a file with one PKCS#12 password per line" },
  ],
  examples: [
    { command: "cert-migration inventory certificates/", what: "the certificates in a folder" },
    {
      command: "cert-migration inventory certificates/ --out migration.yaml",
      what: "write the migration of these certificates",
    },
    {
      command: "cert-migration inventory shop.example.com pay.example.com:8443",
      what: "the certificates that servers present",
    },
    {
      command: "cert-migration inventory --hosts hosts.txt --out migration.yaml",
      what: "write the migration of live servers",
    },
    {
      command:
        "cert-migration inventory certificates/ --out migration.yaml --ca-pool projects/my-project/locations/europe-west6/caPools/internal",
      what: "names such as status.corp.internal from a private CA",
    },
    {
      command: "cert-migration inventory shop.example.com --connect 203.0.113.7",
      what: "the certificates that another server presents for a hostname",
    },
    {
      command: "cert-migration inventory store.p12 --password-file password.txt --json",
      what: "JSON output for scripts",
    },
    {
      command: "cert-migration inventory --project my-project --out migration.yaml",
      what: "a migration that attaches a certificate map to the proxies of a project",
    },
    {
      command: "cert-migration inventory --project my-project --dns-project my-dns-project",
      what: "what the load balancers of a project serve, and what blocks a migration",
    },
  ],
  exitCodes: {
    4: "no certificate was found, a file could not be read, a finding is an error (for example, an expired certificate), or --project has nothing to write to --out; everything else is reported",
  },
  run: runInventory,
};

// Files and servers have separate index modules: loading the modules for servers takes as long as reading 200 files.
async function runInventory({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  refuseIgnoredOptions(options);
  if (options.project !== undefined) return runProjectInventory({ arguments: given, options }, io);
  const { inventoryToSpec, takeInventory } = require("../../inventory") as typeof import("../../inventory");
  const limits = readLimits(options);
  const { paths, hosts } = await readSources(given.source as readonly string[], options, io);
  const output = await readOutput(options);
  const passwords = await readPasswords(options.passwordFile as string | undefined, io);
  const files = readFiles(paths, passwords, takeInventory, progressIo(options, io));
  const live = hosts.length > 0 || options.dns === true || options.dnsServer !== undefined;
  const inventory = live ? await survey(files, hosts, limits, options, io) : files;
  if (options.json === true) io.stdout.write(jsonDocument(inventory));
  else printInventory(inventory, output?.path === "-" ? { ...io, stdout: io.stderr } : io);
  if (live && io.signal.aborted) reportStopped(inventory, io);
  reportUnread(inventory, paths, io);
  if (output !== undefined)
    await writeSpec(inventoryToSpec(inventory, options.name as string, readCaPool(options)), output, io);
  const sound =
    inventory.certificates.length > 0 &&
    inventory.errors.length === 0 &&
    [...inventory.findings, ...inventory.certificates.flatMap(({ problems }) => problems)].every(
      ({ severity }) => severity !== "error",
    );
  return sound ? 0 : 4;
}

/** Returns the streams for the progress, which `--json` turns off. */
function progressIo({ json }: Invocation["options"], io: Io): Io {
  return { ...io, quiet: io.quiet === true || json === true };
}

function readFiles(
  paths: readonly string[],
  passwords: readonly string[],
  takeInventory: typeof import("../../inventory").takeInventory,
  io: Io,
): Inventory {
  const progress = createProgress(io, { noun: ["file", "files"] });
  let read = 0;
  const onFile = () => {
    read += 1;
    progress.update(read, 0);
  };
  try {
    return takeInventory(paths, { now: io.now(), passwords, onFile });
  } finally {
    progress.end();
  }
}

interface SurveyLimits {
  readonly timeoutMs: number;
  readonly withinMs: number;
  readonly concurrency: number;
  /** Addresses to connect to instead of those in DNS. */
  readonly connect: readonly string[];
}

/** Reads the limits, also if only files are read, so that the same command line stays valid for servers. */
function readLimits(options: Invocation["options"]): SurveyLimits {
  return {
    timeoutMs: readDuration(options.timeout as string, "--timeout"),
    withinMs: readDuration(options.within as string, "--within"),
    concurrency: readCount(options.concurrency as string, "--concurrency", 1_000),
    connect: readAddresses(options.connect as readonly string[]),
  };
}

function reportUnread({ certificates, errors }: Inventory, paths: readonly string[], io: Io): void {
  for (const { subject: source, code, message } of errors)
    io.stderr.write(`${safe(source)}: ${safe(message)} [${code}]\n`);
  if (certificates.length > 0 || errors.length > 0 || paths.length === 0) return;
  const [first = "", ...others] = paths;
  const further = others.length === 0 ? "" : ` and ${countOf(others.length, "other place")}`;
  io.stderr.write(
    `no certificate was found in ${quote(first)}${further}: the folder has no readable files; use certificate files (PEM, DER, PKCS#7, PKCS#12), or folders with some in or below them\n`,
  );
}

/**
 * Separates paths from servers. An existing file or folder is read. A source that looks like a path must exist. All
 * other sources are servers.
 */
async function readSources(
  sources: readonly string[],
  options: Invocation["options"],
  io: Io,
): Promise<{ readonly paths: readonly string[]; readonly hosts: readonly HostTarget[] }> {
  const paths: string[] = [];
  const named: string[] = [];
  for (const source of sources) (looksLikePath(source) ? paths : named).push(source);
  named.push(...(options.host as readonly string[]));
  const hosts = await readHosts(named, options.hosts as string | undefined, io);
  if (paths.length === 0 && hosts.length === 0) {
    throw new InputError(
      "source-missing",
      "there is nothing to look at; name files, folders or hosts, or give --hosts",
    );
  }
  return { paths, hosts };
}

/** Reports that the survey stopped early. A host that is missing from an incomplete list has an unknown state. */
function reportStopped({ hosts }: Inventory, io: Io): void {
  const endpoints = hosts.flatMap((host) => host.endpoints);
  const asked = endpoints.filter(({ failure }) => failure?.code !== "not-asked").length;
  io.stderr.write(
    `stopped before the end: ${asked} of ${countOf(endpoints.length, "address", "addresses")} checked; the state of the others is unknown; run the command again\n`,
  );
}

const pathForm = /[/\\]|^\.|\.(pem|crt|cer|der|p7b|p7c|p12|pfx|key|txt)$/i;

function looksLikePath(source: string): boolean {
  return pathForm.test(source) || existsSync(source);
}

async function readHosts(named: readonly string[], file: string | undefined, io: Io): Promise<readonly HostTarget[]> {
  if (named.length === 0 && file === undefined) return [];
  const { readHost, readHostList, uniqueHosts } =
    require("../../inventory/live") as typeof import("../../inventory/live");
  const problems: Problem[] = [];
  const targets: HostTarget[] = [];
  for (const text of named) {
    const read = readHost(text);
    if ("target" in read) targets.push(read.target);
    else problems.push(read.problem);
  }
  if (file !== undefined) {
    const text = await readInput(file, "--hosts", io);
    try {
      targets.push(...readHostList(text, file === "-" ? "--hosts" : file));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError([...problems, ...error.problems]);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return uniqueHosts(targets);
}

async function survey(
  files: Inventory,
  hosts: readonly HostTarget[],
  { timeoutMs, withinMs, concurrency, connect }: SurveyLimits,
  options: Invocation["options"],
  io: Io,
): Promise<Inventory> {
  const { createAskRecords, createFindRoot, createOffers, probeTls, surveyHosts } =
    require("../../inventory/live") as typeof import("../../inventory/live");
  const { rootCertificates } = require("node:tls") as typeof import("node:tls");
  const roots = typeof options.ca === "string" ? [await readTextFile(options.ca, "--ca", io)] : [];
  const offers = createOffers(roots.length === 0 ? undefined : [...rootCertificates, ...roots]);
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(withinMs)]);
  // Every handshake in progress listens to the signal. The default listener limit exists to detect leaks.
  setMaxListeners(0, signal);
  const askRecords = createAskRecords(options.dnsServer as string | undefined, signal);
  const progress = createProgress(progressIo(options, io), { noun: ["address", "addresses"] });
  return surveyHosts(files, {
    hosts,
    connect,
    askRecords,
    comparesNames: options.dns !== false,
    probeTls: ({ offer, ...target }) => probeTls({ ...target, timeoutMs, secureContext: offers[offer], signal }),
    findRoot: createFindRoot(roots),
    now: io.now(),
    concurrency,
    signal,
    onLookUp: (done, total) => progress.show(`${done} of ${countOf(total, "name")} looked up in DNS`),
    onEndpoint: (done, total) => progress.update(done, total),
  }).finally(() => progress.end());
}

function readAddresses(given: readonly string[]): readonly string[] {
  const { isIP } = require("node:net") as typeof import("node:net");
  const problems = given
    .filter((text) => isIP(text) === 0)
    .map(
      (text): Problem => ({
        code: "connect-malformed",
        message: `--connect '${safe(text)}' is not an IP address; use an address such as 203.0.113.7 (the port belongs to the host)`,
      }),
    );
  if (problems.length > 0) throw new InputError(problems);
  return given;
}

async function readPasswords(path: string | undefined, io: Io): Promise<readonly string[]> {
  if (path === undefined) return [];
  return (await readTextFile(path, "--password-file", io)).split(/\r?\n/).filter((line) => line !== "");
}

async function writeSpec(made: SpecFromInventory | undefined, output: Output, io: Io): Promise<void> {
  const comment = [
    "What is migrated to Google Cloud, and how; made from an inventory of certificates.",
    "The records must be published manually (dns: external). To create them in Cloud DNS:",
    "  dns: { kind: cloudDns, zones: { example.com: name-of-the-zone } }",
  ];
  const nothing = "no certificate has a name that can be migrated";
  await writeMigration(made, { comment, nothing }, output, io);
}
