import { createReadStream } from "node:fs";
import { countOf } from "../../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../../command";
import { unreadable } from "../../files";
import { standardInput } from "../../standard-input";
import { safe } from "../../text";
import { wordOptions, wordsOf } from "./connection";
import { createEventWriter, formatOption, writtenEvent } from "./output";
import { audit, readSelection, selected, selectionOptions } from "./selection";

export const auditRenderCommand: CommandDetails = {
  description:
    "Reads activity records from files or from standard input (one per line, a list, or pages of the service; also in the forms that log collectors split and flatten) and writes their events with the text that the console shows. Each file may also have entries of Cloud Logging ('gcloud logging read --format json'), documents of Elastic's integration google_workspace (lines of Filebeat, hits of a search), or the CSV of GAM's 'report admin'. Ids keep every digit. Nothing is dropped: unknown events are written as unknown, and other data is reported.",
  arguments: [{ name: "file", description: "files with records; default: standard input", takes: "any number" }],
  options: [
    ...selectionOptions,
    { flags: "--strict", description: "refuse records that differ from the forms of the service and the catalogue" },
    formatOption,
    { flags: "--count", description: "print the number of events per day instead of the events" },
    ...wordOptions,
  ],
  examples: [
    { command: "cert-migration audit render records.jsonl", what: "messages of a file" },
    {
      command:
        "gcloud logging read --organization 123456789012 'protoPayload.serviceName=\"admin.googleapis.com\"' --format json | cert-migration audit render",
      what: "the events behind alerts of AdminChangeAlerts",
    },
    { command: "cert-migration audit render --format ecs records.csv", what: "GAM's report as documents of Elastic" },
    { command: "cert-migration audit render --strict --count < records.jsonl", what: "check a stream and count it" },
  ],
  exitCodes: { 4: "no event matches", 5: "some records can't be read; all others were written" },
  run: runRender,
};

async function runRender({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  const { eventKeys, readRecords } = audit();
  const selection = readSelection(options, io.now());
  const writer = createEventWriter(options, io);
  const needsTimes = options.format === "ecs" && options.count !== true;
  const files = given.file as readonly string[];
  let [records, written, broken] = [0, 0, 0];
  for (const file of files.length === 0 ? [undefined] : files) {
    const readings = readRecords(file === undefined ? standardInput(io) : open(file), {
      strict: options.strict === true,
      ...wordsOf(options),
    });
    for await (const reading of readings) {
      io.signal.throwIfAborted();
      records += 1;
      const ofList = reading.index === undefined ? "" : `, record ${reading.index + 1} of the list`;
      const where = `${file === undefined ? "standard input" : safe(file)}:${reading.line}${ofList}`;
      if ("problem" in reading) {
        io.stderr.write(`${where}: ${safe(reading.problem.message)} [${reading.problem.code}]\n`);
        broken += 1;
        continue;
      }
      if (reading.activity.events.length === 0) {
        io.stderr.write(`${where}: the record has no event [events-missing]\n`);
        broken += 1;
      }
      if (needsTimes && reading.activity.time === undefined) {
        io.stderr.write(`${where}: the record has no time, so that its document has no '@timestamp' [time-missing]\n`);
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
  io.stderr.write(`there is ${what}${records === 0 ? " in" : " of"} ${where}\n`);
  return 4;
}

async function* open(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw unreadable(path, undefined, error);
  }
}
