import type { FreezeReport, VerdictChange } from "../../../audit";
import { withRemedy } from "../../../findings/finding";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { defineCommand, value } from "../../declare";
import * as load from "../../load";
import { folderFor } from "../../style";
import { safe } from "../../text";
import { writeVerdict } from "../../verdict";
import { auditConnectionOptions, wordOptions } from "./connection";
import { defaultListing, freezeOptions, freezeStates, listingTime, readGuard } from "./freeze";

export const command = defineCommand({
  description:
    "Checks a change freeze with the administrators' log. The verdict is 'violations', 'clear as of' a time, or 'unknown'; never 'clear' alone, because the log is delayed, and Google documents that it can miss events. The command reports changes and does not prevent them; a pipeline must stop on its exit code. The log does not contain DNS, load balancers, certificates and Cloud IAM. Run the command again after the time that it prints.",
  options: {
    ...freezeOptions,
    "--sign-off": "require the log up to the end of the freeze",
    "--timeout <time>": value(
      listingTime,
      "timeout for listing the log, retries included; after it, the verdict is unknown",
      defaultListing,
    ),
    "--history <file>": "record each verdict in this file, and report when a verdict is reversed",
    "--json": "print the report as JSON",
    ...wordOptions,
    ...auditConnectionOptions,
  },
  json: "ok, freeze, verdict, asOf, final, checkedAt, nextCheckAt, findings, allowed, unusedRules, expiredRules, controlSeen, counts, notWatched, change",
  examples: {
    "cert-migration audit guard --freeze freeze.yaml": "before each step of a migration",
    "cert-migration audit guard --freeze freeze.yaml --sign-off --history verdicts.jsonl": "after the freeze",
  },
  exitCodes: { 4: "violations", 5: "unknown: the log does not show whether the freeze was violated" },
  run: async ({ options, json }, io) => {
    const report = await (await readGuard(options, io, options.timeout)).ask();
    const change = (options.history === undefined ? undefined : record(options.history, report)) ?? null;
    const ok = report.verdict === "clear-as-of";
    if (options.json) io.stdout.write(json({ ok, ...report, change }, 0));
    else printReport(report, change, io);
    return exitCodes[report.verdict];
  },
});

const exitCodes = { "clear-as-of": 0, violations: 4, unknown: 5 } as const;

function record(file: string, report: FreezeReport): VerdictChange | undefined {
  const { openRecordLog, recordVerdict } = load.audit();
  const log = openRecordLog(file);
  try {
    return recordVerdict(log, report);
  } finally {
    log.close();
  }
}

function printReport(report: FreezeReport, change: VerdictChange | null, io: Io): void {
  const { isViolation } = load.audit();
  const violations = report.findings.filter(isViolation);
  const gaps = report.findings.filter((finding) => !isViolation(finding));
  const lines: string[] = [];
  for (const { time, actor, message, code, severity, meaning, remedy } of violations) {
    lines.push(`  ${severity === "error" ? "! " : "- "}${time}  ${actor}: ${message} [${code}]`);
    lines.push(`      ${meaning}; ${remedy}`);
  }
  if (violations.length > 0 && gaps.length > 0) lines.push("the log may not show all violations:");
  for (const gap of gaps) lines.push(`  ? ${withRemedy(gap)} [${gap.code}]`);
  for (const { time, actor, message, ticket } of report.allowed)
    lines.push(`  allowed (${ticket}): ${time}  ${actor}: ${message}`);
  if (report.unusedRules.length > 0) lines.push(`allow rules that matched no event: ${places(report.unusedRules)}`);
  if (report.expiredRules.length > 0) lines.push(`allow rules that had expired: ${places(report.expiredRules)}`);
  if (change?.overturned === true)
    lines.push("REVERSED: an earlier verdict was clear for a time in which the log now has a violation");
  const missing = change?.goneViolations.length ?? 0;
  if (missing > 0) {
    const violationsAre = countOf(
      missing,
      "violation of the previous verdict is",
      "violations of the previous verdict are",
    );
    lines.push(`${violationsAre} no longer in the log and not allowed: find out why`);
  }
  const { events, watched, uncatalogued } = report.counts;
  lines.push(`${countOf(events, "event")} in the freeze: ${watched} watched, ${uncatalogued} not in the catalogue`);
  lines.push(`not watched: ${report.notWatched.join("; ")}`);
  lines.push(`run the command again after ${report.nextCheckAt}, and before the sign-off`);
  writeVerdict({ state: freezeStates[report.verdict], headline: headline(report, violations.length) }, io, "stdout");
  const fold = folderFor(io, "stdout");
  for (const line of lines) {
    const [marked = ""] = /^ *(?:[-!?] )?/.exec(line) ?? [];
    io.stdout.write(`${fold(safe(line), Math.max(2, marked.length))}\n`);
  }
}

function headline({ verdict, asOf, final }: FreezeReport, violations: number): string {
  if (verdict === "violations") return `violations: ${violations}`;
  if (verdict === "unknown") return "unknown";
  return `clear as of ${asOf}${final ? ", the end of the freeze" : "; the freeze has not ended"}`;
}

function places(indexes: readonly number[]): string {
  return indexes.map((index) => `#${index + 1}`).join(", ");
}
