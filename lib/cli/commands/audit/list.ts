import type { ActivityPage, CompanyWords } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { readCount } from "../../duration";
import { safe } from "../../text";
import { connect, connectionOptions, wordOptions, wordsOf } from "./connection";
import { createEventWriter, formatOption, type WrittenEvent, writtenEvent } from "./output";
import {
  actorOptions,
  audit,
  queryOf,
  readActors,
  readMoment,
  readSelection,
  type Selection,
  selected,
  selectionOptions,
  timeOptions,
} from "./selection";

export const auditListCommand: CommandDetails = {
  description:
    "Lists administrators' events with the text that the console shows, newest first, to the last page. The service keeps events for 180 days. The command checks names and conditions first, because the service returns nothing for unknown names.",
  options: [
    ...selectionOptions,
    ...timeOptions,
    { flags: "--user <key>", description: "only events of this user: e-mail address or profile id", default: "all" },
    { flags: "--ip <address>", description: "only events from this IP address" },
    ...actorOptions,
    { flags: "--limit <number>", description: "maximum number of events" },
    formatOption,
    { flags: "--count", description: "print the number of events per day instead of the events" },
    ...wordOptions,
    ...connectionOptions,
  ],
  examples: [
    { command: "cert-migration audit list --since 24h", what: "events of the last 24 hours" },
    {
      command: "cert-migration audit list --event ASSIGN_ROLE --filter ROLE_NAME==_SEED_ADMIN_ROLE",
      what: "assignments of the super administrator role",
    },
    {
      command: "cert-migration audit list --org-unit id:03ph8a2z1xdnme9",
      what: "events of one organizational unit's administrators",
    },
    {
      command: "cert-migration audit list --since 7d --count --format csv > week.csv",
      what: "the number of events per day of a week",
    },
  ],
  exitCodes: { 4: "no event matches", 5: "some records can't be read; all others were written" },
  run: runList,
};

async function runList({ options }: Invocation, io: Io): Promise<ExitCode> {
  const selection = readSelection(options, io.now());
  readRange(options, io.now());
  const actors = readActors(options, io.now());
  const limit =
    options.limit === undefined ? Number.POSITIVE_INFINITY : readCount(options.limit as string, "--limit", 1e9);
  const source = await connect(options, io);
  const { since, until, keptSince } = readRange(options, await source.time());
  if (keptSince !== undefined) {
    io.stderr.write(
      `the range was cut: --since ${safe(options.since as string)} is before the retention period of ${audit().retentionDays} days; events before ${keptSince.toISOString()} are not kept [range-cut]\n`,
    );
  }
  const query = {
    ...queryOf(selection),
    ...actors,
    userKey: options.user as string,
    ...(options.ip === undefined ? {} : { actorIpAddress: options.ip as string }),
    ...defined({ startTime: since, endTime: until }),
  };
  const writer = createEventWriter(options, io);
  let [written, unreadable] = [0, 0];
  try {
    for await (const page of source.pages(query)) {
      for (const warning of page.warnings) io.stderr.write(`warning of the service: ${safe(warning)}\n`);
      for (const { problem } of page.unreadable) io.stderr.write(`a record can't be read: ${safe(problem.message)}\n`);
      unreadable += page.unreadable.length;
      for (const { events, id } of page.activities) {
        if (events.length > 0) continue;
        io.stderr.write(`a record has no event, of ${safe(id.time ?? "no time")}\n`);
        unreadable += 1;
      }
      for (const event of eventsOf(page, selection, wordsOf(options))) {
        if (written === limit) break;
        writer.write(event);
        written += 1;
      }
      if (written === limit) break;
    }
  } catch (error) {
    if (written > 0) io.stderr.write(`the listing broke off: ${written} events were read, there may be more\n`);
    throw error;
  } finally {
    writer.end();
  }
  if (unreadable > 0) return 5;
  return written === 0 ? 4 : 0;
}

interface TimeRange {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Start of the list instead of `since`. `undefined` if the service retains the whole range. */
  readonly keptSince: Date | undefined;
}

/** Reads the time range. */
function readRange(options: Invocation["options"], now: Date): TimeRange {
  const { retentionDays, retentionStart } = audit();
  const since = readMoment(options.since as string | undefined, "--since", now);
  const until = readMoment(options.until as string | undefined, "--until", now);
  const oldest = retentionStart(now);
  if (until !== undefined && until <= oldest) {
    const message = `--until ${quote(options.until as string)} is before the retention period: the service keeps events for ${retentionDays} days, today since ${oldest.toISOString()}; use a later time`;
    throw new InputError("time-before-retention", message);
  }
  return { since, until, keptSince: since !== undefined && since < oldest ? oldest : undefined };
}

function* eventsOf({ activities }: ActivityPage, selection: Selection, words: CompanyWords): Generator<WrittenEvent> {
  const { eventKeys } = audit();
  for (const activity of activities) {
    const keys = eventKeys(activity);
    for (const index of selected(activity, selection)) yield writtenEvent(activity, index, keys[index] ?? "", words);
  }
}
