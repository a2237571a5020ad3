import { auditErrors, evidenceGaps, recordFindings, violationCodes } from "../audit/codes";
import { planDangers } from "../check-plan";
import { cloudErrors, listenerHandshakeCodes } from "../cloud/codes";
import { alertErrors, constructErrors, constructWarnings } from "../constructs/codes";
import { apiErrors, bodyErrors, comparisonFindings, oddityCodes, valueFindings } from "../discovery/codes";
import type { CodeTable } from "../findings/codes";
import { hostnameErrors } from "../hostnames/codes";
import { serviceErrors } from "../http/codes";
import { certificateProblems, inventoryFindings } from "../inventory";
import { doctorCodes } from "../live/doctor";
import { recordCodes } from "../live/records";
import { statusCodes } from "../live/status";
import { verifyCodes } from "../live/verify";
import { waitCodes } from "../live/wait";
import { watchCodes } from "../live/watch";
import { checks } from "../plan";
import { documentErrors, splitErrors } from "../plan/codes";
import { projectFindings } from "../project-inventory";
import { rehearsalErrors } from "../rehearsal/codes";
import { renewalCodes } from "../renewal";
import { reportCodes } from "../report";
import { providerErrors } from "../terraform-provider/codes";
import { certificateFileErrors } from "../x509/codes";
import { commandErrors, commandLineErrors, commandNotes } from "./command-codes";

/** A table of codes with the commands that report them. */
export interface ReportedTable {
  readonly commands: readonly string[];
  readonly codes: CodeTable;
}

/** Tables of findings, in the order of a migration. */
const findingTables = [
  { commands: ["plan"], codes: checks },
  { commands: ["synth", "AdminChangeAlerts"], codes: constructWarnings },
  { commands: ["inventory"], codes: certificateProblems },
  { commands: ["inventory"], codes: inventoryFindings },
  { commands: ["inventory"], codes: projectFindings },
  { commands: ["doctor"], codes: doctorCodes },
  { commands: ["records", "status", "monitor"], codes: recordCodes },
  { commands: ["wait", "status", "monitor"], codes: waitCodes },
  { commands: ["status", "monitor"], codes: statusCodes },
  { commands: ["status", "monitor"], codes: renewalCodes },
  { commands: ["check-plan"], codes: planDangers },
  { commands: ["verify", "monitor"], codes: verifyCodes },
  { commands: ["watch"], codes: watchCodes },
  { commands: ["report"], codes: reportCodes },
  { commands: ["audit guard"], codes: violationCodes },
  { commands: ["audit guard"], codes: evidenceGaps },
  { commands: ["audit list", "audit tail", "audit guard"], codes: recordFindings },
  { commands: ["api validate", "api request"], codes: valueFindings },
  { commands: ["api show"], codes: oddityCodes },
  { commands: ["api compare"], codes: comparisonFindings },
  { commands: ["cloud", "rehearse"], codes: listenerHandshakeCodes },
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
  ...commandNotes,
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

/** All tables, findings first. */
export const reportedTables: readonly ReportedTable[] = [...findingTables, ...errorTables];
