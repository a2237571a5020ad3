import { appendFile, readFile } from "node:fs/promises";
import type { FreezeReport } from "../../../audit";
import { InputError, ServiceError } from "../../../errors";
import { fileReason } from "../../../files/file-reason";
import { verifyVariables } from "../../../gate-call";
import { defined } from "../../../json/defined";
import type { PrimaryTarget, VerifyResult, VerifyTarget } from "../../../live/verify";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { ExitCode, Io } from "../../command";
import {
  clientCertificateOptions,
  connectionOptions,
  fallbackClient,
  readConnections,
  trustPoolOption,
} from "../../connections";
import { defineCommand, type OptionValues, value, values } from "../../declare";
import { wordsFor } from "../../duration";
import { checkWritable, writeWhole } from "../../files";
import { fromEnvironmentOption, readVerifyVariables, runGate } from "../../gate-environment";
import * as load from "../../load";
import { endpointOption } from "../../options";
import { filesOfSource } from "../../result-files";
import {
  type FormatValues,
  type FoundResult,
  formatOptions,
  placedResult,
  resultFormOf,
  resultWriter,
} from "../../results";
import { shardFilter, shardIn, shardOption } from "../../shard";
import { checkedMigrations, hasSource, sourceOptions } from "../../source";
import { readSubjects, subjectOptions } from "../../subjects";
import { writeNote } from "../../text";
import { checked, count, duration, oneOf } from "../../value-types";
import { writeVerdict } from "../../verdict";
import { type FreezeGuard, freezeOptions, readGuard } from "../audit/freeze";
import { checkServing } from "./check";
import {
  type Compared,
  type ComparedWith,
  compareWith,
  type PreviousProvider,
  previousProvider,
  readPreviousProvider,
} from "./compare";
import { readExact, readTrust } from "./google-cloud";
import {
  type JudgedReport,
  printReport,
  type VerifyJson,
  type VerifyReport,
  verifyResult,
  verifyVerdict,
} from "./render";

const keyFamily = checked(
  "key-type-unknown",
  (given) => (given === "rsa" || given === "ecdsa" ? given : undefined),
  "is not a kind of key; use rsa or ecdsa",
);

const verifyOptions = {
  ...sourceOptions,
  ...subjectOptions,
  ...shardOption,
  ...fromEnvironmentOption(verifyVariables),
  "--family <family>": value(oneOf("ipv4", "ipv6"), "only addresses of one family"),
  ...connectionOptions,
  ...trustPoolOption,
  ...clientCertificateOptions,
  "--exact": "require the exact certificates in Certificate Manager",
  "--no-exact": "accept any certificate that is valid for the hostname",
  ...endpointOption,
  "--key-type <family>": values("rsa or ecdsa: a kind of key that every hostname must support", keyFamily),
  "--against <side>": values(
    "address of the previous provider, or 'previous' for the previous addresses in the plan (or in DNS, if the plan has none): reports what clients would lose",
    previousProvider,
  ),
  "--dns-server <host:port>": "for --against previous: DNS server to query instead of the system's resolver",
  "--http": "also send 'HEAD /'; a response status of 500 or more is a failure",
  "--repeat <count>": value(count(1_000), "required number of consecutive successful handshakes", "3"),
  "--within <time>": value(
    duration(),
    "timeout for all hostnames together; the comparison of --against has the same timeout again",
    "10m",
  ),
  ...freezeOptions,
  "--token-file <file>":
    "for --freeze: a file with an access token; default: CERT_MIGRATION_ACCESS_TOKEN, then application default credentials",
  ...formatOptions,
  "--junit <file>": "also write the results as JUnit XML to this file",
  "--log <file>": "add the result as a line of JSON to this file, and report since when each name has passed",
  "--annotations":
    "also print failures as GitHub annotations; enabled automatically in GitHub Actions, unless --format github writes them",
};

export type VerifyCommandOptions = OptionValues<typeof verifyOptions>;

export const command = defineCommand({
  description:
    "Connects to each address of the load balancer (IPv4 and IPv6) with each hostname as SNI (for a wildcard, a random label), as clients will after traffic has moved. DNS is not used. Chain, dates, name and, with a plan and credentials, the exact certificate must be right several times in a row, because front ends apply changes one after another. Failures that may resolve on their own are retried until --within ends; an uploaded certificate that can never be right (wrong name, expired, no path to a trusted root) ends the run immediately. The command reports what clients without SNI get, and with --against what clients of the previous provider would lose. It changes nothing. It reads from each connection until the server has accepted the handshake; a server that sends nothing for 500 ms is reported as not confirmed, which is not a failure.",
  options: verifyOptions,
  json: "time, startedAt, migrations, shard?, ok, results, fallbacks, comparisons, findings, exact, trustedPools?, freeze?",
  examples: {
    "cert-migration verify --hostname example.com --address 203.0.113.7": "one hostname",
    "cert-migration verify --stack cdktf.out/stacks/shop --address 203.0.113.7": "a stack",
    "cert-migration verify --spec migration.yaml --project my-project --exact --junit verify.xml":
      "require the exact certificates, in a pipeline",
    "cert-migration verify --outputs outputs.json --trust-pool":
      "certificates of private CAs, without a file of their roots",
  },
  exitCodes: {
    4: "a hostname is not served correctly, a freeze was violated, or the run was interrupted",
    5: "all hostnames are served correctly, but the log does not show whether the freeze was violated",
  },
  run: (invocation, io) =>
    runGate(invocation, replacedOptions, readVerifyVariables, io, (options, gateIo) =>
      verifyAndPrint(options, resultFormOf(options, invocation.given), invocation.json, gateIo),
    ),
});

/** Options that `--from-environment` replaces. */
const replacedOptions = ["spec", "stack", "outputs", "migration", "hostname", "address"] as const;

type FormatJson = (report: VerifyJson) => string;

function verifyAndPrint(
  options: VerifyCommandOptions,
  form: FormatValues["format"],
  json: FormatJson,
  io: Io,
): Promise<ExitCode> {
  const writer = resultWriter(form, "verify", () => filesOfSource(options, io), io);
  const run = () =>
    verify(options, io, (report, verified) => {
      if (writer !== undefined) writer.write(verifyResult(report));
      else if (form === "json") {
        const { ok, ...rest } = report;
        io.stdout.write(json({ time: io.now().toISOString(), ok, ...verified, ...rest }));
      } else printReport(report, io);
    });
  return writer === undefined ? run() : writer.reporting(run);
}

type Print = (report: JudgedReport, verified: Verified) => void;
type Verified = Pick<VerifyJson, "startedAt" | "migrations" | "shard">;

async function verify(options: VerifyCommandOptions, io: Io, print: Print): Promise<ExitCode> {
  const subjects = await readTargets(options, io);
  const { migrations, targets, primaries } = subjects;
  const limits = { repeat: options.repeat, withinMs: options.within, keyFamilies: [...new Set(options.keyType)] };
  const previous = readPreviousProvider(options);
  // Refuse unusable options now rather than after the verification.
  const guard = options.freeze === undefined ? undefined : await readGuard(options, io);
  if (options.junit !== undefined) await checkWritable(options.junit, { force: true });
  if (options.log !== undefined) await checkAppendable(options.log);
  const trust = options.trustPool ? await readTrust(migrations, options, io) : undefined;
  const connections = await readConnections(options, io, trust?.rootsFor);
  const startedAt = io.now().toISOString();
  const { planned, exact } = await readExact(options, subjects, io);
  const known = defined({ planned });
  const results = await checkServing({ ...limits, ...known, targets, http: options.http }, connections, io);
  const { fallbacks, findings } = await load.verify().probeFallbacks({
    ...known,
    targets: primaries,
    shakeHands: fallbackClient(connections),
    random: Math.random,
  });
  const compared = await compare(previous, { targets, migrations, connections, withinMs: limits.withinMs }, io);
  const report: VerifyReport = {
    results,
    fallbacks,
    comparisons: compared.comparisons,
    findings: [...findings, ...findingsOf(results, targets, options, io), ...compared.findings],
    exact,
    ...defined({ trustedPools: trust?.pools, freeze: await askFreeze(guard, io) }),
  };
  const verified = { startedAt, migrations: checkedMigrations(migrations), ...shardIn(options, io) };
  return concludeReport(report, verified, options, print, io);
}

/** Reads what to verify, from the plan if there is one. */
async function readTargets(options: VerifyCommandOptions, io: Io) {
  const { primariesOf, targetsOf } = load.verify();
  const { hostnames, addresses, migrations } = await readSubjects(options, io, options.family);
  const hasPlan = hasSource(options);
  const all = hasPlan
    ? targetsOf(migrations, hostnames)
    : hostnames.map((hostname): VerifyTarget => ({ hostname, addresses }));
  const isIncluded = shardFilter(options, io);
  // A shard of a plan can be empty.
  const targets = all.filter(({ hostname }) => isIncluded(hostname));
  const primaries = hasPlan ? primariesOf(migrations) : addresses.map((address): PrimaryTarget => ({ address }));
  return { migrations, hasPlan, targets, primaries };
}

function findingsOf(
  results: readonly VerifyResult[],
  targets: readonly VerifyTarget[],
  { exact }: VerifyCommandOptions,
  io: Io,
) {
  const { differingFindings, expiryFindings, unconfirmedFindings } = load.verify();
  return [
    ...unconfirmedFindings(results),
    ...expiryFindings(results, io.now()),
    ...differingFindings(results, targets, exact === false ? "warning" : "error"),
  ];
}

/** Compares with the previous provider; after a stop, reports only that nothing was compared. */
async function compare(previous: PreviousProvider | undefined, compared: ComparedWith, io: Io): Promise<Compared> {
  if (previous === undefined) return { comparisons: [], findings: [] };
  if (!io.signal.aborted) return compareWith(previous, compared, io);
  const hostnames = compared.targets.map(({ hostname }) => hostname);
  return { comparisons: [], findings: load.verify().comparisonNotStarted(hostnames) };
}

/**
 * Returns the freeze report, or an unknown result if the log cannot be read, so that the results for the hostnames are
 * still reported. After a stop, no request is sent.
 */
async function askFreeze(guard: FreezeGuard | undefined, { signal }: Io): Promise<FreezeReport | undefined> {
  const isStopped = () => signal.aborted;
  if (guard === undefined || isStopped()) return guard?.unknown("the run was stopped");
  try {
    return await guard.ask();
  } catch (error) {
    if (isStopped()) return guard.unknown("the run was stopped");
    if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
    return guard.unknown(error.message);
  }
}

async function concludeReport(
  report: VerifyReport,
  verified: Verified,
  options: VerifyCommandOptions,
  print: Print,
  io: Io,
): Promise<ExitCode> {
  const { results, findings, freeze, exact } = report;
  const ok =
    // A shard of a few hostnames can be empty.
    (results.length > 0 || options.shard !== undefined) &&
    results.every((result) => result.ok) &&
    findings.every(({ severity }) => severity !== "error") &&
    freeze?.verdict !== "violations";
  const judged = { ...report, ok };
  print(judged, verified);
  await writeFurther(verifyResult(judged), options, io);
  if (options.log !== undefined && !io.signal.aborted) await logVerification(options.log, results, io);
  writeVerdict(verifyVerdict(judged), io, "stderr");
  if (!exact.checked) writeNote("not-compared", `not compared with the certificates of the plan: ${exact.reason}`, io);
  else if (exact.unknown > 0) {
    const message = `${countOf(exact.unknown, "name")} not compared with the plan: not every certificate's id is known`;
    writeNote("not-compared", message, io);
  }
  if (!ok) return 4;
  return freeze?.verdict === "unknown" ? 5 : 0;
}

/** Writes what `--junit` and `--annotations` ask for beside the format of the result. */
async function writeFurther(
  result: FoundResult,
  { junit, annotations, format, ...source }: VerifyCommandOptions,
  io: Io,
): Promise<void> {
  const annotates = annotations || io.env.GITHUB_ACTIONS === "true";
  if (junit === undefined && !annotates) return;
  const { annotationLines, junitXml } = load.results();
  const placed = placedResult("verify", result, filesOfSource(source, io));
  if (junit !== undefined) await writeWhole(junit, junitXml(placed), { force: true });
  if (annotates && format !== "github") for (const line of annotationLines(placed)) io.stderr.write(`${line}\n`);
}

/** Checks before the verification that a line can be added to the log, and that the file is such a log. */
async function checkAppendable(path: string): Promise<void> {
  await append(path, "");
  await readLog(path);
}

/** Adds a verification to the log, and reports for how long the names have passed. */
async function logVerification(path: string, results: readonly VerifyResult[], io: Io): Promise<void> {
  const { loggedVerification, passingTimes } = load.verify();
  const line = loggedVerification(results, io.now());
  await append(path, `${JSON.stringify(line)}\n`);
  const times = passingTimes(await readLog(path), io.now());
  const shortest = Math.min(...line.passed.map((hostname) => times.get(hostname) ?? 0));
  if (line.passed.length === 0) return;
  io.stderr.write(
    `${countOf(line.passed.length, "name has", "names have")} passed for ${wordsFor(shortest)} or longer\n`,
  );
}

async function readLog(path: string) {
  const { readVerifyLog } = load.verify();
  return readVerifyLog(await readFile(path, "utf8"), path);
}

async function append(path: string, text: string): Promise<void> {
  await appendFile(path, text).catch((error: unknown) => {
    const message = `--log ${quote(path)} can't be written: ${fileReason(error)}; give another name`;
    throw new InputError("file-unwritable", message);
  });
}
