import type { TailEntry } from "../../../lib/audit";

/** Returns the name of the assigned role in an entry, or the entry's key. */
export function roleOf(entry: TailEntry): string | undefined {
  return entry.kind === "event" && entry.event.name === "ASSIGN_ROLE" ? entry.event.parameters.ROLE_NAME : entry.key;
}
