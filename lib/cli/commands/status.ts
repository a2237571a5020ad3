import { InputError } from "../../errors";
import type { HostnameStatus, HostnamesSnapshot, StatusVerification } from "../../live/status";
import type { RenewalFinding } from "../../renewal";
import { caPoolReader } from "../ca-pools";
import type { Io } from "../command";
import { connectionOptions, readConnections } from "../connections";
import { defineCommand, value } from "../declare";
import { sleep, wordsFor } from "../duration";
import * as load from "../load";
import { dnsServerOption, endpointOf, endpointOption } from "../options";
import { createProgress, type Progress } from "../progress";
import { readSource, sourceOptions } from "../source";
import { nameOfInput, readInput } from "../standard-input";
import { columnsOf, isTerminal, paintFor } from "../style";
import { writeFindings, writeNote } from "../text";
import { duration } from "../value-types";
import { type VerdictLine, verdictText, writeVerdict } from "../verdict";
import { verifyNow } from "../verify-now";
import { serviceTime } from "./rehearse/route";
import { changeLine, hostnamesVerdict, legendLines, statusScreen, statusTable } from "./status-view";

export const command = defineCommand({
  description:
    "Shows for each hostname which of the eight steps are done, why the next step is not done, and what to do. The steps: certificate created, CNAME published, certificate active, entry created, entry active, map attached, served and verified, traffic moved. It also reports certificates whose renewal fails or is overdue, and uploaded certificates near their end. The state comes from Certificate Manager and DNS; step 7 comes from handshakes of --verify-now, or from the result of the command verify (--verify). With --watch it repeats the checks and shows changes. The command changes nothing.",
  options: {
    ...sourceOptions,
    "--verify <file>": "output of 'verify --json', for step 7; - for standard input",
    "--verify-now": "make one handshake for each hostname at each address of the load balancer",
    ...connectionOptions,
    "--watch": "repeat until all steps are done or the command is interrupted",
    "--every <time>": value(
      duration({ least: "1s" }),
      "with --watch: minimum interval between two checks, at least 1s",
      "30s",
    ),
    ...dnsServerOption,
    ...endpointOption,
    "--json": "print JSON; with --watch one object per line after each change",
  },
  json: "time, hostnames, findings",
  examples: {
    "cert-migration status --stack cdktf.out/stacks/shop --project my-project": "every migration of a stack",
    "cert-migration status --spec migration.yaml --project my-project --verify-now --watch":
      "with handshakes, until every step is done",
    "terraform output -json | cert-migration status --outputs - --json": "JSON output for scripts",
  },
  exitCodes: { 4: "a step or the renewal of a certificate has failed, and needs a fix" },
  run: async ({ options, json: format }, io) => {
    if (options.verify !== undefined && options.verifyNow) {
      const message = "use either --verify or --verify-now: both contain the state of step 7";
      throw new InputError("verification-twice", message);
    }
    const { migrations } = await readSource(options, io);
    const earlier = options.verify === undefined ? undefined : await readVerification(options.verify, io);
    const connections = options.verifyNow ? await readConnections(options, io) : undefined;
    const lookUp = load.dns().createLookUp(options.dnsServer, io.signal);
    const lister = load.google().resourceLister(endpointOf(options, io));
    const reading = { lister, lookUp, caPools: caPoolReader(options, io), signal: io.signal };
    const observeOnce = async (progress: Progress | undefined): Promise<HostnamesSnapshot> => {
      const { assessRenewals, assessStatus, observeAll, pairUp } = load.status();
      const { observed, ...costs } = await observeAll(migrations, reading, (answered) => progress?.update(answered, 0));
      const pairs = pairUp(migrations, observed);
      if (connections !== undefined) progress?.show("handshakes with the load balancer");
      const verification = connections === undefined ? earlier : await verifyNow(pairs, connections, io);
      const now = await serviceTime(io);
      findings = pairs.flatMap((pair) => assessRenewals(pair, now));
      return { hostnames: pairs.flatMap((pair) => assessStatus(...pair, verification)), ...costs };
    };
    let findings: readonly RenewalFinding[] = [];
    const json = options.json
      ? (hostnames: readonly HostnameStatus[], indent?: number) =>
          format({ time: io.now().toISOString(), hostnames, findings }, indent)
      : undefined;
    const renewals = () => findings;
    const hostnames = options.watch
      ? await watch(observeOnce, options.every, json, renewals, io)
      : await showOnce(observeOnce, json, renewals, io);
    const isFailed = hostnames.some(({ steps }) => steps.some(({ state }) => state === "failed"));
    return isFailed || findings.some(({ severity }) => severity === "error") ? 4 : 0;
  },
});

/** Formats the JSON of the command; undefined without `--json`. */
type StatusJson = ((hostnames: readonly HostnameStatus[], indent?: number) => string) | undefined;

async function readVerification(path: string, io: Io): Promise<StatusVerification> {
  const { readVerification } = load.status();
  return readVerification(await readInput(path, "--verify", io), nameOfInput(path));
}

type ObserveOnce = (progress: Progress | undefined) => Promise<HostnamesSnapshot>;

async function showOnce(
  observeOnce: ObserveOnce,
  json: StatusJson,
  renewals: () => readonly RenewalFinding[],
  io: Io,
): Promise<readonly HostnameStatus[]> {
  const progress = createProgress(io, { noun: ["answer of DNS", "answers of DNS"] });
  try {
    const { hostnames } = await observeOnce(progress);
    progress.end();
    if (json !== undefined) io.stdout.write(json(hostnames));
    else {
      io.stdout.write(statusTable(hostnames, paintFor(io, "stdout"), columnsOf(io, "stdout")));
      writeFindings(renewals(), io);
      if (io.quiet !== true) {
        io.stderr.write(`${legendLines(columnsOf(io, "stderr")).join("\n")}\n`);
        writeVerdict(hostnamesVerdict(hostnames, renewals()), io, "stderr");
      }
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
  json: StatusJson,
  renewals: () => readonly RenewalFinding[],
  io: Io,
): Promise<readonly HostnameStatus[]> {
  const { watchStatus } = load.status();
  const paint = paintFor(io, "stdout");
  const moves = json === undefined && isTerminal(io.stdout, io.env);
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
        const heading = `${io.now().toISOString()}: ${verdictText(hostnamesVerdict(seen))}; next snapshot in ${wordsFor(pauseMs)}, Ctrl-C ends`;
        const lines = statusScreen(seen, heading, io.stdout, paint);
        const back = drawn === 0 ? "" : `\u001b[${drawn}A\r\u001b[J`;
        io.stdout.write(`${back}${lines.map((line) => `${line}\n`).join("")}`);
        drawn = lines.length;
      } else if (json !== undefined) {
        if (snapshots === 1 || changes.length > 0) io.stdout.write(json(seen, 0));
      } else {
        if (snapshots === 1) io.stdout.write(`${io.now().toISOString()} ${verdictText(hostnamesVerdict(seen))}\n`);
        for (const change of changes) io.stdout.write(`${changeLine(change, io.now())}\n`);
      }
    },
    onRetry: (error) => {
      writeNote(error.code, `${error.message}; checking again`, io);
      drawn = 0;
    },
  });
  // Without a completed check, the command has no answer.
  if (snapshots === 0) io.signal.throwIfAborted();
  if (json === undefined && !moves) io.stdout.write(statusTable(hostnames, paint, columnsOf(io, "stdout")));
  if (json === undefined) writeFindings(renewals(), io);
  const verdict = hostnamesVerdict(hostnames, renewals());
  const rest = `${verdict.rest ?? ""}; nothing was changed`;
  const stopped: VerdictLine = { state: "stopped", headline: "stopped", rest: `: ${verdict.headline}${rest}` };
  writeVerdict(io.signal.aborted ? stopped : { ...verdict, rest }, io, "stderr");
  return hostnames;
}
