import { InputError, type Problem } from "../../errors";
import { parseActivity, type ReadOptions } from "./activity";
import { isJson, readJson } from "./json";
import type { Activity } from "./model";
import { isData, own } from "./values";

/** What stands at a place of a file: an activity, or something that is none. */
export type RecordReading =
  | { readonly line: number; readonly activity: Activity }
  | { readonly line: number; readonly problem: Problem };

/** Longest line, and longest document that is not one record a line, in characters: it has to be in memory whole. */
const longestText = 256 * 1024 * 1024;

/**
 * Reads records from a file or a pipe: one a line, or one JSON document over several lines; each a record, a list of
 * records, or a page of the service. With one a line, memory holds one line at a time. What can't be read is handed on
 * as a problem with its line, and reading goes on.
 *
 * @param chunks pieces of the text, cut anywhere, also within a character
 * @throws InputError `document-too-long` for a line, or a document over several lines, of more than 268,435,456 characters
 */
export async function* readRecords(
  chunks: AsyncIterable<string | Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<RecordReading, void, undefined> {
  let shape: "unknown" | "lines" | "document" = "unknown";
  const document: string[] = [];
  let length = 0;
  let line = 0;
  for await (const text of linesOf(chunks)) {
    line += 1;
    if (shape !== "document" && text.trim() === "") continue;
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
  // One record a line after all, and the first one broken: better to name the broken ones than to refuse all.
  for (const [index, text] of document.entries()) {
    if (text.trim() !== "") yield* readText(text, first + index, options);
  }
}

function* readText(text: string, line: number, options: ReadOptions): Generator<RecordReading> {
  try {
    for (const record of recordsOf(readJson(text))) yield* readRecord(record, line, options);
  } catch (error) {
    yield* problemsOf(error, line);
  }
}

function* readRecord(record: unknown, line: number, options: ReadOptions): Generator<RecordReading> {
  try {
    // A text would be read as JSON; in a list it is no record.
    yield { line, activity: parseActivity(typeof record === "string" ? undefined : record, options) };
  } catch (error) {
    yield* problemsOf(error, line);
  }
}

function problemsOf(error: unknown, line: number): readonly RecordReading[] {
  if (!(error instanceof InputError)) throw error;
  return error.problems.map((problem) => ({ line, problem }));
}

function recordsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isData(value)) return [value];
  const items = own(value, "items");
  if (Array.isArray(items)) return items;
  return /activities$/i.test(String(own(value, "kind"))) && own(value, "id") === undefined ? [] : [value];
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
    // Only the new piece is searched, or a line of many pieces would take time squared.
    const at = text.lastIndexOf("\n");
    if (at === -1) {
      rest += text;
      if (rest.length > longestText) throw tooLong("a line");
      continue;
    }
    yield* `${rest}${text.slice(0, at)}`.split(/\r?\n/);
    rest = text.slice(at + 1);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
