import { createReadStream } from "node:fs";
import { countOf } from "../../../text/words";
import { defineCommand, manyArguments } from "../../declare";
import { unreadable } from "../../files";
import * as load from "../../load";
import { standardInput } from "../../standard-input";
import { safe, writeNote } from "../../text";
import { wordOptions, wordsOf } from "./connection";
import { createEventWriter, outputOptions, writtenEvent } from "./output";
import { readSelection, selected, selectionOptions } from "./selection";

export const command = defineCommand({
  description:
    "Reads activity records from files or from standard input (one per line, a list, or pages of the service; also in the forms that log collectors split and flatten) and writes their events with the text that the console shows. Each file may also have entries of Cloud Logging ('gcloud logging read --format json'), documents of Elastic's integration google_workspace (lines of Filebeat, hits of a search), or the CSV of GAM's 'report admin'. Ids keep every digit. Nothing is dropped: unknown events are written as unknown, and other data is reported.",
  arguments: { file: manyArguments({ description: "files with records; default: standard input" }) },
  options: {
    ...selectionOptions,
    "--strict": "refuse records that differ from the forms of the service and the catalogue",
    ...outputOptions,
    ...wordOptions,
  },
  examples: {
    "cert-migration audit render records.jsonl": "messages of a file",
    "gcloud logging read --organization 123456789012 'protoPayload.serviceName=\"admin.googleapis.com\"' --format json | cert-migration audit render":
      "the events behind alerts of AdminChangeAlerts",
    "cert-migration audit render --format ecs records.csv": "GAM's report as documents of Elastic",
    "cert-migration audit render --strict --count < records.jsonl": "check a stream and count it",
  },
  exitCodes: { 4: "no event matches", 5: "some records can't be read; all others were written" },
  run: async ({ arguments: { file: files }, options }, io) => {
    const { eventKeys, readRecords } = load.audit();
    const selection = readSelection(options, io.now());
    const writer = createEventWriter(options, io);
    const needsTimes = options.format === "ecs" && !options.count;
    let [records, written, broken] = [0, 0, 0];
    for (const file of files.length === 0 ? [undefined] : files) {
      const readings = readRecords(file === undefined ? standardInput(io) : open(file), {
        strict: options.strict,
        ...wordsOf(options),
      });
      for await (const reading of readings) {
        io.signal.throwIfAborted();
        records += 1;
        const ofList = reading.index === undefined ? "" : `, record ${reading.index + 1} of the list`;
        const where = `${file === undefined ? "standard input" : safe(file)}:${reading.line}${ofList}`;
        if ("problem" in reading) {
          writeNote(reading.problem.code, `${where}: ${reading.problem.message}`, io);
          broken += 1;
          continue;
        }
        if (reading.activity.events.length === 0) {
          writeNote("events-missing", `${where}: the record has no event`, io);
          broken += 1;
        }
        if (needsTimes && reading.activity.time === undefined) {
          writeNote("time-missing", `${where}: the record has no time, so that its document has no '@timestamp'`, io);
          broken += 1;
        }
        const keys = eventKeys(reading.activity);
        for (const index of selected(reading.activity, selection)) {
          writer.write(writtenEvent(reading.activity, index, keys[index] ?? "", wordsOf(options)));
          written += 1;
        }
      }
    }
    writer.end();
    if (broken > 0) return 5;
    if (written > 0) return 0;
    const where = files.length === 0 ? "standard input" : countOf(files.length, "file");
    const what = records === 0 ? "no record" : `no event that was asked for in ${countOf(records, "record")}`;
    writeNote("events-not-found", `there is ${what}${records === 0 ? " in" : " of"} ${where}`, io);
    return 4;
  },
});

async function* open(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw unreadable(path, undefined, error);
  }
}
