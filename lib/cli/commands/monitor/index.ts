import { InputError, ServiceError } from "../../../errors";
import type { FallbackChecks, MonitoredHostname, MonitoredPart, MonitorPass, PassOutcome } from "../../../live/monitor";
import type { SourceMigration } from "../../../source";
import { countOf } from "../../../text/words";
import { caPoolReader } from "../../ca-pools";
import { collectGarbage, keepHeapSmall } from "../../closed-connections";
import type { ExitCode, Io } from "../../command";
import {
  clientCertificateOptions,
  connectionOptions,
  fallbackClient,
  readConnections,
  trustPoolOption,
} from "../../connections";
import { defineCommand, type OptionValues, value } from "../../declare";
import { sleep, wordsFor } from "../../duration";
import { checkWritable, writeWhole } from "../../files";
import * as load from "../../load";
import { dnsServerOption, endpointOf, endpointOption, jsonOption } from "../../options";
import { createProgress } from "../../progress";
import { readShard, shardIn, shardOption } from "../../shard";
import { readSource, sourceOptions } from "../../source";
import { columnsOf, paintFor } from "../../style";
import { writeFindings, writeNote, writeProblems } from "../../text";
import { formatTable } from "../../text-table";
import { checked, duration } from "../../value-types";
import { closeOnTerminal } from "../../verdict";
import { verifyNow } from "../../verify-now";
import { serviceTime } from "../rehearse/route";
import { readTrust } from "../verify/google-cloud";
import { serveMetrics } from "./serve";

const listenAddress = checked(
  "listen-malformed",
  (given) => {
    const [, ipv6, host, port = ""] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(given) ?? [];
    const address = ipv6 ?? host;
    return address === undefined || Number(port) > 65_535 ? undefined : { address, port: Number(port) };
  },
  "is not an address to listen on; use HOST:PORT, as in 127.0.0.1:9000 or [::1]:9000",
);

const metricsFile = {
  ...checked(
    "metrics-malformed",
    (given) => (given === "-" || given === "" ? undefined : given),
    "is not a file; give the name of a file",
  ),
  refuses: ["-", "metrics-malformed"],
} as const;

const monitorOptions = {
  ...sourceOptions,
  "--metrics <file>": value(
    metricsFile,
    "write the metrics in the text format of Prometheus to this file, by a rename",
  ),
  "--listen <host:port>": value(
    listenAddress,
    "serve /metrics and /healthz at this address, and repeat the pass until the command is stopped",
  ),
  "--every <time>": value(
    duration({ least: "1s" }),
    "with --listen: time from the end of a pass to the next one, at least 1s",
    "5m",
  ),
  ...shardOption,
  ...connectionOptions,
  ...trustPoolOption,
  ...clientCertificateOptions,
  ...dnsServerOption,
  ...endpointOption,
  ...jsonOption,
};

type MonitorOptions = OptionValues<typeof monitorOptions>;

export const command = defineCommand({
  description:
    "Checks in one pass what keeps the certificates of a migration valid for years: the state of certificates and map entries, the CNAMEs of the authorizations, the days until each renewal and expiry, and a handshake for each hostname at each address of its load balancer. For a schedule: a timer, a job of Cloud Run or Kubernetes, or a pipeline. With --listen it repeats and serves metrics for Prometheus. It changes nothing.",
  options: monitorOptions,
  json: "time, shard?, hostnames, findings",
  examples: {
    "cert-migration monitor --spec migration.yaml --project my-project":
      "one pass; exit code 4 if something needs a fix",
    "terraform output -json | cert-migration monitor --outputs - --metrics cert-migration.prom":
      "with metrics for the textfile collector of Prometheus' node exporter",
    "cert-migration monitor --spec migration.yaml --project my-project --listen 127.0.0.1:9000 --every 5m":
      "repeat every 5 minutes, and serve metrics",
  },
  exitCodes: { 4: "a finding is an error: a hostname is not served, or a certificate will not be renewed" },
  run: async ({ options, given, jsonPieces }, io) => {
    if (given.has("every") && options.listen === undefined) {
      const message = "--every needs --listen, because only a command that serves metrics repeats the pass";
      throw new InputError("every-without-listen", message);
    }
    const monitor = await prepare(options, io);
    if (options.listen !== undefined) return repeat(monitor, options.listen, options.every, io);
    const pass = await monitor.once();
    if (!options.json) {
      printPass(pass, io);
      closeOnTerminal({ state: exitCodeOf(pass) === 0 ? "done" : "failed", headline: countsOf(pass) }, io);
    } else
      for (const piece of jsonPieces({ time: io.now().toISOString(), ...shardIn(options, io), ...pass }))
        io.stdout.write(piece);
    return exitCodeOf(pass);
  },
});

interface Monitor {
  /** Runs one pass, and writes the file of metrics, also for a pass that fails. */
  readonly once: () => Promise<MonitorPass>;
  /** The outcome of the latest pass. */
  readonly outcome: () => PassOutcome;
}

async function prepare(options: MonitorOptions, io: Io): Promise<Monitor> {
  keepHeapSmall();
  const { metrics } = options;
  if (metrics !== undefined) await checkWritable(metrics, { force: true });
  const { parts, beginFallbackChecks, privately } = await readMonitored(options, io);
  collectGarbage();
  const lookUp = load.dns().createLookUp(options.dnsServer, io.signal);
  const { assessPass, joinPasses, keepLittle, pageSizes } = load.monitor();
  const lister = load.google().resourceLister(endpointOf(options, io), undefined, undefined, {
    ...pageSizes,
    ...keepLittle(),
  });
  const caPools = caPoolReader(options, io);
  const printed = new Set<string>();
  const pass = async () => {
    // Roots of a pool and client certificates change while the command repeats.
    const trust = options.trustPool ? await readTrust(privately, options, io, printed) : undefined;
    const connections = await readConnections(options, io, trust?.rootsFor);
    const probing = { shakeHands: fallbackClient(connections), random: Math.random, signal: io.signal };
    const progress = createProgress(io, { noun: ["answer of DNS", "answers of DNS"] });
    const { askingOnce, observeAll, pairUp } = load.status();
    const lists = askingOnce(lister);
    const fallbacks = beginFallbackChecks();
    const passes: MonitorPass[] = [];
    let questions = 0;
    try {
      for (const part of parts) {
        const migrations = part.migrations();
        const observation = await observeAll(
          migrations,
          { lister: lists, lookUp, caPools, signal: io.signal, onGarbage: collectGarbage },
          (answered) => progress.update(questions + answered, 0),
        );
        questions += observation.questions;
        collectGarbage();
        progress.show("handshakes with the load balancer");
        const observed = pairUp(migrations, observation.observed);
        const verification = await verifyNow(observed, connections, io);
        collectGarbage();
        fallbacks.note(observed, verification);
        passes.push(assessPass(observed, verification, await serviceTime(io)));
      }
      passes.push({ hostnames: [], findings: await fallbacks.findings({ lister: lists, ...probing }) });
      const joined = joinPasses(passes);
      collectGarbage();
      return joined;
    } finally {
      progress.end();
    }
  };
  return recording(pass, options, io);
}

interface Monitored {
  readonly parts: readonly MonitoredPart[];
  readonly beginFallbackChecks: () => FallbackChecks;
  /** Migrations whose private CAs are trusted; empty without `--trust-pool`. */
  readonly privately: readonly SourceMigration[];
}

async function readMonitored(options: MonitorOptions, io: Io): Promise<Monitored> {
  const shard = options.shard === undefined ? undefined : readShard(options.shard, io);
  const { migrations } = await readSource(options, io);
  const { fallbackChecks, migrationsOfShard, partsOf } = load.monitor();
  const ofShard = shard === undefined ? migrations : migrationsOfShard(migrations, shard);
  return {
    parts: partsOf(ofShard.map(withoutNeedless)),
    beginFallbackChecks: fallbackChecks(migrations),
    privately: options.trustPool ? migrations : [],
  };
}

/** Leaves out the authorizations of a migration whose records are known. */
function withoutNeedless(migration: SourceMigration): SourceMigration {
  return load.records().needsAuthorizations([migration]) ? migration : { ...migration, authorizations: [] };
}

/** Remembers the outcome of each pass, and writes it to the file of metrics. */
function recording(pass: () => Promise<MonitorPass>, options: MonitorOptions, io: Io): Monitor {
  const { metrics, listen } = options;
  const { now } = io;
  let outcome: PassOutcome = { isSuccess: false, seconds: 0, ...shardIn(options, io) };
  const write = async () => {
    if (metrics === undefined) return;
    const { text } = await load.monitor().metricsPage(outcome, "prometheus");
    try {
      await writeWhole(metrics, text, { force: true });
    } catch (error) {
      // With --listen, the metrics are still served, and the next pass writes again.
      if (listen === undefined || !(error instanceof InputError)) throw error;
      writeProblems(error, io);
    }
  };
  return {
    outcome: () => outcome,
    once: async () => {
      const started = now().getTime();
      const seconds = () => (now().getTime() - started) / 1_000;
      try {
        const found = await pass();
        outcome = { ...outcome, pass: found, isSuccess: true, endedAt: now(), seconds: seconds() };
        return found;
      } catch (error) {
        outcome = { ...outcome, isSuccess: false, seconds: seconds() };
        throw error;
      } finally {
        await write();
      }
    },
  };
}

/** Time without a pass that is always healthy: the first pass of many hostnames takes minutes. */
const leastSilenceMs = 10 * 60_000;

/** Repeats the pass until the command is stopped. A pass that fails is repeated as well. */
async function repeat(
  monitor: Monitor,
  listen: NonNullable<MonitorOptions["listen"]>,
  everyMs: number,
  io: Io,
): Promise<ExitCode> {
  const { metricsPage } = load.monitor();
  const started = io.now().getTime();
  const server = await serveMetrics(listen, {
    page: (format) => metricsPage(monitor.outcome(), format),
    isHealthy: () => {
      const { endedAt, seconds } = monitor.outcome();
      const silentMs = io.now().getTime() - (endedAt?.getTime() ?? started);
      return silentMs <= Math.max(leastSilenceMs, 2 * (everyMs + seconds * 1_000));
    },
  });
  try {
    io.stdout.write(`${server.url}/metrics\n`);
    while (!io.signal.aborted) {
      await reportPass(monitor, everyMs, io);
      await sleep(everyMs, io.signal).catch(() => undefined);
    }
    return 0;
  } finally {
    await server.close();
  }
}

async function reportPass(monitor: Monitor, everyMs: number, io: Io): Promise<void> {
  try {
    const counts = countsOf(await monitor.once());
    if (io.quiet !== true) io.stderr.write(`${io.now().toISOString()} ${counts}\n`);
  } catch (error) {
    if (io.signal.aborted) return;
    // The next pass may not have the error of a service.
    if (!(error instanceof ServiceError)) throw error;
    writeNote(error.code, `${error.message}; the next pass begins in ${wordsFor(everyMs)}`, io);
  }
}

function countsOf({ hostnames, findings }: MonitorPass): string {
  const { length: errors } = findings.filter(({ severity }) => severity === "error");
  return `${countOf(hostnames.length, "hostname")}, ${countOf(errors, "error")}`;
}

function exitCodeOf({ findings }: MonitorPass): ExitCode {
  return findings.some(({ severity }) => severity === "error") ? 4 : 0;
}

function printPass({ hostnames, findings }: MonitorPass, io: Io): void {
  const paint = paintFor(io, "stdout");
  const head = ["hostname", "certificate", "renewal due", "ends", "entry", "CNAME", "handshake"];
  const rows = hostnames.map((monitored) => [
    monitored.hostname,
    monitored.certificateState ?? "missing",
    inDays(monitored.daysToRenewal),
    inDays(monitored.daysToExpiry),
    monitored.entryState ?? "-",
    wordOf(monitored.record),
    wordOf(monitored.handshake),
  ]);
  const isGood = (cell: string) => ["ACTIVE", "good"].includes(cell);
  const paintState = (cell: string, column: number) =>
    column === 0 || column === 2 || column === 3 || cell === "-" ? cell : paint(isGood(cell) ? "good" : "bad", cell);
  io.stdout.write(formatTable(head, rows, paintState, columnsOf(io, "stdout")));
  writeFindings(findings, io);
}

function inDays(days: number | undefined): string {
  if (days === undefined) return "-";
  return days < 0 ? `${Math.ceil(-days)} d ago` : `in ${Math.floor(days)} d`;
}

function wordOf(state: MonitoredHostname["record"]): string {
  return state === "done" ? "good" : state === "none" ? "-" : state === "unknown" ? "not known" : "bad";
}
