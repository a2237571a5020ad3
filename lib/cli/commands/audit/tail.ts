import type { CursorStore, TailCursor } from "../../../audit";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { defineCommand, value } from "../../declare";
import { sleep } from "../../duration";
import * as load from "../../load";
import { type Fold, folderFor } from "../../style";
import { toJson, writeNote } from "../../text";
import { duration, oneOf } from "../../value-types";
import { auditConnectionOptions, connect, wordOptions, wordsOf } from "./connection";
import { csvHead, formatEvent, writtenEvent } from "./output";
import { actorOptions, moment, queryOf, readActors, readSelection, selected, selectionOptions } from "./selection";

/** 180 days, the retention period of the service. */
const most = "4320h";

export const command = defineCommand({
  description:
    "Writes new events as they arrive, oldest first. With --cursor the command continues after the last event of the previous run. With --cursor and --out each event is in the file exactly once; on standard output events of the last listing may come again after a crash, with the same key. An event that arrives later than --lag and --overlap together is missed.",
  options: {
    ...selectionOptions,
    ...actorOptions,
    "--cursor <file>": "file for the position of this tail; each tail needs its own file",
    "--out <file>": "append events to this file instead of writing them to standard output",
    "--since <time>": value(
      moment,
      "start time without a cursor: RFC 3339, or a time ago, for example 24h; default: now",
    ),
    "--lag <time>": value(
      duration({ most }),
      "time for late events to arrive; a shorter time shows events sooner",
      "2m",
    ),
    "--overlap <time>": value(duration({ most }), "how far back each request lists late events", "1h"),
    "--interval <time>": value(duration({ least: "1s" }), "interval between requests, at least 1s", "30s"),
    "--once": "write the events until now, then exit",
    "--format <format>": value(
      oneOf("text", "jsonl", "csv", "ecs"),
      "text, jsonl (one JSON object per line), csv or ecs (one Elastic document per line)",
      "text",
    ),
    ...wordOptions,
    ...auditConnectionOptions,
  },
  examples: {
    "cert-migration audit tail --cursor tail.json --out events.jsonl --format jsonl": "write each event once",
    "cert-migration audit tail --event ADD_MOBILE_CERTIFICATE --event REMOVE_MOBILE_CERTIFICATE":
      "follow changes of the certificates that devices trust",
  },
  exitCodes: { 5: "events between the cursor and now are lost: the service no longer has them" },
  run: async ({ options }, io) => {
    const { cursorFile, fileSink, streamSink, tailActivities } = load.audit();
    const selection = readSelection(options, io.now());
    const actors = readActors(options, io.now());
    const { cursor, out, format } = options;
    if (out !== undefined && cursor === undefined) {
      throw new InputError(
        "cursor-missing",
        "--out needs --cursor: without one, events would be in the file again after a restart",
      );
    }
    let lost = false;
    const source = await connect(options, io, { awaitsToken: true });
    const since = options.since?.at(await source.time());
    const fold: Fold = out === undefined ? folderFor(io, "stdout") : (line) => line;
    if (out === undefined && format === "csv") io.stdout.write(csvHead);
    await tailActivities({
      source,
      query: { ...queryOf(selection), ...actors },
      output: {
        cursor: cursor === undefined ? memoryCursor() : cursorFile(cursor),
        sink: out === undefined ? streamSink((text) => io.stdout.write(text)) : fileSink(out),
        format: (entry) => {
          if (entry.kind === "unreadable") {
            writeNote(entry.problem.code, `a record can't be read: ${entry.problem.message}`, io);
            if (format === "ecs") return toJson(unreadableDocument(entry.key, entry.text), 0);
            return format === "jsonl" ? toJson({ key: entry.key, unreadable: entry.text }, 0) : "";
          }
          const wanted = selected(entry.activity, selection).includes(entry.index);
          return wanted
            ? formatEvent(writtenEvent(entry.activity, entry.index, entry.key, wordsOf(options)), format, fold)
            : "";
        },
      },
      timing: {
        ...defined({ since }),
        lagSeconds: options.lag / 1_000,
        overlapSeconds: options.overlap / 1_000,
        intervalSeconds: options.interval / 1_000,
        once: options.once,
      },
      time: { now: source.time, sleep },
      signal: io.signal,
      observers: {
        onFailure: (error) => {
          writeNote(error.code, `${error.message}; nothing was written of this listing, and it will be done again`, io);
        },
        onSweep: ({ warnings, lost: gap, caughtUp, end, fresh }) => {
          for (const warning of warnings) writeNote("service-warning", `warning of the service: ${warning}`, io);
          if (!caughtUp) io.stderr.write(`caught up to ${end.toISOString()}, ${fresh} new\n`);
          if (gap === undefined) return;
          lost = true;
          const message = `lost: the service no longer has what happened from ${gap.start.toISOString()} to ${gap.end.toISOString()}`;
          writeNote("events-lost", message, io);
        },
      },
    });
    return lost ? 5 : 0;
  },
});

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
