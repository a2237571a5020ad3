import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import { signalWithin } from "../../async/abort";
import { InputError, type Problem } from "../../errors";
import type { Inventory, SpecFromInventory } from "../../inventory";
import type { HostTarget } from "../../inventory/live";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import { defineCommand, manyArguments, type OptionValues, value, values } from "../declare";
import { readTextFile } from "../files";
import * as load from "../load";
import { caOption, concurrencyOption, endpointOption, forceOption } from "../options";
import { createProgress } from "../progress";
import { filesAt } from "../result-files";
import { type FoundResult, formatOptions, resultFormOf, resultWriter } from "../results";
import { readRoots } from "../roots";
import { readInput } from "../standard-input";
import { writeLine, writeNote } from "../text";
import { checked, duration } from "../value-types";
import { closeOnTerminal } from "../verdict";
import { type InventoryOutput, printInventory, readOutput, writeMigration } from "./inventory-output";
import { caPoolName, projectOptions, refuseIgnoredOptions, runProjectInventory } from "./inventory-project";

const connectAddress = checked(
  "connect-malformed",
  (given) => (isIP(given) === 0 ? undefined : given),
  "is not an IP address; use an address such as 203.0.113.7 (the port belongs to the host)",
);

const inventoryOptions = {
  ...projectOptions,
  ...endpointOption,
  "--host <host>": values("a server as host[:port]"),
  "--hosts <file>": "a file with one server per line, - for standard input; # begins a comment",
  "--connect <ip>": values("connect to this address instead of the addresses in DNS", connectAddress),
  "--dns-server <address>": "use this DNS server instead of the system's resolver, for example 127.0.0.1:53",
  "--dns": "also look up the names in DNS if only files are read",
  "--no-dns":
    "do not look up the names in DNS; with --connect, DNS is not used at all; with --project, records that would stop the next renewals are not found",
  ...caOption,
  "--timeout <time>": value(duration(), "timeout of one handshake", "10s"),
  "--within <time>": value(duration(), "timeout of the whole command", "10m"),
  ...concurrencyOption,
  ...formatOptions,
  "--out <file>":
    "write the migration as YAML to this file; - for standard output (the inventory then goes to standard error)",
  "--ca-pool <pool>": value(
    caPoolName,
    "with --out: projects/PROJECT/locations/LOCATION/caPools/POOL, which issues certificates for names that no public CA certifies; default: these names are left out",
  ),
  "--name <name>": "name of the migration in --out; default: the project of --project, otherwise migration",
  ...forceOption,
  "--password-file <file>": "a file with one PKCS#12 password per line",
};

type InventoryOptions = OptionValues<typeof inventoryOptions>;

export const command = defineCommand({
  description:
    "Reads certificates from files and folders (PEM, DER, PKCS#7, PKCS#12; recognized by content) and from servers. For each address of a host, it makes TLS handshakes for ECDSA and RSA, without checking the chain, and a handshake without SNI. It reports the names of each certificate, obstacles to its replacement, how it is served, and the DNS records of the names. With --out it writes the migration that replaces the certificates, for the constructs and every other command. It sends only handshakes and DNS queries. With --project it reads instead what the load balancers of a Google Cloud project serve: forwarding rules, target proxies, certificates, certificate maps and DNS zones; DNS and CA Service tell what would stop the next renewals.",
  arguments: {
    source: manyArguments({
      description: "certificate files, folders (read recursively), or servers as host[:port]",
      completes: "file",
    }),
  },
  options: inventoryOptions,
  json: "certificates, hosts, names, findings, errors, skipped?",
  examples: {
    "cert-migration inventory certificates/": "the certificates in a folder",
    "cert-migration inventory certificates/ --out migration.yaml": "write the migration of these certificates",
    "cert-migration inventory shop.example.com pay.example.com:8443": "the certificates that servers present",
    "cert-migration inventory --hosts hosts.txt --out migration.yaml": "write the migration of live servers",
    "cert-migration inventory certificates/ --out migration.yaml --ca-pool projects/my-project/locations/europe-west6/caPools/internal":
      "names such as status.corp.internal from a private CA",
    "cert-migration inventory shop.example.com --connect 203.0.113.7":
      "the certificates that another server presents for a hostname",
    "cert-migration inventory store.p12 --password-file password.txt --json": "JSON output for scripts",
    "cert-migration inventory --project my-project --out migration.yaml":
      "a migration that attaches a certificate map to the global proxies of a project, and one for each region",
    "cert-migration inventory --project my-project --dns-project my-dns-project":
      "what the load balancers of a project serve, and what blocks a migration",
  },
  exitCodes: {
    4: "no certificate was found, a file could not be read, a finding is an error (for example, an expired certificate), or --project has nothing to write to --out; everything else is reported",
  },
  // Files and servers have separate index modules: loading the modules for servers takes as long as reading 200 files.
  run: async ({ arguments: { source }, options, given, json }, io) => {
    const form = resultFormOf(options, given);
    let certificateFiles: readonly string[] = [];
    const writer = resultWriter(form, "inventory", () => filesAt(certificateFiles, io), io);
    // Every format but text is for programs, which get nothing else on standard output.
    const asked = { ...options, json: form !== "text", writer };
    const work = async () => {
      refuseIgnoredOptions(asked);
      if (options.project !== undefined) {
        const sources = [...source, ...options.host, ...options.connect, options.hosts ?? []].flat();
        return runProjectInventory(options.project, sources, asked, io);
      }
      return inventoryOf(source, asked, io, (inventory, tableIo) => {
        certificateFiles = sourcesOf(inventory);
        if (writer !== undefined) writer.write(resultOf(inventory));
        else if (asked.json) io.stdout.write(json(inventory));
        else printInventory(inventory, tableIo);
      });
    };
    return writer === undefined ? work() : writer.reporting(work);
  },
});

/** Takes the inventory of files and servers, prints it, and writes the migration of `--out`. */
async function inventoryOf(
  source: readonly string[],
  options: InventoryOptions,
  io: Io,
  print: (inventory: Inventory, io: Io) => void,
): Promise<ExitCode> {
  const { inventoryToSpec, takeInventory } = load.inventory();
  const { paths, hosts } = await readSources(source, options, io);
  const output = await readOutput(options);
  const passwords = await readPasswords(options.passwordFile, io);
  const files = readFiles(paths, passwords, takeInventory, progressIo(options, io));
  const live = hosts.length > 0 || options.dns === true || options.dnsServer !== undefined;
  const inventory = live ? await survey(files, hosts, options, io) : files;
  print(inventory, output?.path === "-" ? { ...io, stdout: io.stderr } : io);
  if (live && io.signal.aborted) reportStopped(inventory, io);
  reportUnread(inventory, paths, io);
  if (output !== undefined) {
    const { name = "migration", caPool } = options;
    await writeSpec(inventoryToSpec(inventory, name, defined({ caPool })), output, io);
  }
  const { ok, summary } = resultOf(inventory);
  const state = live && io.signal.aborted ? "stopped" : ok ? "done" : "failed";
  closeOnTerminal({ state, headline: summary }, io);
  return ok ? 0 : 4;
}

/** Returns the result for the formats of other tools: a check for each certificate. */
function resultOf({ certificates, errors, findings }: Inventory): FoundResult {
  const bad = [...errors, ...findings, ...certificates.flatMap(({ problems }) => problems)];
  const ok = certificates.length > 0 && errors.length === 0 && bad.every(({ severity }) => severity !== "error");
  const sound = certificates.filter(({ problems }) => problems.every(({ severity }) => severity !== "error"));
  return {
    ok,
    summary: `${countOf(certificates.length, "certificate")}, ${countOf(bad.length, "finding")}`,
    checks: sound.map(({ source, fingerprintSha256 }) => ({
      name: `${source}: certificate ${fingerprintSha256.slice(0, 16)}`,
      group: source,
    })),
    findings: bad,
  };
}

function sourcesOf({ certificates, errors }: Inventory): readonly string[] {
  return [...certificates.map(({ source }) => source), ...errors.map(({ subject }) => subject)];
}

/** Returns the streams for the progress, which every format for programs turns off. */
function progressIo({ json }: Pick<InventoryOptions, "json">, io: Io): Io {
  return { ...io, quiet: io.quiet === true || json };
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

function reportUnread({ certificates, errors, skipped = [] }: Inventory, paths: readonly string[], io: Io): void {
  if (io.quiet !== true) {
    for (const { subject: source, message, code } of skipped)
      writeLine(`${source}: skipped: ${message} [${code}]`, io, "stderr");
  }
  for (const { subject: source, code, message } of errors) writeLine(`${source}: ${message} [${code}]`, io, "stderr");
  if (certificates.length > 0 || errors.length > 0 || paths.length === 0) return;
  const [first = "", ...others] = paths;
  const further = others.length === 0 ? "" : ` and ${countOf(others.length, "other place")}`;
  const message = `no certificate was found in ${quote(first)}${further}: the folder has no readable files; use certificate files (PEM, DER, PKCS#7, PKCS#12), or folders with some in or below them`;
  writeNote("certificates-not-found", message, io);
}

/**
 * Separates paths from servers. An existing file or folder is read. A source that looks like a path must exist. All
 * other sources are servers.
 */
async function readSources(
  sources: readonly string[],
  options: InventoryOptions,
  io: Io,
): Promise<{ readonly paths: readonly string[]; readonly hosts: readonly HostTarget[] }> {
  const paths: string[] = [];
  const named: string[] = [];
  for (const source of sources) (looksLikePath(source) ? paths : named).push(source);
  named.push(...options.host);
  const hosts = await readHosts(named, options.hosts, io);
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
  const message = `stopped before the end: ${asked} of ${countOf(endpoints.length, "address", "addresses")} checked; the state of the others is unknown; run the command again`;
  writeNote("stopped", message, io);
}

const pathForm = /[/\\]|^\.|\.(pem|crt|cer|der|p7b|p7c|p12|pfx|key|txt)$/i;

function looksLikePath(source: string): boolean {
  return pathForm.test(source) || existsSync(source);
}

async function readHosts(named: readonly string[], file: string | undefined, io: Io): Promise<readonly HostTarget[]> {
  if (named.length === 0 && file === undefined) return [];
  const { readHost, readHostList, uniqueHosts } = load.inventoryLive();
  const problems: Problem[] = [];
  const targets: HostTarget[] = [];
  for (const name of named) {
    const read = readHost(name);
    if ("target" in read) targets.push(read.target);
    else problems.push(read.problem);
  }
  if (file !== undefined) {
    const list = await readInput(file, "--hosts", io);
    try {
      targets.push(...readHostList(list, file === "-" ? "--hosts" : file));
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
  options: InventoryOptions,
  io: Io,
): Promise<Inventory> {
  const { timeout: timeoutMs, concurrency, connect } = options;
  const { createAskRecords, createFindRoot, surveyHosts } = load.inventoryLive();
  const { createOffers, probeTls } = load.tlsProbe();
  const roots = await readRoots(options.ca, io);
  const offers = createOffers(roots.length === 0 ? undefined : [...rootCertificates, ...roots]);
  const signal = signalWithin(options.within, io.signal);
  // Every handshake in progress listens to the signal. The default listener limit exists to detect leaks.
  setMaxListeners(0, signal);
  const askRecords = createAskRecords(options.dnsServer, signal);
  const progress = createProgress(progressIo(options, io), { noun: ["address", "addresses"] });
  return surveyHosts(files, {
    hosts,
    connect,
    askRecords,
    comparesNames: options.dns !== false,
    probeTls: ({ offer, ...target }) => probeTls({ ...target, timeoutMs, secureContext: offers[offer], signal }),
    findRoot: createFindRoot(roots),
    now: io.now(),
    run: {
      concurrency,
      signal,
      onLookUp: (done, total) => progress.show(`${done} of ${countOf(total, "name")} looked up in DNS`),
      onEndpoint: (done, total) => progress.update(done, total),
    },
  }).finally(() => progress.end());
}

async function readPasswords(path: string | undefined, io: Io): Promise<readonly string[]> {
  if (path === undefined) return [];
  return (await readTextFile(path, "--password-file", io)).split(/\r?\n/).filter((line) => line !== "");
}

async function writeSpec(made: SpecFromInventory | undefined, output: InventoryOutput, io: Io): Promise<void> {
  const comment = [
    "What is migrated to Google Cloud, and how; made from an inventory of certificates.",
    "The records must be published manually (dns: external). To create them in Cloud DNS:",
    "  dns: { kind: cloudDns, zones: { example.com: name-of-the-zone } }",
  ];
  const nothing = "no certificate has a name that can be migrated";
  await writeMigration(made, { comment, nothing }, output, io);
}
