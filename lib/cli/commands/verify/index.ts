import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError, ServiceError } from "../../../errors";
import type { KeyFamily, PlannedCertificates, PrimaryTarget, SourceMigration, VerifyTarget } from "../../../migrate";
import type { Command, ExitCode, Invocation, Io } from "../../command";
import { type Connections, connectionOptions, readAddresses, readConnections } from "../../connections";
import { hasCredentials } from "../../credentials";
import { readCount, readDuration } from "../../duration";
import { writeWhole } from "../../files";
import { createProgress } from "../../progress";
import { hasSource, readSource, sourceOptions } from "../../source";
import { freezeOptions, guardFreeze } from "../audit";
import { annotationLines, junitXml, summaryLines, type VerifyReport } from "./render";

export const verifyCommand: Command = {
  name: "verify",
  summary: "verify that the load balancer serves every hostname",
  description:
    "Connects to each address of the load balancer, IPv4 and IPv6, and asks for each hostname by SNI, as clients will once traffic has moved; DNS is not asked. Chain, dates, name and, with a plan and credentials, the very certificate have to be right several times in a row, since fronts take changes over one after the other. It tells what clients without SNI get, and with --against what clients of the old side would lose. It only looks.",
  options: [
    ...sourceOptions,
    {
      flags: "--hostname <name>",
      description: "a name to ask for, instead of those of the plan; wildcards by a random label; may be repeated",
      repeatable: true,
    },
    {
      flags: "--address <ip>",
      description: "an address of the load balancer, instead of those of the plan; may be repeated",
      repeatable: true,
    },
    { flags: "--family <family>", description: "addresses of one family alone", choices: ["ipv4", "ipv6"] },
    ...connectionOptions,
    { flags: "--exact", description: "insist on comparing with the certificates in Certificate Manager" },
    { flags: "--no-exact", description: "don't: any certificate that is right for the name will do" },
    { flags: "--endpoint <url>", description: "another service with the same API; else CERT_MIGRATION_ENDPOINT" },
    {
      flags: "--key-type <family>",
      description: "rsa or ecdsa: what every name has to be served with to clients that take no other; may be repeated",
      repeatable: true,
    },
    {
      flags: "--against <side>",
      description:
        "compare with the old side, and tell what clients would lose: its address, or 'old' for where the plan or DNS leads today; may be repeated",
      repeatable: true,
    },
    { flags: "--dns-server <host:port>", description: "for --against old: ask this server, not the machine's own" },
    { flags: "--http", description: "ask for HEAD / as well; an answer of 500 or more is a failure" },
    { flags: "--repeat <count>", description: "good handshakes in a row", default: "3" },
    { flags: "--within <time>", description: "how long all of it may take", default: "10m" },
    ...freezeOptions,
    {
      flags: "--token-file <file>",
      description: "for --freeze: a file with an access token; else CERT_MIGRATION_ACCESS_TOKEN",
    },
    { flags: "--json", description: "print the results as JSON" },
    { flags: "--junit <file>", description: "write the results as JUnit XML to this file" },
    { flags: "--annotations", description: "say failures as GitHub annotations too; on by itself in GitHub Actions" },
  ],
  examples: [
    { command: "cert-migration verify --hostname example.com --address 203.0.113.7", what: "one name" },
    { command: "cert-migration verify --stack cdktf.out/stacks/prod --address 203.0.113.7", what: "a stack" },
    {
      command: "cert-migration verify --spec migration.yaml --project my-project --exact --junit verify.xml",
      what: "the very certificates of a plan, in a pipeline",
    },
  ],
  exitCodes: {
    4: "a name is not served as it should be, a freeze was violated, or the run was stopped before the end",
    5: "all names are served, but the log does not say whether the freeze was kept",
  },
  run: runVerify,
};

async function runVerify(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const { expiryFindings, probeFallbacks, verifyServing } =
    require("../../../migrate") as typeof import("../../../migrate");
  const { targets, primaries, migrations } = await readTargets(invocation, io);
  const repeat = readCount(options.repeat as string, "--repeat", 1_000);
  const withinMs = readDuration(options.within as string, "--within");
  const keyFamilies = readFamilies(options.keyType as readonly string[]);
  const connections = await readConnections(invocation, io);
  const { planned, exact } = await readExact(options, [...targets, ...primaries], migrations, io);
  const shared = { signal: io.signal, random: Math.random, ...(planned === undefined ? {} : { planned }) };
  const progress = createProgress(io, { noun: "checks" });
  const told = new Set<string>();
  let settled = 0;
  let bad = 0;
  const results = await verifyServing({
    ...shared,
    targets,
    shakeHands: (address, hostname, client) =>
      connections.shakeHands(address, hostname, {
        ...(client === undefined ? {} : { client }),
        http: options.http === true,
      }),
    keyFamilies,
    repeat,
    withinMs,
    concurrency: connections.concurrency,
    now: () => io.now().getTime(),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal });
    },
    onRetry: ({ hostname, address, code, detail }) => {
      const key = `${hostname} ${address} ${code}`;
      if (!told.has(key)) progress.line(`${hostname} at ${address}: ${code} (${detail}); trying again`);
      told.add(key);
    },
    onResult: ({ ok }) => {
      settled += 1;
      if (!ok) bad += 1;
      progress.update(settled, targets.length, bad === 0 ? undefined : `${bad} not as they should be`);
    },
  });
  progress.end();
  const { fallbacks, findings } = await probeFallbacks({
    ...shared,
    targets: primaries,
    shakeHands: (address, serverName) => connections.shakeHands(address, address, { serverName }),
  });
  const sides = await compareWithOld(options, { targets, migrations, connections }, io);
  // Who stops the command wants to know what was seen, and nothing more to be asked.
  const guarded = options.freeze !== undefined && !io.signal.aborted;
  const freeze = guarded ? await guardFreeze(options, io) : undefined;
  const report: VerifyReport = {
    results,
    fallbacks,
    comparisons: sides.comparisons,
    findings: [...findings, ...expiryFindings(results, io.now()), ...sides.findings],
    exact,
    ...(freeze === undefined ? {} : { freeze }),
  };
  return tell(report, options, io);
}

interface ComparedWith extends Pick<Targets, "targets" | "migrations"> {
  readonly connections: Connections;
}

/** Compares with the side of `--against`. */
async function compareWithOld(
  options: Invocation["options"],
  { targets, migrations, connections }: ComparedWith,
  io: Io,
): Promise<Pick<VerifyReport, "comparisons" | "findings">> {
  const against = options.against as readonly string[];
  if (against.length === 0 || io.signal.aborted) return { comparisons: [], findings: [] };
  const { compareSides, createLookUp, previousAddresses } =
    require("../../../migrate") as typeof import("../../../migrate");
  const server = (options.dnsServer as string | undefined) ?? connections.rehearsal?.nameServer;
  const given = against.filter((side) => side !== "old");
  const old = await previousAddresses(targets, {
    migrations,
    given,
    ...(against.includes("old") ? { lookUp: createLookUp(server) } : {}),
    random: Math.random,
  });
  // All addresses of a load balancer have the same proxy behind them: one of each hostname tells.
  const sides = new Map(targets.map(({ hostname, addresses }) => [hostname, addresses[0] ?? ""]));
  return compareSides({
    pairs: [...sides].map(([hostname, address]) => ({ hostname, old: old.get(hostname) ?? [], new: address })),
    served: targets.map(({ hostname }) => hostname),
    shakeHands: (address, hostname, as) => connections.shakeHands(address, hostname, as),
    signal: io.signal,
    random: Math.random,
  });
}

async function tell(report: VerifyReport, options: Invocation["options"], io: Io): Promise<ExitCode> {
  const { results, findings, freeze } = report;
  const ok =
    results.length > 0 &&
    results.every((result) => result.ok) &&
    findings.every(({ severity }) => severity !== "error") &&
    freeze?.verdict !== "violations";
  if (options.json === true)
    io.stdout.write(`${JSON.stringify({ version: 1, time: io.now().toISOString(), ok, ...report }, undefined, 2)}\n`);
  else for (const line of summaryLines(report)) io.stdout.write(`${line}\n`);
  if (typeof options.junit === "string") await writeWhole(options.junit, junitXml(report), { force: true });
  if (options.annotations === true || io.env.GITHUB_ACTIONS === "true") {
    for (const line of annotationLines(report)) io.stderr.write(`${line}\n`);
  }
  const good = results.filter((result) => result.ok).length;
  io.stderr.write(`${good} of ${results.length} are served as they should be\n`);
  if (!report.exact.checked)
    io.stderr.write(`not compared with the certificates of the plan: ${report.exact.reason}\n`);
  if (!ok) return 4;
  return freeze?.verdict === "unknown" ? 5 : 0;
}

interface Targets {
  readonly targets: readonly VerifyTarget[];
  readonly primaries: readonly PrimaryTarget[];
  /** Empty where there is no plan. */
  readonly migrations: readonly SourceMigration[];
}

/** @throws InputError where there is nothing to ask for, or nowhere to ask */
async function readTargets(invocation: Invocation, io: Io): Promise<Targets> {
  const { options } = invocation;
  const { primariesOf, targetsOf } = require("../../../migrate") as typeof import("../../../migrate");
  const hostnames = readHostnames(options.hostname as readonly string[]);
  const given = readAddresses(options.address as readonly string[], "--address");
  readAddresses(
    (options.against as readonly string[]).filter((side) => side !== "old"),
    "--against",
  );
  const migrations = hasSource(options) ? (await readSource(invocation, io)).migrations : [];
  const planned = migrations.flatMap(({ addresses: { ipv4, ipv6 } }) => [...ipv4, ...ipv6]);
  const family = { ipv4: 4, ipv6: 6 }[options.family as string];
  const addresses = [...new Set(given.length > 0 ? given : planned)];
  const wanted = addresses.filter((address) => family === undefined || isIP(address) === family);
  if (hostnames.length === 0 && migrations.length === 0) {
    throw new InputError("hostname-missing", "nothing to verify; give --hostname, or --spec, --stack or --outputs");
  }
  if (wanted.length === 0) {
    const why = addresses.length === 0 ? "in a stack it may be a reference" : `there is none of ${options.family}`;
    throw new InputError("address-missing", `nowhere to connect to; give --address (${why})`);
  }
  if (migrations.length === 0) {
    return {
      targets: hostnames.map((hostname) => ({ hostname, addresses: wanted })),
      primaries: wanted.map((address) => ({ address })),
      migrations,
    };
  }
  // Each migration has its own addresses, unless the command line says where to look.
  const restrict = <Target extends { readonly addresses: readonly string[] }>(target: Target) =>
    target.addresses.every((address) => wanted.includes(address));
  const choice = {
    ...(hostnames.length > 0 ? { hostnames } : {}),
    ...(given.length > 0 ? { addresses: wanted } : {}),
  };
  return {
    targets: targetsOf(migrations, choice).filter(restrict),
    primaries: primariesOf(migrations, choice).filter(({ address }) => wanted.includes(address)),
    migrations,
  };
}

function readHostnames(given: readonly string[]): readonly string[] {
  const { readHostname } = require("../../../hostnames") as typeof import("../../../hostnames");
  const problems: { readonly code: string; readonly message: string }[] = [];
  const hostnames = given.flatMap((text) => {
    const read = readHostname(text);
    if ("hostname" in read) return [read.hostname as string];
    problems.push({ code: read.problem.code, message: `--hostname: ${read.problem.message}` });
    return [];
  });
  if (problems.length > 0) throw new InputError(problems);
  return [...new Set(hostnames)];
}

function readFamilies(given: readonly string[]): readonly KeyFamily[] {
  const wrong = given.filter((family) => family !== "rsa" && family !== "ecdsa");
  if (wrong.length > 0) {
    throw new InputError("key-type-unknown", `--key-type '${wrong[0]}' is not a kind of key; use rsa or ecdsa`);
  }
  return [...new Set(given)] as readonly KeyFamily[];
}

/** The certificates of the plan as they are in Certificate Manager, or why nothing is compared with them. */
async function readExact(
  options: Invocation["options"],
  targets: readonly { readonly planned?: readonly string[] }[],
  migrations: readonly SourceMigration[],
  io: Io,
): Promise<{ readonly planned?: PlannedCertificates; readonly exact: VerifyReport["exact"] }> {
  const unchecked = (reason: string) => ({ exact: { checked: false as const, reason } });
  if (options.exact === false) return unchecked("--no-exact was given");
  const endpoint = (options.endpoint as string | undefined) ?? io.env.CERT_MIGRATION_ENDPOINT;
  const { plannedNames, readPlanned } = require("../../../migrate") as typeof import("../../../migrate");
  const names = plannedNames(targets);
  const reason =
    migrations.length === 0
      ? "no plan was given; give --spec, --stack or --outputs"
      : names.length === 0
        ? "the project of the certificates is not known; give --project, or --outputs"
        : endpoint === undefined && options.exact !== true && !hasCredentials(io)
          ? "there are no application default credentials; with those of the machine give --exact"
          : undefined;
  if (reason !== undefined) {
    if (options.exact === true) throw new InputError("exact-impossible", `--exact: ${reason}`);
    return unchecked(reason);
  }
  const { resourceLister } = require("../../../google") as typeof import("../../../google");
  try {
    const planned = await readPlanned(names, resourceLister(endpoint), {
      signal: io.signal,
      now: () => io.now().getTime(),
    });
    return { planned, exact: { checked: true } };
  } catch (error) {
    if (!(error instanceof ServiceError) || options.exact === true) throw error;
    return unchecked(error.message);
  }
}
