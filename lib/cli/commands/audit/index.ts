import { auditEventsCommand } from "./events";
import { auditGuardCommand } from "./guard";
import { auditListCommand } from "./list";
import { auditRenderCommand } from "./render";
import { auditTailCommand } from "./tail";

export { type FreezeGuard, freezeOptions, readGuard } from "./freeze";

export const auditCommands = {
  list: auditListCommand,
  tail: auditTailCommand,
  render: auditRenderCommand,
  guard: auditGuardCommand,
  events: auditEventsCommand,
};
