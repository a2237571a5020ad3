import { planDangers } from "../check-plan";
import type { CodeMeaning, CodeTable } from "../findings/codes";
import { certificateProblems, inventoryFindings } from "../inventory";
import { doctorCodes } from "../live/doctor";
import { recordCodes } from "../live/records";
import { statusCodes } from "../live/status";
import { verifyCodes } from "../live/verify";
import { waitCodes } from "../live/wait";
import { watchCodes } from "../live/watch";
import { checks } from "../plan";
import { reportCodes } from "../report";
import { errorTables } from "./error-codes";

/** Describes a code and the commands that report it or end with it. The same code may have another meaning for other commands. */
export interface ExplainedCode extends CodeMeaning {
  readonly code: string;
  /** Names of commands, or an expression for several of them; at least one. */
  readonly commands: readonly string[];
}

/** All tables of codes with the commands that report them, in the order of a migration, then the codes of errors. */
const tables: readonly { readonly commands: readonly string[]; readonly codes: CodeTable }[] = [
  { commands: ["plan"], codes: checks },
  { commands: ["inventory"], codes: certificateProblems },
  { commands: ["inventory"], codes: inventoryFindings },
  { commands: ["doctor"], codes: doctorCodes },
  { commands: ["records", "status"], codes: recordCodes },
  { commands: ["wait", "status"], codes: waitCodes },
  { commands: ["status"], codes: statusCodes },
  { commands: ["check-plan"], codes: planDangers },
  { commands: ["verify"], codes: verifyCodes },
  { commands: ["watch"], codes: watchCodes },
  { commands: ["report"], codes: reportCodes },
  ...errorTables,
];

/** Returns every code that a command reports or refuses with. A code with the same meaning for several commands appears once. */
export function allCodes(): readonly ExplainedCode[] {
  const troubles = new Map<string, ExplainedCode>();
  for (const { commands, codes } of tables) {
    for (const [code, { severity, meaning, remedy }] of Object.entries(codes)) {
      const key = JSON.stringify([code, meaning, remedy]);
      const known = troubles.get(key);
      troubles.set(key, {
        code,
        commands: [...(known?.commands ?? []), ...commands],
        severity: known?.severity ?? severity,
        meaning: `${meaning.charAt(0).toUpperCase()}${sentence(meaning).slice(1)}`,
        remedy: sentence(remedy),
      });
    }
  }
  return [...troubles.values()];
}

/** Removes the final period, which only some tables have. */
function sentence(text: string): string {
  return text.replace(/\.$/, "");
}
