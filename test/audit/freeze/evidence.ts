import { type Freeze, type FreezeEvidence, type FreezeReport, parseActivity } from "../../../lib/audit";
import { event, record } from "../activities";

/** Two hours, in which every class of events is watched. */
export const freeze: Freeze = { start: new Date("2026-11-21T10:00:00Z"), end: new Date("2026-11-21T12:00:00Z") };
/** An event that no class watches. */
export const building = event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "b" });

/** What a whole listing after the freeze brings: activities by the minute of the freeze. */
export function evidence(
  records: readonly (readonly [minute: number, ...events: readonly object[]])[],
  change: Partial<FreezeEvidence> = {},
): FreezeEvidence {
  return {
    listedAt: new Date("2026-11-21T13:00:00Z"),
    complete: true,
    activities: records.map(([minute, ...events], index) =>
      parseActivity(
        record(events, {
          time: new Date(freeze.start.getTime() + minute * 60_000).toISOString(),
          qualifier: String(index),
        }),
      ),
    ),
    unreadable: [],
    warnings: [],
    ...change,
  };
}

/** Codes of the doubts. */
export const codes = (report: FreezeReport) => report.doubts.map(({ code }) => code);
/** Names of the events that are violations. */
export const violated = (report: FreezeReport) => report.violations.map((violation) => violation.event);
