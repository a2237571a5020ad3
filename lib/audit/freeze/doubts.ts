import { escapeUnsafe } from "../../text/quote";
import { retentionDays } from "../query";
import type { FreezeEvidence } from "./gather";
import type { Doubt, Freeze } from "./model";
import type { SortedEvents } from "./sort-events";

/**
 * Returns the reasons why a freeze cannot be judged, or cannot be judged completely.
 *
 * @param watermarkMs the log is expected to be complete up to this time, in milliseconds since 1970
 * @param signOff whether a watermark before the end of the freeze is a doubt
 */
export function findDoubts(
  freeze: Freeze,
  evidence: FreezeEvidence,
  seen: SortedEvents,
  watermarkMs: number,
  signOff: boolean,
): readonly Doubt[] {
  return [
    ...doubtsOfListing(freeze, evidence),
    ...doubtsOfTime(freeze, watermarkMs, signOff),
    ...doubtsOfRecords(evidence, seen),
    ...doubtsOfArrival(freeze, seen),
  ];
}

function doubtsOfListing(
  { start }: Freeze,
  { listedAt, complete, failure, warnings }: FreezeEvidence,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (!complete) {
    const why = failure === undefined ? "" : `: ${escapeUnsafe(failure)}`;
    doubts.push({ code: "listing-incomplete", message: `the listing did not reach its last page${why}` });
  }
  if (start.getTime() < listedAt.getTime() - retentionDays * 86_400_000) {
    doubts.push({
      code: "freeze-too-old",
      message: `the freeze began more than ${retentionDays} days ago, which is the retention period of the service`,
    });
  }
  for (const warning of warnings) {
    doubts.push({
      code: "data-missing",
      message: `the service reports that data is missing: ${escapeUnsafe(warning)}`,
    });
  }
  return doubts;
}

function doubtsOfTime({ start, end }: Freeze, watermarkMs: number, signOff: boolean): readonly Doubt[] {
  if (watermarkMs <= start.getTime()) {
    return [
      {
        code: "lag-not-over",
        message: "the log can't be expected to have anything of the freeze yet; ask again later",
      },
    ];
  }
  if (!signOff || watermarkMs === end.getTime()) return [];
  const message = `the log is whole up to ${new Date(watermarkMs).toISOString()} only, and the freeze goes on to ${end.toISOString()}`;
  return [{ code: "freeze-not-over", message }];
}

/** Findings of a record that leave the time or the kind of the event unknown. */
const crippling = new Set([
  "time-missing",
  "time-malformed",
  "events-missing",
  "event-malformed",
  "event-name-missing",
]);

function doubtsOfRecords({ activities, unreadable }: FreezeEvidence, { alike }: SortedEvents): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const crippled = activities.filter(({ findings }) => findings.some(({ code }) => crippling.has(code)));
  const count = unreadable.length + crippled.length;
  if (count > 0) {
    const example =
      unreadable[0]?.problem.message ?? crippled[0]?.findings.find(({ code }) => crippling.has(code))?.message;
    doubts.push({ code: "record-unreadable", message: `${count} records can't be placed, for one: ${example}` });
  }
  for (const [name, like] of alike) {
    const message = `the event ${escapeUnsafe(name)} is not in the catalogue and resembles ${like}, which is watched; check it manually`;
    doubts.push({ code: "event-alike", message });
  }
  return doubts;
}

/** Returns a doubt if nothing shows that events arrive in the log. */
function doubtsOfArrival({ control }: Freeze, { controlSeen, events }: SortedEvents): readonly Doubt[] {
  if (control !== undefined) {
    if (controlSeen) return [];
    const message = `the ${control.event} that was to be made on purpose was not seen, so nothing shows that the log arrives`;
    return [{ code: "control-missing", message }];
  }
  if (events > 0) return [];
  return [
    {
      code: "no-data",
      message: "the freeze contains no event at all: missing data does not mean that nothing changed",
    },
  ];
}
