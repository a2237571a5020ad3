import type { CursorStore, TailCursor } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { readDuration, sleep } from "../../duration";
import { safe, toJson } from "../../text";
import { connect, connectionOptions, wordOptions, wordsOf } from "./connection";
import { csvHead, formatEvent, writtenEvent } from "./output";
import {
  actorOptions,
  audit,
  queryOf,
  readActors,
  readMoment,
  readSelection,
  selected,
  selectionOptions,
} from "./selection";

export const auditTailCommand: CommandDetails = {
  description:
    "Writes new events as they arrive, oldest first. With --cursor the command continues after the last event of the previous run. With --cursor and --out each event is in the file exactly once; on standard output events of the last listing may come again after a crash, with the same key. An event that arrives later than --lag and --overlap together is missed.",
  options: [
    ...selectionOptions,
    ...actorOptions,
    { flags: "--cursor <file>", description: "file for the position of this tail; each tail needs its own file" },
    { flags: "--out <file>", description: "append events to this file instead of writing them to standard output" },
    {
      flags: "--since <time>",
      description: "start time without a cursor: RFC 3339, or a time ago, for example 24h; default: now",
    },
    {
      flags: "--lag <time>",
      description: "time for late events to arrive; a shorter time shows events sooner",
      default: "2m",
    },
    { flags: "--overlap <time>", description: "how far back each request lists late events", default: "1h" },
    { flags: "--interval <time>", description: "interval between requests, at least 1s", default: "30s" },
    { flags: "--once", description: "write the events until now, then exit" },
    {
      flags: "--format <format>",
      description: "text, jsonl (one JSON object per line), csv or ecs (one Elastic document per line)",
      choices: ["text", "jsonl", "csv", "ecs"],
      default: "text",
    },
    ...wordOptions,
    ...connectionOptions,
  ],
  examples: [
    {
      command: "cert-migration audit tail --cursor tail.json --out events.jsonl --format jsonl",
      what: "write each event once",
    },
    {
      command: "cert-migration audit tail --event ADD_MOBILE_CERTIFICATE --event REMOVE_MOBILE_CERTIFICATE",
      what: "follow changes of the certificates that devices trust",
    },
  ],
  exitCodes: { 5: "events between the cursor and now are lost: the service no longer has them" },
  run: runTail,
};

/** 180 days, the retention period of the service. */
const most = "4320h";

async function runTail({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { cursorFile, fileSink, streamSink, tailActivities } = audit();
  const selection = readSelection(options, io.now());
  const actors = readActors(options, io.now());
  const [cursor, out] = [options.cursor as string | undefined, options.out as string | undefined];
  if (out !== undefined && cursor === undefined) {
    throw new InputError(
      "cursor-missing",
      "--out needs --cursor: without one, events would be in the file again after a restart",
    );
  }
  const pace = {
    lagSeconds: readDuration(options.lag as string, "--lag", { most }) / 1_000,
    overlapSeconds: readDuration(options.overlap as string, "--overlap", { most }) / 1_000,
    intervalSeconds: readDuration(options.interval as string, "--interval", { least: "1s" }) / 1_000,
  };
  const sinceAt = (now: Date) => readMoment(options.since as string | undefined, "--since", now);
  sinceAt(io.now());
  const format = options.format as "text" | "jsonl" | "csv" | "ecs";
  let lost = false;
  const source = await connect(options, io);
  const since = options.since === undefined ? undefined : sinceAt(await source.time());
  if (out === undefined && format === "csv") io.stdout.write(csvHead);
  await tailActivities({
    source,
    query: { ...queryOf(selection), ...actors },
    cursor: cursor === undefined ? memoryCursor() : cursorFile(cursor),
    sink: out === undefined ? streamSink((text) => io.stdout.write(text)) : fileSink(out),
    format: (entry) => {
      if (entry.kind === "unreadable") {
        io.stderr.write(`a record can't be read: ${safe(entry.problem.message)}\n`);
        if (format === "ecs") return toJson(unreadableDocument(entry.key, entry.text), 0);
        return format === "jsonl" ? toJson({ key: entry.key, unreadable: entry.text }, 0) : "";
      }
      const wanted = selected(entry.activity, selection).includes(entry.index);
      return wanted ? formatEvent(writtenEvent(entry.activity, entry.index, entry.key, wordsOf(options)), format) : "";
    },
    ...defined({ since }),
    ...pace,
    once: options.once === true,
    now: source.time,
    sleep,
    signal: io.signal,
    onFailure: (error) =>
      io.stderr.write(`${safe(error.message)}; nothing was written of this listing, and it will be done again\n`),
    onSweep: ({ warnings, lost: gap, caughtUp, end, fresh }) => {
      for (const warning of warnings) io.stderr.write(`warning of the service: ${safe(warning)}\n`);
      if (!caughtUp) io.stderr.write(`caught up to ${end.toISOString()}, ${fresh} new\n`);
      if (gap === undefined) return;
      lost = true;
      io.stderr.write(
        `lost: the service no longer has what happened from ${gap.start.toISOString()} to ${gap.end.toISOString()}\n`,
      );
    },
  });
  return lost ? 5 : 0;
}

/** Returns a document for an unreadable record, in the Elastic Common Schema's format for ingestion failures. */
function unreadableDocument(key: string, original: string): object {
  return { event: { kind: "pipeline_error", hash: key, original } };
}

function memoryCursor(): CursorStore {
  let kept: TailCursor | undefined;
  return {
    read: async () => kept,
    write: async (cursor) => {
      kept = cursor;
    },
  };
}
