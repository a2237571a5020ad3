import type { Command, CommandOption } from "./command";
import { apiCommands } from "./commands/api";
import { auditCommands } from "./commands/audit";
import { checkPlanCommand } from "./commands/check-plan";
import { cloudCommand } from "./commands/cloud";
import { completionCommand } from "./commands/completion";
import { doctorCommand } from "./commands/doctor";
import { explainCommand } from "./commands/explain";
import { inventoryCommand } from "./commands/inventory";
import { planCommand } from "./commands/plan";
import { recordsCommand } from "./commands/records";
import { rehearseCommand } from "./commands/rehearse";
import { reportCommand } from "./commands/report";
import { statusCommand } from "./commands/status";
import { verifyCommand } from "./commands/verify";
import { waitCommand } from "./commands/wait";
import { watchCommand } from "./commands/watch";

/** Every command of `cert-migration`, in the order in which help shows them. */
export const commands: readonly Command[] = [
  inventoryCommand,
  planCommand,
  recordsCommand,
  doctorCommand,
  checkPlanCommand,
  statusCommand,
  waitCommand,
  verifyCommand,
  watchCommand,
  reportCommand,
  cloudCommand,
  rehearseCommand,
  ...apiCommands,
  ...auditCommands,
  explainCommand,
  completionCommand,
];

/** What the first word of a two-word command stands for. */
export const groups: Readonly<Record<string, string>> = {
  api: "API descriptions: show, check, compare, and make requests by them",
  audit: "what administrators did: list, follow, render, guard a change freeze",
};

/** What every command takes, before its name or after it. */
export const globalOptions: readonly CommandOption[] = [
  { flags: "--quiet", description: "no progress: only results, warnings and errors" },
  { flags: "--no-color", description: "no colour; so does NO_COLOR" },
];
