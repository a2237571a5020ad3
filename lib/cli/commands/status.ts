import { InputError } from "../../errors";
import type {
  HostnameStatus,
  HostnamesSnapshot,
  Observed,
  StatusVerification,
  VerifiedServing,
} from "../../live/status";
import type { SourceMigration } from "../../source";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { type Connections, connectionOptions, readConnections } from "../connections";
import { readDuration, sleep, wordsFor } from "../duration";
import { dnsServerOption, endpointOf, endpointOption } from "../options";
import { createProgress, type Progress } from "../progress";
import { readSource, sourceOptions } from "../source";
import { nameOfInput, readInput } from "../standard-input";
import { isTerminal, paintFor } from "../style";
import { jsonDocument, safe } from "../text";
import { changeLine, legend, statusScreen, statusTable, summaryOf } from "./status-view";

export const statusCommand: CommandDetails = {
  description:
    "Shows for each hostname which of the eight steps are done, why the next step is not done, and what to do. The steps: certificate created, CNAME published, certificate active, entry created, entry active, map attached, served and verified, traffic moved. The state comes from Certificate Manager and DNS; step 7 comes from handshakes of --verify-now, or from the result of the command verify (--verify). With --watch it repeats the checks and shows changes. The command changes nothing.",
  options: [
    ...sourceOptions,
    { flags: "--verify <file>", description: "output of 'verify --json', for step 7; - for standard input" },
    { flags: "--verify-now", description: "make one handshake for each hostname at each address of the load balancer" },
    ...connectionOptions,
    { flags: "--watch", description: "repeat until all steps are done or the command is interrupted" },
    {
      flags: "--every <time>",
      description: "with --watch: minimum interval between two checks, at least 1s",
      default: "30s",
    },
    dnsServerOption,
    endpointOption,
    { flags: "--json", description: "print JSON; with --watch one object per line after each change" },
  ],
  examples: [
    {
      command: "cert-migration status --stack cdktf.out/stacks/shop --project my-project",
      what: "every migration of a stack",
    },
    {
      command: "cert-migration status --spec migration.yaml --project my-project --verify-now --watch",
      what: "with handshakes, until every step is done",
    },
    { command: "terraform output -json | cert-migration status --outputs - --json", what: "JSON output for scripts" },
  ],
  exitCodes: { 4: "a step has failed, and needs a fix" },
  run: runStatus,
};

async function runStatus(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { assessStatus, observeAll } = require("../../live/status") as typeof import("../../live/status");
  const { createLookUp } = require("../../dns") as typeof import("../../dns");
  const { options } = invocation;
  if (options.verify !== undefined && options.verifyNow === true) {
    throw new InputError("verification-twice", "use either --verify or --verify-now: both contain the state of step 7");
  }
  const everyMs = readDuration(options.every as string, "--every", { least: "1s" });
  const { migrations } = await readSource(invocation, io);
  const earlier = typeof options.verify === "string" ? await readVerification(options.verify, io) : undefined;
  const connections = options.verifyNow === true ? await readConnections(invocation, io) : undefined;
  const lookUp = createLookUp(options.dnsServer as string | undefined, io.signal);
  const { resourceLister } = require("../../google") as typeof import("../../google");
  const lister = resourceLister(endpointOf(options, io));
  const observeOnce = async (progress: Progress | undefined): Promise<HostnamesSnapshot> => {
    const { observed, ...costs } = await observeAll(migrations, { lister, lookUp, signal: io.signal }, (answered) =>
      progress?.update(answered, 0),
    );
    if (connections !== undefined) progress?.show("handshakes with the load balancer");
    const verification = connections === undefined ? earlier : await verifyNow(migrations, observed, connections, io);
    const hostnames = migrations.flatMap((migration, index) =>
      assessStatus(migration, observed[index] as Observed, verification),
    );
    return { hostnames, ...costs };
  };
  const hostnames =
    options.watch === true
      ? await watch(observeOnce, everyMs, options.json === true, io)
      : await showOnce(observeOnce, options.json === true, io);
  return hostnames.some(({ steps }) => steps.some(({ state }) => state === "failed")) ? 4 : 0;
}

async function readVerification(path: string, io: Io): Promise<StatusVerification> {
  const { readVerification } = require("../../live/status") as typeof import("../../live/status");
  return readVerification(await readInput(path, "--verify", io), nameOfInput(path));
}

async function verifyNow(
  migrations: readonly SourceMigration[],
  observed: readonly Observed[],
  { shakeHands, concurrency }: Connections,
  io: Io,
): Promise<StatusVerification> {
  const { balancerAddresses, hostnamesOf } = require("../../live/status") as typeof import("../../live/status");
  const { verifyServing } = require("../../live/verify") as typeof import("../../live/verify");
  const targets = migrations.flatMap((migration, index) => {
    const addresses = balancerAddresses(migration, observed[index] as Observed);
    return hostnamesOf(migration).map(({ hostname }) => ({ hostname, addresses }));
  });
  const pairs = new Set(targets.flatMap(({ hostname, addresses }) => addresses.map((one) => `${hostname} ${one}`)));
  const once = new AbortController();
  const note = ({ hostname, address }: VerifiedServing) => {
    pairs.delete(`${hostname} ${address}`);
    // Stop after one result for each pair. `verifyServing` would retry failures, but the next check repeats them
    // anyway.
    if (pairs.size === 0) once.abort();
  };
  const results = await verifyServing({
    targets,
    shakeHands: (address, hostname) => shakeHands(address, hostname),
    repeat: 1,
    concurrency,
    signal: AbortSignal.any([io.signal, once.signal]),
    now: () => io.now().getTime(),
    sleep,
    random: Math.random,
    onResult: note,
    onRetry: note,
  });
  io.signal.throwIfAborted();
  // The result has no time: the clocks of this machine and of the service may differ, so times cannot establish an
  // order.
  return { results };
}

type ObserveOnce = (progress: Progress | undefined) => Promise<HostnamesSnapshot>;

async function showOnce(observeOnce: ObserveOnce, json: boolean, io: Io): Promise<readonly HostnameStatus[]> {
  const progress = createProgress(io, { noun: ["answer of DNS", "answers of DNS"] });
  try {
    const { hostnames } = await observeOnce(progress);
    progress.end();
    if (json) io.stdout.write(jsonDocument(statusJson(hostnames, io)));
    else {
      io.stdout.write(statusTable(hostnames, paintFor(io, "stdout"), terminalColumns(io)));
      if (io.quiet !== true) io.stderr.write(`${legend}\n${summaryOf(hostnames)}\n`);
    }
    return hostnames;
  } finally {
    progress.end();
  }
}

/** Redraws the same lines on a terminal; otherwise prints a line for each change. */
async function watch(
  observeOnce: ObserveOnce,
  everyMs: number,
  json: boolean,
  io: Io,
): Promise<readonly HostnameStatus[]> {
  const { watchStatus } = require("../../live/status") as typeof import("../../live/status");
  const paint = paintFor(io, "stdout");
  const moves = !json && isTerminal(io.stdout, io.env);
  let drawn = 0;
  let snapshots = 0;
  const hostnames = await watchStatus({
    takeSnapshot: () => observeOnce(undefined),
    everyMs,
    signal: io.signal,
    sleep,
    random: Math.random,
    onSnapshot: (seen, changes, pauseMs) => {
      snapshots += 1;
      if (moves) {
        const heading = `${io.now().toISOString()}: ${summaryOf(seen)}; next snapshot in ${wordsFor(pauseMs)}, Ctrl-C ends`;
        const lines = statusScreen(seen, heading, io.stdout, paint);
        const back = drawn === 0 ? "" : `\u001b[${drawn}A\r\u001b[J`;
        io.stdout.write(`${back}${lines.map((line) => `${line}\n`).join("")}`);
        drawn = lines.length;
      } else if (json) {
        if (snapshots === 1 || changes.length > 0) io.stdout.write(jsonDocument(statusJson(seen, io), 0));
      } else {
        if (snapshots === 1) io.stdout.write(`${io.now().toISOString()} ${summaryOf(seen)}\n`);
        for (const change of changes) io.stdout.write(`${changeLine(change, io.now())}\n`);
      }
    },
    onRetry: (error) => {
      io.stderr.write(`${safe(error.message)}; checking again\n`);
      drawn = 0;
    },
  });
  // Without a completed check, the command has no answer.
  if (snapshots === 0) io.signal.throwIfAborted();
  if (!json && !moves) io.stdout.write(statusTable(hostnames, paint, terminalColumns(io)));
  io.stderr.write(`${io.signal.aborted ? "stopped: " : ""}${summaryOf(hostnames)}; nothing was changed\n`);
  return hostnames;
}

function statusJson(hostnames: readonly HostnameStatus[], io: Io): object {
  return { time: io.now().toISOString(), hostnames };
}

/** Returns the width of the terminal on standard output; undefined without a terminal. */
function terminalColumns(io: Io): number | undefined {
  return isTerminal(io.stdout, io.env) ? io.stdout.columns : undefined;
}
