import { auditErrors, evidenceGaps, recordFindings, violationCodes } from "../audit/codes";
import { planDangers } from "../check-plan";
import { cloudErrors, handshakeCodes } from "../cloud/codes";
import { alertErrors, constructErrors } from "../constructs/codes";
import { apiErrors, bodyErrors, comparisonFindings, oddityCodes, valueFindings } from "../discovery/codes";
import type { CodeMeaning, CodeTable } from "../findings/codes";
import { hostnameErrors } from "../hostnames/codes";
import { serviceErrors } from "../http/codes";
import { certificateProblems, inventoryFindings, projectFindings } from "../inventory";
import { doctorCodes } from "../live/doctor";
import { recordCodes } from "../live/records";
import { statusCodes } from "../live/status";
import { verifyCodes } from "../live/verify";
import { waitCodes } from "../live/wait";
import { watchCodes } from "../live/watch";
import { checks } from "../plan";
import { documentErrors, splitErrors } from "../plan/codes";
import { rehearsalErrors } from "../rehearsal/codes";
import { reportCodes } from "../report";
import { providerErrors } from "../terraform-provider/codes";
import { certificateFileErrors } from "../x509/codes";
import { commandErrors, commandLineErrors } from "./command-codes";

/**
 * Describes a code and the commands that report it or end with it. The same code may have another meaning for other
 * commands.
 */
export interface ExplainedCode extends CodeMeaning {
  readonly code: string;
  /** Names of commands, or an expression for several of them; at least one. */
  readonly commands: readonly string[];
}

/** A table of codes with the commands that report them. */
export interface ReportedTable {
  readonly commands: readonly string[];
  readonly codes: CodeTable;
}

/** Tables of findings, in the order of a migration. */
const findingTables = [
  { commands: ["plan"], codes: checks },
  { commands: ["inventory"], codes: certificateProblems },
  { commands: ["inventory"], codes: inventoryFindings },
  { commands: ["inventory"], codes: projectFindings },
  { commands: ["doctor"], codes: doctorCodes },
  { commands: ["records", "status"], codes: recordCodes },
  { commands: ["wait", "status"], codes: waitCodes },
  { commands: ["status"], codes: statusCodes },
  { commands: ["check-plan"], codes: planDangers },
  { commands: ["verify"], codes: verifyCodes },
  { commands: ["watch"], codes: watchCodes },
  { commands: ["report"], codes: reportCodes },
  { commands: ["audit guard"], codes: violationCodes },
  { commands: ["audit guard"], codes: evidenceGaps },
  { commands: ["audit list", "audit tail", "audit guard"], codes: recordFindings },
  { commands: ["api validate", "api request"], codes: valueFindings },
  { commands: ["api show"], codes: oddityCodes },
  { commands: ["api compare"], codes: comparisonFindings },
  { commands: ["cloud", "rehearse"], codes: handshakeCodes },
] as const satisfies readonly ReportedTable[];

/** Tables of errors that end a command. */
export const errorTables = [
  { commands: ["plan", "inventory"], codes: hostnameErrors },
  { commands: ["plan", "inventory"], codes: certificateFileErrors },
  { commands: ["plan"], codes: documentErrors },
  { commands: ["splitMigration"], codes: splitErrors },
  { commands: ["synth"], codes: constructErrors },
  { commands: ["AdminChangeAlerts"], codes: alertErrors },
  { commands: ["every command"], codes: commandLineErrors },
  { commands: ["every command"], codes: serviceErrors },
  ...commandErrors,
  { commands: ["rehearse"], codes: rehearsalErrors },
  { commands: ["rehearse"], codes: providerErrors },
  { commands: ["cloud", "rehearse"], codes: cloudErrors },
  { commands: ["audit list", "audit tail", "audit guard", "audit events"], codes: auditErrors },
  { commands: ["api show", "api request", "api validate", "api compare"], codes: apiErrors },
  { commands: ["api request"], codes: bodyErrors },
] as const satisfies readonly ReportedTable[];

/** Distributes over a union of tables. */
type CodesOf<Table> = Table extends ReportedTable ? keyof Table["codes"] : never;

/** Every code of the tables above. `test/explain/codes.test.ts` checks that no code is missing. */
export type ListedCode = CodesOf<(typeof findingTables)[number] | (typeof errorTables)[number]>;

const tables: readonly ReportedTable[] = [...findingTables, ...errorTables];

/**
 * Returns every code that a command reports or refuses with. A code with the same meaning for several commands appears
 * once.
 */
export function allCodes(): readonly ExplainedCode[] {
  const byKey = new Map<string, ExplainedCode>();
  for (const { commands, codes } of tables) {
    for (const [code, { severity, meaning, remedy }] of Object.entries(codes)) {
      const key = JSON.stringify([code, meaning, remedy]);
      const known = byKey.get(key);
      byKey.set(key, {
        code,
        commands: [...(known?.commands ?? []), ...commands],
        severity: known?.severity ?? severity,
        meaning: `${meaning.charAt(0).toUpperCase()}${sentence(meaning).slice(1)}`,
        remedy: sentence(remedy),
      });
    }
  }
  return [...byKey.values()];
}

/** Removes the final period, which only some tables have. */
function sentence(text: string): string {
  return text.replace(/\.$/, "");
}
