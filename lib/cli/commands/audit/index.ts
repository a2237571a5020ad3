import type { Command } from "../../command";
import { auditEventsCommand } from "./events";
import { auditGuardCommand } from "./guard";
import { auditListCommand } from "./list";
import { auditRenderCommand } from "./render";
import { auditTailCommand } from "./tail";

export { type FreezeGuard, freezeOptions, readGuard } from "./freeze";

export const auditCommands: readonly Command[] = [
  auditListCommand,
  auditTailCommand,
  auditRenderCommand,
  auditGuardCommand,
  auditEventsCommand,
];
