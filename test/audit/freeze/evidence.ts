import { type Freeze, type FreezeEvidence, type FreezeReport, isViolation, parseActivity } from "../../../lib/audit";
import { event, record } from "../activities";

/** Two hours, in which every class of events is watched. */
export const freeze: Freeze = { start: new Date("2026-11-21T10:00:00Z"), end: new Date("2026-11-21T12:00:00Z") };
/** An event that no class watches. */
export const building = event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "b" });

/** Returns the evidence of a complete listing after the freeze, with activities by the minute of the freeze. */
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

export const violationsOf = ({ findings }: FreezeReport) => findings.filter(isViolation);
/** Codes of the gaps in the evidence. */
export const gapCodes = ({ findings }: FreezeReport) =>
  findings.filter((finding) => !isViolation(finding)).map(({ code }) => code);
/** Names of the events that are violations. */
export const violated = (report: FreezeReport) => violationsOf(report).map(({ event: name }) => name);
