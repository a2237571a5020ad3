import { InputError, type Problem } from "../../errors";
import { parseActivity, type ReadOptions } from "./activity";
import { type GamRow, readCsv, readGamHeader, recordsIn, serviceRecord } from "./forms";
import { isJson, readLosslessJson } from "./json";
import type { Activity } from "./model";

/** Result for one position of a file: an activity, or a problem. */
export type RecordReading = RecordPlace & ({ readonly activity: Activity } | { readonly problem: Problem });

/** Position of a record in a file. */
interface RecordPlace {
  /** Number of the line on which the JSON value begins, from 1. */
  readonly line: number;
  /** Position in the list, or in the page, that begins on the line, from 0. @default - the record is the whole value */
  readonly index?: number;
}

/** Maximum length of a line, and of a document over several lines, in characters. The text must fit in memory. */
const longestText = 256 * 1024 * 1024;

/**
 * Reads records from a file or a pipe: one record per line, or JSON values over several lines. Each value is a record,
 * a list of records, or a page of the service. Records may be the service's own, entries of Cloud Logging (`gcloud
 * logging read --format json`), or documents of Elastic's integration `google_workspace` (lines of Filebeat, search
 * hits). A text that begins with the column names of GAM's `report admin` is read as CSV. With one record per line,
 * memory holds one line at a time. An unreadable record becomes a problem with its line number, and reading continues.
 *
 * @param chunks pieces of the text, split anywhere, also within a character
 * @throws InputError `document-too-long` for a line, or a document over several lines, of more than 268,435,456
 * characters
 */
export async function* readRecords(
  chunks: AsyncIterable<string | Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<RecordReading, void, undefined> {
  let shape: "unknown" | "lines" | "document" = "unknown";
  const document: string[] = [];
  let length = 0;
  let line = 0;
  const lines = numbered(linesOf(chunks));
  for await (const { line: at, text } of lines) {
    line = at;
    if (shape !== "document" && text.trim() === "") continue;
    if (shape === "unknown" && isHeader(text)) {
      yield* readTable(followed({ line, text }, lines), options);
      return;
    }
    if (shape === "unknown") shape = isJson(text) ? "lines" : "document";
    if (shape === "lines") {
      yield* readText(text, line, options);
      continue;
    }
    document.push(text);
    length += text.length;
    if (length > longestText) throw tooLong("a document");
  }
  if (shape !== "document") return;
  const first = line - document.length + 1;
  const whole = document.join("\n");
  if (isJson(whole)) {
    yield* readText(whole, first, options);
    return;
  }
  for (const value of valuesIn(document)) {
    const at = first + value.offset;
    const text = value.lines.join("\n");
    if (isJson(text)) yield* readText(text, at, options);
    // The value has one record per line after all, and one is malformed. The malformed lines are reported; the others
    // are read.
    else
      for (const [index, line] of value.lines.entries())
        if (line.trim() !== "") yield* readText(line, at + index, options);
  }
}

/**
 * Divides lines into JSON values that follow each other, as `jq '.items[]'` prints them. A value ends when its brackets
 * are closed; after a malformed value, the next value begins at a line that begins with a bracket.
 */
function* valuesIn(
  lines: readonly string[],
): Generator<{ readonly offset: number; readonly lines: readonly string[] }> {
  let [offset, depth] = [0, 0];
  for (const [index, text] of lines.entries()) {
    if (index > offset && (depth <= 0 || /^[[{]/.test(text))) {
      yield { offset, lines: lines.slice(offset, index) };
      [offset, depth] = [index, 0];
    }
    // A string never contains a line break, so each line has whole strings.
    const brackets = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
    for (const character of brackets) depth += "[{".includes(character) ? 1 : "]}".includes(character) ? -1 : 0;
  }
  yield { offset, lines: lines.slice(offset) };
}

function* readText(text: string, line: number, options: ReadOptions): Generator<RecordReading> {
  try {
    const value = readLosslessJson(text);
    const records = recordsIn(value);
    const isAlone = records.length === 1 && records[0] === value;
    for (const [index, record] of records.entries()) {
      yield* readRecord(record, isAlone ? { line } : { line, index }, options);
    }
  } catch (error) {
    yield* problemsOf(error, { line });
  }
}

function* readRecord(record: unknown, place: RecordPlace, options: ReadOptions): Generator<RecordReading> {
  try {
    // A string would be parsed as JSON, but a string in a list is not a record.
    const activity = parseActivity(typeof record === "string" ? undefined : serviceRecord(record), options);
    yield { ...place, activity };
  } catch (error) {
    yield* problemsOf(error, place);
  }
}

function problemsOf(error: unknown, place: RecordPlace): readonly RecordReading[] {
  if (!(error instanceof InputError)) throw error;
  return error.problems.map((problem) => ({ ...place, problem }));
}

/**
 * Returns whether a line can only be a header of column names. JSON begins with a bracket, or with a quote that belongs
 * to a JSON value.
 */
function isHeader(text: string): boolean {
  return /^\uFEFF?"?[A-Za-z][\w. ]*"?,/.test(text) && !isJson(text);
}

async function* readTable(lines: AsyncIterable<NumberedLine>, options: ReadOptions): AsyncGenerator<RecordReading> {
  let row: GamRow | undefined;
  for await (const { line, cells } of readCsv(lines, longestText, () => tooLong("a row"))) {
    if (row === undefined) {
      try {
        row = readGamHeader(cells.map((cell, index) => (index === 0 ? cell.replace(/^\uFEFF/, "") : cell)));
      } catch (error) {
        yield* problemsOf(error, { line });
        return;
      }
      continue;
    }
    try {
      yield { line, activity: parseActivity(row(cells), options) };
    } catch (error) {
      yield* problemsOf(error, { line });
    }
  }
}

interface NumberedLine {
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

async function* numbered(texts: AsyncIterable<string>): AsyncGenerator<NumberedLine> {
  let line = 0;
  for await (const text of texts) {
    line += 1;
    yield { line, text };
  }
}

/** Yields the first line again, then the remaining lines. */
async function* followed(first: NumberedLine, rest: AsyncGenerator<NumberedLine>): AsyncGenerator<NumberedLine> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function tooLong(what: string): InputError {
  const message = `${what} of more than ${longestText} characters is not read; give one record a line`;
  return new InputError("document-too-long", message);
}

async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    // Only the new piece is searched. Otherwise, a line of many pieces would take quadratic time.
    const at = text.lastIndexOf("\n");
    if (at === -1) {
      rest += text;
      if (rest.length > longestText) throw tooLong("a line");
      continue;
    }
    // The last line break is outside of the piece that is split, so a carriage return before it is removed here.
    yield* `${rest}${text.slice(0, at)}`.replace(/\r$/, "").split(/\r?\n/);
    rest = text.slice(at + 1);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
