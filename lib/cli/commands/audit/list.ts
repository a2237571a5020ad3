import type { ActivityPage, CompanyWords } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { Io } from "../../command";
import { defineCommand, text, value } from "../../declare";
import * as load from "../../load";
import { writeNote } from "../../text";
import { count } from "../../value-types";
import { auditConnectionOptions, connect, wordOptions, wordsOf } from "./connection";
import { createEventWriter, outputOptions, type WrittenEvent, writtenEvent } from "./output";
import {
  actorOptions,
  type Moment,
  moment,
  queryOf,
  readActors,
  readSelection,
  type Selection,
  selected,
  selectionOptions,
} from "./selection";

export const command = defineCommand({
  description:
    "Lists administrators' events with the text that the console shows, newest first, to the last page. The service keeps events for 180 days. The command checks names and conditions first, because the service returns nothing for unknown names.",
  options: {
    ...selectionOptions,
    "--since <time>": value(moment, "start time: RFC 3339, or a time ago, for example 90m, 24h or 7d"),
    "--until <time>": value(moment, "end time (exclusive), in the same forms"),
    "--user <key>": value(text, "only events of this user: e-mail address or profile id", "all"),
    "--ip <address>": "only events from this IP address",
    ...actorOptions,
    "--limit <number>": value(count(1e9), "maximum number of events"),
    ...outputOptions,
    ...wordOptions,
    ...auditConnectionOptions,
  },
  examples: {
    "cert-migration audit list --since 24h": "events of the last 24 hours",
    "cert-migration audit list --event ASSIGN_ROLE --filter ROLE_NAME==_SEED_ADMIN_ROLE":
      "assignments of the super administrator role",
    "cert-migration audit list --org-unit id:03ph8a2z1xdnme9": "events of one organizational unit's administrators",
    "cert-migration audit list --since 7d --count --format csv > week.csv": "the number of events per day of a week",
  },
  exitCodes: { 4: "no event matches", 5: "some records can't be read; all others were written" },
  run: async ({ options }, io) => {
    const selection = readSelection(options, io.now());
    readRange(options, io.now());
    const actors = readActors(options, io.now());
    const source = await connect(options, io);
    const { since, until, keptSince } = readRange(options, await source.time());
    if (keptSince !== undefined) {
      const what = `--since ${options.since?.text} is before the retention period of ${load.audit().retentionDays} days`;
      const message = `the range was cut: ${what}; events before ${keptSince.toISOString()} are not kept`;
      writeNote("range-cut", message, io);
    }
    const { user: userKey, ip: actorIpAddress, limit = Number.POSITIVE_INFINITY } = options;
    const query = {
      ...queryOf(selection),
      ...actors,
      userKey,
      ...defined({ actorIpAddress, startTime: since, endTime: until }),
    };
    const writer = createEventWriter(options, io);
    let [written, unreadable] = [0, 0];
    try {
      for await (const page of source.pages(query)) {
        unreadable += noteUnreadable(page, io);
        for (const event of eventsOf(page, selection, wordsOf(options))) {
          if (written === limit) break;
          writer.write(event);
          written += 1;
        }
        if (written === limit) break;
      }
    } catch (error) {
      if (written > 0) {
        writeNote("listing-incomplete", `the listing broke off: ${written} events were read, there may be more`, io);
      }
      throw error;
    } finally {
      writer.end();
    }
    if (unreadable > 0) return 5;
    return written === 0 ? 4 : 0;
  },
});

/** Reports the records of a page that can't be read. @returns their number */
function noteUnreadable({ warnings, unreadable, activities }: ActivityPage, io: Io): number {
  for (const warning of warnings) writeNote("service-warning", `warning of the service: ${warning}`, io);
  for (const { problem } of unreadable) writeNote(problem.code, `a record can't be read: ${problem.message}`, io);
  const empty = activities.filter(({ events }) => events.length === 0);
  for (const { id } of empty) writeNote("events-missing", `a record has no event, of ${id.time ?? "no time"}`, io);
  return unreadable.length + empty.length;
}

interface TimeRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Start of the list instead of `since`. `undefined` if the service retains the whole range. */
  readonly keptSince: Date | undefined;
}

/** Reads the time range. */
function readRange(
  options: { readonly since: Moment | undefined; readonly until: Moment | undefined },
  now: Date,
): TimeRange {
  const { retentionDays, retentionStart } = load.audit();
  const [since, until] = [options.since?.at(now), options.until?.at(now)];
  const oldest = retentionStart(now);
  if (until !== undefined && until <= oldest) {
    const message = `--until ${quote(options.until?.text ?? "")} is before the retention period: the service keeps events for ${retentionDays} days, today since ${oldest.toISOString()}; use a later time`;
    throw new InputError("time-before-retention", message);
  }
  return { since, until, keptSince: since !== undefined && since < oldest ? oldest : undefined };
}

function* eventsOf({ activities }: ActivityPage, selection: Selection, words: CompanyWords): Generator<WrittenEvent> {
  const { eventKeys } = load.audit();
  for (const activity of activities) {
    const keys = eventKeys(activity);
    for (const index of selected(activity, selection)) yield writtenEvent(activity, index, keys[index] ?? "", words);
  }
}
