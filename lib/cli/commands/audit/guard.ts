import type { FreezeReport, VerdictChange } from "../../../audit";
import { InputError } from "../../../errors";
import { quote } from "../../../quote";
import type { Command, ExitCode, Invocation, Io } from "../../command";
import { readDuration } from "../../duration";
import { readTextFile } from "../../files";
import { connect, connectionOptions, wordOptions, wordsOf } from "./connection";
import { jsonLine } from "./output";

export const auditGuardCommand: Command = {
  name: "audit guard",
  summary: "tell whether someone changed what matters during a change freeze",
  description:
    "Holds a change freeze against the administrators' log. The verdict is 'violations', 'clear as of' a time, or 'unknown'; never plain 'clear': the log arrives late, and the service says itself that it misses events, though rarely. It tells of changes after they were made and prevents none; a pipeline has to stop by its exit code. DNS, load balancers, certificates and Cloud IAM are not in this log. Look once more after the time that it names.",
  options: [
    {
      flags: "--freeze <file>",
      description: "YAML or JSON with start, end and, where wanted, watch, allow, control and hostnames",
    },
    { flags: "--lag <time>", description: "how long the log may take to be whole", default: "10m" },
    { flags: "--sign-off", description: "nothing short of the end of the freeze will do" },
    { flags: "--history <file>", description: "keep every verdict in this file, and tell when one is overturned" },
    { flags: "--json", description: "print the report as JSON" },
    ...wordOptions,
    ...connectionOptions,
  ],
  examples: [
    { command: "cert-migration audit guard --freeze freeze.yaml", what: "before each step of a cut-over" },
    {
      command: "cert-migration audit guard --freeze freeze.yaml --sign-off --history verdicts.jsonl",
      what: "after it",
    },
  ],
  exitCodes: { 4: "violations", 5: "unknown: do not go on as if nothing had changed" },
  run: runGuard,
};

async function runGuard({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { evaluateFreeze, gatherEvidence, openRecordLog, recordVerdict } =
    require("../../../audit") as typeof import("../../../audit");
  const freeze = await readFreezeFile(options.freeze as string | undefined);
  const lagSeconds = readDuration(options.lag as string, "--lag") / 1_000;
  const evidence = await gatherEvidence(connect(options, io), freeze, { now: io.now, signal: io.signal });
  const report = evaluateFreeze(freeze, evidence, {
    lagSeconds,
    signOff: options.signOff === true,
    ...wordsOf(options),
  });
  let change: VerdictChange | undefined;
  if (options.history !== undefined) {
    const log = openRecordLog(options.history as string);
    try {
      change = recordVerdict(log, report);
    } finally {
      log.close();
    }
  }
  if (options.json === true) io.stdout.write(jsonLine({ ...report, change: change ?? null }));
  else io.stdout.write(formatReport(report, change));
  return { "clear-as-of": 0, violations: 4, unknown: 5 }[report.verdict] as ExitCode;
}

async function readFreezeFile(path: string | undefined) {
  if (path === undefined)
    throw new InputError("freeze-missing", "there is no freeze to guard; give --freeze with a file");
  const { parseDocument } = require("yaml") as typeof import("yaml");
  const { readFreeze } = require("../../../audit") as typeof import("../../../audit");
  const document = parseDocument(await readTextFile(path, "--freeze"), { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.map(({ message }) => ({
        code: "freeze-malformed",
        message: `--freeze ${quote(path)} is no YAML: ${message.split("\n")[0]?.replace(/:$/, "")}`,
      })),
    );
  }
  return readFreeze(document.toJS({ maxAliasCount: 0 }));
}

function formatReport(report: FreezeReport, change: VerdictChange | undefined): string {
  const lines = [headline(report)];
  for (const { time, actor, message, severity, why } of report.violations) {
    lines.push(`  ${severity === "high" ? "! " : "- "}${time}  ${actor}: ${message}`, `      ${why}`);
  }
  if (report.violations.length > 0 && report.doubts.length > 0) lines.push("and there may be more:");
  for (const { code, message } of report.doubts) lines.push(`  ? ${message} [${code}]`);
  for (const { time, actor, message, ticket } of report.allowed)
    lines.push(`  agreed (${ticket}): ${time}  ${actor}: ${message}`);
  if (report.unusedRules.length > 0) lines.push(`allow rules that matched nothing: ${places(report.unusedRules)}`);
  if (report.expiredRules.length > 0) lines.push(`allow rules that had expired: ${places(report.expiredRules)}`);
  if (change?.overturned === true)
    lines.push(`OVERTURNED: an earlier verdict was clear for a time at which, as is known now, something was changed`);
  const gone = change?.goneViolations.length ?? 0;
  if (gone > 0)
    lines.push(`${gone} of the violations of the verdict before are not told any more, nor agreed: find out why`);
  const { events, watched, uncatalogued } = report.counts;
  lines.push(`${events} events in the freeze, ${watched} of them watched, ${uncatalogued} not catalogued`);
  lines.push(`not seen by this: ${report.notWatched.join("; ")}`);
  lines.push(`look again at ${report.nextCheckAt}, and once more before signing off`);
  return `${lines.join("\n")}\n`;
}

function headline({ verdict, violations, asOf, final }: FreezeReport): string {
  if (verdict === "violations") return `violations: ${violations.length}`;
  if (verdict === "unknown") return "unknown";
  return `clear as of ${asOf}${final ? ", the end of the freeze" : "; the freeze goes on"}`;
}

function places(indexes: readonly number[]): string {
  return indexes.map((index) => `#${index + 1}`).join(", ");
}
