import { InputError, ServiceError } from "../../../errors";
import type { MonitoredHostname, MonitorPass, PassOutcome } from "../../../live/monitor";
import { countOf } from "../../../text/words";
import type { ExitCode, Io } from "../../command";
import { defineCommand } from "../../declare";
import { sleep, wordsFor } from "../../duration";
import { checkWritable, writeWhole } from "../../files";
import * as load from "../../load";
import { shardIn } from "../../shard";
import { writeFindings, writeNote, writeProblems } from "../../text";
import { writeTable } from "../../text-table";
import { closeOnTerminal } from "../../verdict";
import { type MonitorOptions, monitorOptions } from "./options";
import { preparePass } from "./pass";
import { serveMetrics } from "./serve";

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
  io.memory?.keepSmall();
  if (options.metrics !== undefined) await checkWritable(options.metrics, { force: true });
  const recorder = createRecorder(options, io);
  // An error in the source also ends a pass: the file of metrics must not keep the success of the previous run.
  const pass = await recorder.orFailure(() => preparePass(options, io));
  return { outcome: recorder.outcome, once: () => recorder.once(pass) };
}

/** Remembers the outcome of each pass, and writes it to the file of metrics. */
function createRecorder({ metrics, listen, ...options }: MonitorOptions, io: Io) {
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
  const secondsSince = (started: Date) => (now().getTime() - started.getTime()) / 1_000;
  /** Returns the result of the work, or records its failure. */
  const orFailure = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const started = now();
    try {
      return await work();
    } catch (error) {
      outcome = { ...outcome, isSuccess: false, seconds: secondsSince(started) };
      await write();
      throw error;
    }
  };
  return {
    outcome: () => outcome,
    orFailure,
    once: async (pass: () => Promise<MonitorPass>): Promise<MonitorPass> => {
      const started = now();
      const found = await orFailure(pass);
      outcome = { ...outcome, pass: found, isSuccess: true, endedAt: now(), seconds: secondsSince(started) };
      await write();
      return found;
    },
  };
}

/** Time without a pass that is always healthy: the first pass of many hostnames takes minutes. */
const leastSilenceMs = 10 * 60_000;

/** Repeats the pass until the command is stopped, also after a pass that failed. */
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
    let passing: PassingErrors = [ServiceError];
    while (!io.signal.aborted) {
      await reportPass(monitor, { everyMs, passing }, io);
      // After the first pass, a file that can't be used may be in the course of its replacement.
      passing = [ServiceError, InputError];
      await sleep(everyMs, io.signal).catch(() => undefined);
    }
    return 0;
  } finally {
    await server.close();
  }
}

/** Errors that the next pass may not have. */
type PassingErrors = readonly (typeof InputError | typeof ServiceError)[];

/** Runs one pass, and prints its result or its passing error. Throws all other errors. */
async function reportPass(
  monitor: Monitor,
  { everyMs, passing }: { readonly everyMs: number; readonly passing: PassingErrors },
  io: Io,
): Promise<void> {
  try {
    const counts = countsOf(await monitor.once());
    if (io.quiet !== true) io.stderr.write(`${io.now().toISOString()} ${counts}\n`);
  } catch (error) {
    if (io.signal.aborted) return;
    const found = passing.some((type) => error instanceof type) ? (error as InputError | ServiceError) : undefined;
    if (found === undefined) throw error;
    for (const { code, message } of found instanceof InputError ? found.problems : [found]) {
      writeNote(code, `${message}; the next pass begins in ${wordsFor(everyMs)}`, io);
    }
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
  const states = [1, 4, 5, 6];
  writeTable(head, rows, io, (column, row) => {
    const cell = rows[row]?.[column] ?? "-";
    if (!states.includes(column) || ["-", "not known"].includes(cell)) return undefined;
    return ["ACTIVE", "good"].includes(cell) ? "good" : "bad";
  });
  writeFindings(findings, io);
}

function inDays(days: number | undefined): string {
  if (days === undefined) return "-";
  return days < 0 ? `${Math.ceil(-days)} d ago` : `in ${Math.floor(days)} d`;
}

function wordOf(state: MonitoredHostname["record"]): string {
  return state === "done" ? "good" : state === "none" ? "-" : state === "unknown" ? "not known" : "bad";
}
