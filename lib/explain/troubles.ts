import { planDangers } from "../check-plan";
import type { Trouble } from "../findings/trouble";
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

/** A code with who finds or ends by it. The same code may mean another thing where another command looks. */
export interface ExplainedTrouble extends Trouble {
  readonly code: string;
  /** Names of commands, or words for several of them; at least one. */
  readonly commands: readonly string[];
}

type Table = Readonly<
  Record<string, { readonly severity?: string; readonly meaning: string; readonly remedy: string }>
>;

/** Every table of codes, with the commands that find by them, in the order of a migration; then the codes of errors. */
const tables: readonly { readonly commands: readonly string[]; readonly codes: Table }[] = [
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

/** How tables call what weighs as much. */
const severities: Readonly<Record<string, Trouble["severity"]>> = {
  error: "error",
  refused: "error",
  warning: "warning",
  info: "info",
  note: "info",
};

/** Everything that commands find, or refuse, by a code; what means the same for several of them is there once. */
export function allTroubles(): readonly ExplainedTrouble[] {
  const troubles = new Map<string, ExplainedTrouble>();
  for (const { commands, codes } of tables) {
    for (const [code, { severity = "error", meaning, remedy }] of Object.entries(codes)) {
      const key = JSON.stringify([code, meaning, remedy]);
      const known = troubles.get(key);
      troubles.set(key, {
        code,
        commands: [...(known?.commands ?? []), ...commands],
        severity: known?.severity ?? severities[severity] ?? "error",
        meaning: `${meaning.charAt(0).toUpperCase()}${sentence(meaning).slice(1)}`,
        remedy: sentence(remedy),
      });
    }
  }
  return [...troubles.values()];
}

/** Tables of folders differ in whether their words end with a period; those that are gathered don't. */
function sentence(text: string): string {
  return text.replace(/\.$/, "");
}
