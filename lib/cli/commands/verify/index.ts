import { appendFile, readFile } from "node:fs/promises";
import type { FreezeReport } from "../../../audit";
import { InputError, ServiceError } from "../../../errors";
import { fileReason } from "../../../files/file-reason";
import { defined } from "../../../json/defined";
import type { Handshake, KeyFamily, PrimaryTarget, VerifyResult, VerifyTarget } from "../../../live/verify";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { clientCertificateOptions, connectionOptions, readConnections } from "../../connections";
import { readCount, readDuration, wordsFor } from "../../duration";
import { checkWritable, writeWhole } from "../../files";
import { endpointOption } from "../../options";
import { checkedMigrations, sourceOptions } from "../../source";
import { folderFor } from "../../style";
import { readSubjects, subjectOptions } from "../../subjects";
import { jsonDocument, safe } from "../../text";
import { type FreezeGuard, freezeOptions, readGuard } from "../audit";
import { type CheckLimits, checkServing } from "./check";
import { type Compared, compareWith, readPreviousProvider } from "./compare";
import { readExact, readTrust } from "./google-cloud";
import { annotationLines, junitXml, summaryLines, type VerifyJson, type VerifyReport } from "./render";

export const verifyCommand: CommandDetails = {
  description:
    "Connects to each address of the load balancer (IPv4 and IPv6) with each hostname as SNI (for a wildcard, a random label), as clients will after traffic has moved. DNS is not used. Chain, dates, name and, with a plan and credentials, the exact certificate must be right several times in a row, because front ends apply changes one after another. Failures that may resolve on their own are retried until --within ends; an uploaded certificate that can never be right (wrong name, expired, no path to a trusted root) ends the run immediately. The command reports what clients without SNI get, and with --against what clients of the previous provider would lose. It changes nothing. It reads from each connection until the server has accepted the handshake; a server that sends nothing for 500 ms is reported as not confirmed, which is not a failure.",
  options: [
    ...sourceOptions,
    ...subjectOptions,
    { flags: "--family <family>", description: "only addresses of one family", choices: ["ipv4", "ipv6"] },
    ...connectionOptions,
    {
      flags: "--trust-pool",
      description:
        "also trust the roots of the CA pools that issue certificates of the migration, read from CA Service; each only for the names that its pool issues",
    },
    ...clientCertificateOptions,
    { flags: "--exact", description: "require the exact certificates in Certificate Manager" },
    { flags: "--no-exact", description: "accept any certificate that is valid for the hostname" },
    endpointOption,
    {
      flags: "--key-type <family>",
      description: "rsa or ecdsa: a kind of key that every hostname must support",
      repeatable: true,
    },
    {
      flags: "--against <side>",
      description:
        "address of the previous provider, or 'old' for the previous addresses in the plan (or in DNS, if the plan has none): reports what clients would lose",
      repeatable: true,
    },
    {
      flags: "--dns-server <host:port>",
      description: "for --against old: DNS server to query instead of the system's resolver",
    },
    { flags: "--http", description: "also send 'HEAD /'; a response status of 500 or more is a failure" },
    { flags: "--repeat <count>", description: "required number of consecutive successful handshakes", default: "3" },
    {
      flags: "--within <time>",
      description: "timeout for all hostnames together; the comparison of --against has the same timeout again",
      default: "10m",
    },
    ...freezeOptions,
    {
      flags: "--token-file <file>",
      description:
        "for --freeze: a file with an access token; default: CERT_MIGRATION_ACCESS_TOKEN, then application default credentials",
    },
    { flags: "--json", description: "print the results as JSON" },
    { flags: "--junit <file>", description: "write the results as JUnit XML to this file" },
    {
      flags: "--log <file>",
      description: "add the result as a line of JSON to this file, and report since when each name has passed",
    },
    {
      flags: "--annotations",
      description: "also print failures as GitHub annotations; enabled automatically in GitHub Actions",
    },
  ],
  examples: [
    { command: "cert-migration verify --hostname example.com --address 203.0.113.7", what: "one hostname" },
    { command: "cert-migration verify --stack cdktf.out/stacks/shop --address 203.0.113.7", what: "a stack" },
    {
      command: "cert-migration verify --spec migration.yaml --project my-project --exact --junit verify.xml",
      what: "require the exact certificates, in a pipeline",
    },
    {
      command: "cert-migration verify --outputs outputs.json --trust-pool",
      what: "certificates of private CAs, without a file of their roots",
    },
  ],
  exitCodes: {
    4: "a hostname is not served correctly, a freeze was violated, or the run was interrupted",
    5: "all hostnames are served correctly, but the log does not show whether the freeze was violated",
  },
  run: runVerify,
};

async function runVerify(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const { expiryFindings, primariesOf, probeFallbacks, targetsOf, unconfirmedFindings } =
    require("../../../live/verify") as typeof import("../../../live/verify");
  const family = options.family as "ipv4" | "ipv6" | undefined;
  const { hostnames, addresses, migrations } = await readSubjects(invocation, io, family);
  const hasPlan = migrations.length > 0;
  const targets = hasPlan
    ? targetsOf(migrations, hostnames)
    : hostnames.map((hostname): VerifyTarget => ({ hostname, addresses }));
  const primaries = hasPlan ? primariesOf(migrations) : addresses.map((address): PrimaryTarget => ({ address }));
  const limits = readLimits(options);
  const side = readPreviousProvider(options);
  // Refuse unusable options now rather than after the verification.
  const guard = options.freeze === undefined ? undefined : await readGuard(options, io);
  if (typeof options.junit === "string") await checkWritable(options.junit, { force: true });
  if (typeof options.log === "string") await checkAppendable(options.log);
  const trust = options.trustPool === true ? await readTrust(migrations, invocation, io) : undefined;
  const connections = await readConnections(invocation, io, trust?.rootsFor);
  const startedAt = io.now().toISOString();
  const { planned, exact } = await readExact(options, targets, primaries, hasPlan, io);
  const known = planned === undefined ? {} : { planned };
  const results = await checkServing({ ...limits, ...known, targets, http: options.http === true }, connections, io);
  const { fallbacks, findings } = await probeFallbacks({
    ...known,
    targets: primaries,
    shakeHands: (address, serverName) =>
      connections.shakeHands(address, address, { serverName, confirm: false }).catch(unreachableHandshake),
    random: Math.random,
  });
  // After a stop, the report shows the results so far, and no further requests are sent.
  const goesOn = !io.signal.aborted;
  const compared =
    goesOn && side !== undefined
      ? await compareWith(side, { targets, migrations, connections, withinMs: limits.withinMs }, io)
      : none;
  const freeze = goesOn && guard !== undefined ? await askOrUnknown(guard, io) : undefined;
  const report: VerifyReport = {
    results,
    fallbacks,
    comparisons: compared.comparisons,
    findings: [
      ...findings,
      ...unconfirmedFindings(results),
      ...expiryFindings(results, io.now()),
      ...compared.findings,
    ],
    exact,
    ...defined({ trustedPools: trust?.pools, freeze }),
  };
  return printReport(report, { startedAt, migrations: checkedMigrations(migrations) }, options, io);
}

/** Returns a failed handshake if the rehearsal's cloud has ended, so that earlier results are still reported. */
function unreachableHandshake(error: unknown): Handshake {
  if (!(error instanceof ServiceError)) throw error;
  return { ok: false, code: "unreachable", detail: error.message };
}

/**
 * Returns the freeze report, or an unknown result if the log cannot be read, so that the results for the hostnames are
 * still reported.
 */
async function askOrUnknown({ ask, unknown }: FreezeGuard, { signal }: Io): Promise<FreezeReport> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted) return unknown("the run was stopped");
    if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
    return unknown(error.message);
  }
}

const none: Compared = { comparisons: [], findings: [] };

function readLimits(options: Invocation["options"]): CheckLimits {
  return {
    repeat: readCount(options.repeat as string, "--repeat", 1_000),
    withinMs: readDuration(options.within as string, "--within"),
    keyFamilies: readFamilies(options.keyType as readonly string[]),
  };
}

async function printReport(
  report: VerifyReport,
  verified: Pick<VerifyJson, "startedAt" | "migrations">,
  options: Invocation["options"],
  io: Io,
): Promise<ExitCode> {
  const { results, findings, freeze, exact } = report;
  const ok =
    results.length > 0 &&
    results.every((result) => result.ok) &&
    findings.every(({ severity }) => severity !== "error") &&
    freeze?.verdict !== "violations";
  const json: VerifyJson = { time: io.now().toISOString(), ok, ...verified, ...report };
  if (options.json === true) io.stdout.write(jsonDocument(json));
  else for (const line of summaryLines(report)) io.stdout.write(`${folderFor(io, "stdout")(line, 2)}\n`);
  if (typeof options.junit === "string") await writeWhole(options.junit, junitXml(report), { force: true });
  if (typeof options.log === "string" && !io.signal.aborted) await logVerification(options.log, results, io);
  if (options.annotations === true || io.env.GITHUB_ACTIONS === "true") {
    for (const line of annotationLines(report)) io.stderr.write(`${line}\n`);
  }
  const good = results.filter((result) => result.ok).length;
  io.stderr.write(`${good} of ${countOf(results.length, "name served as it", "names served as they")} should be\n`);
  if (!exact.checked) io.stderr.write(`not compared with the certificates of the plan: ${safe(exact.reason)}\n`);
  else if (exact.unknown > 0) {
    io.stderr.write(
      `${countOf(exact.unknown, "name")} not compared with the plan: not every certificate's id is known\n`,
    );
  }
  if (!ok) return 4;
  return freeze?.verdict === "unknown" ? 5 : 0;
}

function readFamilies(given: readonly string[]): readonly KeyFamily[] {
  const wrong = given.filter((family) => family !== "rsa" && family !== "ecdsa");
  if (wrong.length === 0) return [...new Set(given)] as readonly KeyFamily[];
  throw new InputError(
    wrong.map((family) => ({
      code: "key-type-unknown",
      message: `--key-type ${quote(family)} is not a kind of key; use rsa or ecdsa`,
    })),
  );
}

/** Checks before the verification that a line can be added to the log, and that the file is such a log. */
async function checkAppendable(path: string): Promise<void> {
  await append(path, "");
  await readLog(path);
}

/** Adds a verification to the log, and reports for how long the names have passed. */
async function logVerification(path: string, results: readonly VerifyResult[], io: Io): Promise<void> {
  const { loggedVerification, passingTimes } = require("../../../live/verify") as typeof import("../../../live/verify");
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
  const { readVerifyLog } = require("../../../live/verify") as typeof import("../../../live/verify");
  return readVerifyLog(await readFile(path, "utf8"), path);
}

async function append(path: string, text: string): Promise<void> {
  await appendFile(path, text).catch((error: unknown) => {
    const message = `--log ${quote(path)} can't be written: ${fileReason(error)}; give another name`;
    throw new InputError("file-unwritable", message);
  });
}
