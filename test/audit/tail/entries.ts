import type { TailEntry } from "../../../lib/audit";

/** The name of the role that an entry says was assigned, or the entry's key. */
export function roleOf(entry: TailEntry): string | undefined {
  return entry.kind === "event" && entry.event.name === "ASSIGN_ROLE" ? entry.event.parameters.ROLE_NAME : entry.key;
}
