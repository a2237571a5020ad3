import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { InputError, type Problem } from "../../errors";
import { defined } from "../../json/defined";
import type { Read, ReportData, SourceText, WatchRecord } from "../../report";
import { quote } from "../../text/quote";
import type { Io } from "../command";
import { defineCommand, type OptionValues, values } from "../declare";
import { checkWritable, unreadable, writeWhole } from "../files";
import * as load from "../load";
import { forceOption } from "../options";
import { createProgress, type Progress } from "../progress";
import { isTerminal } from "../style";
import { fileLink, writeNote } from "../text";
import { writeVerdict } from "../verdict";

const reportOptions = {
  "--status <file>": values("output of 'status --json'; several files make a timeline"),
  "--verify <file>": values("output of 'verify --json'"),
  "--watch <file>": values("log of 'watch --log'"),
  "--doctor <file>": "output of 'doctor --json'",
  "--rehearsal <file>": "result of 'rehearse --report', as JSON",
  "--out <file>": "write the report to this file; default, and for -: standard output",
  ...forceOption,
  "--title <text>": "title of the report; default: migrations, project and addresses of the inputs",
};

export const command = defineCommand({
  description:
    "Creates one HTML file that works offline: a verdict in one sentence, remaining work, findings, the eight steps by hostname, states and handshakes over time. It reads the results of other commands and sends no request. A log of watch may be incomplete, and the report shows that; any other incomplete file is refused, and nothing is written.",
  options: reportOptions,
  examples: {
    "cert-migration report --status status.json --verify verify.json --watch watch.jsonl --out report.html":
      "the report of a migration",
    "cert-migration report --status monday.json --status tuesday.json --out report.html --force":
      "a timeline of two days",
  },
  run: async ({ options: { out, force, title, ...inputs } }, io) => {
    const { judgeReport, renderReport, titleOf } = load.report();
    const file = out === "-" ? undefined : out;
    // Logs of several days take a while to read, so an unwritable output is refused first.
    if (file !== undefined) await checkWritable(file, { force });
    const progress = createProgress(io);
    const parts = await readParts(inputs, progress, io).finally(progress.end);
    const { statuses, verifications, watches, doctor, rehearsal } = parts;
    const all = [...statuses, ...verifications, ...watches, doctor, rehearsal].filter((part) => part !== undefined);
    if (all.length === 0) {
      const message = "nothing to report on; give --status, --verify, --watch, --doctor or --rehearsal";
      throw new InputError("report-without-input", message);
    }
    const data: ReportData = { title: title ?? titleOf(parts), generatedAt: io.now(), ...parts };
    const page = renderReport(data);
    if (file !== undefined) await writeWhole(file, page, { force });
    else io.stdout.write(page);
    for (const { source, notes = [] } of all) {
      for (const note of notes) writeNote("input-incomplete", `${source}: ${note}`, io);
    }
    const { tone, sentence } = judgeReport(data);
    const [headline = ""] = sentence.split(/(?=: )/, 1);
    writeVerdict({ state: states[tone], headline, rest: sentence.slice(headline.length) }, io, "stderr");
    if (file !== undefined && isTerminal(io.stderr, io.env)) io.stderr.write(`  ${fileLink(file)}\n`);
    return 0;
  },
});

const states = { good: "done", pending: "waiting", bad: "failed" } as const;

/** Maximum sizes in bytes of a JSON file, and of a log, which is read in pieces. */
const mostBytes = { json: 64 * 1024 * 1024, log: 4 * 1024 * 1024 * 1024 };

type Parts = Required<Pick<ReportData, "statuses" | "verifications" | "watches">> &
  Pick<ReportData, "doctor" | "rehearsal">;

/** Reads all input files. */
async function readParts(
  inputs: Pick<OptionValues<typeof reportOptions>, "status" | "verify" | "watch" | "doctor" | "rehearsal">,
  progress: Progress,
  { signal }: Io,
): Promise<Parts> {
  const { readDoctorFile, readRehearsalFile, readStatusFile, readVerifyFile } = load.report();
  const problems: Problem[] = [];
  const collect = async <Part>(
    option: keyof typeof inputs,
    read: (path: string) => Promise<Read<Part>>,
  ): Promise<readonly Part[]> => {
    const parts: Part[] = [];
    for (const path of [inputs[option] ?? []].flat()) {
      const result = await read(path).catch(problemsOf);
      if ("problems" in result) problems.push(...result.problems);
      else parts.push(result.part);
    }
    return parts;
  };
  const ofJson =
    <Part>(option: string, read: (source: SourceText) => Read<Part>) =>
    async (path: string) =>
      read(await readJson(path, `--${option}`, progress));
  const statuses = (await collect("status", ofJson("status", readStatusFile))).flat();
  const verifications = await collect("verify", ofJson("verify", readVerifyFile));
  const [doctor] = await collect("doctor", ofJson("doctor", readDoctorFile));
  const [rehearsal] = await collect("rehearsal", ofJson("rehearsal", readRehearsalFile));
  const watches = await collect("watch", (path) => readLog(path, progress, signal));
  if (problems.length > 0) throw new InputError(problems);
  return { statuses, verifications, watches, ...defined({ doctor, rehearsal }) };
}

/** Returns the problems of an unreadable file, so that they are reported together with other mistakes. */
function problemsOf(error: unknown): Pick<InputError, "problems"> {
  if (error instanceof InputError) return error;
  throw error;
}

async function readJson(path: string, option: string, progress: Progress): Promise<SourceText> {
  const pieces: string[] = [];
  const take = (piece: string) => pieces.push(piece);
  const modifiedAt = await readPieces({ path, option, most: mostBytes.json, take, progress });
  return { source: path, text: pieces.join(""), modifiedAt };
}

async function readLog(path: string, progress: Progress, signal: AbortSignal): Promise<Read<WatchRecord>> {
  const { createWatchLogReader } = load.report();
  const reader = createWatchLogReader(path);
  const take = (piece: string) => {
    if (signal.aborted)
      throw new InputError("report-stopped", `stopped while ${quote(path)} was read; nothing was written`);
    reader.push(piece);
  };
  await readPieces({ path, option: "--watch", most: mostBytes.log, take, progress });
  return reader.end();
}

/**
 * Reads a file or a pipe from beginning to end.
 *
 * @returns the time of the last modification
 */
async function readPieces({
  path,
  option,
  most,
  take,
  progress,
}: {
  readonly path: string;
  readonly option: string;
  /** Maximum size in bytes. */
  readonly most: number;
  readonly take: (piece: string) => void;
  readonly progress: Progress;
}): Promise<Date> {
  // The decoder keeps characters intact that span two pieces.
  const decoder = new TextDecoder();
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const { mtime, size } = await file.stat();
    let bytes = 0;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 })) {
      bytes += (piece as Buffer).length;
      if (bytes > most) {
        const message = `${option}: ${quote(path)} has more than the ${most} bytes that are read; is it the right file?`;
        throw new InputError("file-too-large", message);
      }
      take(decoder.decode(piece as Buffer, { stream: true }));
      // A pipe has no size.
      progress.show(`reading ${path}: ${megabytes(bytes)}${size === 0 ? "" : ` of ${megabytes(size)}`}`);
    }
    take(decoder.decode());
    return mtime;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw unreadable(path, option, error);
  } finally {
    await file?.close();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
