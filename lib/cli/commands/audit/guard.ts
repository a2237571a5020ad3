import type { FreezeReport, VerdictChange } from "../../../audit";
import type { Command, ExitCode, Invocation, Io } from "../../command";
import { jsonDocument } from "../../text";
import { connectionOptions, wordOptions } from "./connection";
import { defaultListing, freezeOptions, guardFreeze } from "./freeze";

export const auditGuardCommand: Command = {
  name: "audit guard",
  summary: "check a change freeze with the audit log",
  description:
    "Checks a change freeze with the administrators' log. The verdict is 'violations', 'clear as of' a time, or 'unknown'; never 'clear' alone, because the log is delayed, and Google documents that it can miss events. The command reports changes and does not prevent them; a pipeline must stop on its exit code. The log does not contain DNS, load balancers, certificates and Cloud IAM. Run the command again after the time that it prints.",
  options: [
    ...freezeOptions,
    { flags: "--sign-off", description: "require the log up to the end of the freeze" },
    {
      flags: "--timeout <time>",
      description: "timeout for listing the log, retries included; after it, the verdict is unknown",
      default: defaultListing,
    },
    {
      flags: "--history <file>",
      description: "record each verdict in this file, and report when a verdict is reversed",
    },
    { flags: "--json", description: "print the report as JSON" },
    ...wordOptions,
    ...connectionOptions,
  ],
  examples: [
    { command: "cert-migration audit guard --freeze freeze.yaml", what: "before each step of a migration" },
    {
      command: "cert-migration audit guard --freeze freeze.yaml --sign-off --history verdicts.jsonl",
      what: "after the freeze",
    },
  ],
  exitCodes: { 4: "violations", 5: "unknown: the log does not show whether the freeze was violated" },
  run: runGuard,
};

async function runGuard({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { openRecordLog, recordVerdict } = require("../../../audit") as typeof import("../../../audit");
  const report = await guardFreeze(options, options.timeout as string, io);
  let change: VerdictChange | undefined;
  if (options.history !== undefined) {
    const log = openRecordLog(options.history as string);
    try {
      change = recordVerdict(log, report);
    } finally {
      log.close();
    }
  }
  if (options.json === true) io.stdout.write(jsonDocument({ ...report, change: change ?? null }, 0));
  else io.stdout.write(formatReport(report, change));
  return { "clear-as-of": 0, violations: 4, unknown: 5 }[report.verdict] as ExitCode;
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
    lines.push(`${gone} of the violations of the previous verdict are missing now and were not agreed: find out why`);
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
