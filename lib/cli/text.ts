import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../errors";
import type { Code, Severity } from "../findings/codes";
import { type Finding, withRemedy } from "../findings/finding";
import { escapeUnsafe } from "../text/quote";
import type { Io } from "./command";
import { columnsOf, folderFor, paintFor, severityTones, wrapCommand } from "./style";

/** Escapes text from certificates, files and servers, so that it cannot control the terminal. */
export function safe(text: string): string {
  return escapeUnsafe(text);
}

/**
 * Returns JSON with a final line break, for terminals and programs. Characters that could control a terminal or stay
 * invisible are written as `\\uXXXX`, so that the value stays the same.
 *
 * @param indent spaces for each level; 0 for one line. @default 2
 */
export function toJson(value: unknown, indent = 2): string {
  return `${escapedJson(value, indent)}\n`;
}

function escapedJson(value: unknown, indent: number): string {
  // Spaces and line breaks of the layout stay: a JSON string contains no raw line break.
  return JSON.stringify(value, undefined, indent).replace(/(?![ \n])[\p{C}\p{Z}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Returns the JSON document that a command prints with `--json`. `docs/json-output.md` describes the common form. */
export function jsonDocument(fields: object, indent = 2): string {
  return toJson({ schemaVersion: 1, ...fields }, indent);
}

const itemsAtATime = 100;

/**
 * Returns the text of {@link jsonDocument} in pieces: as one text, a document of 20,000 hostnames needs 20 MB several
 * times.
 */
export function* jsonPieces(fields: object): Generator<string> {
  yield '{\n  "schemaVersion": 1';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `,\n  ${JSON.stringify(name)}: `;
    if (!Array.isArray(value) || value.length === 0) {
      yield indented(value, "  ");
      continue;
    }
    for (let from = 0; from < value.length; from += itemsAtATime) {
      const items = value.slice(from, from + itemsAtATime).map((item) => `\n    ${indented(item ?? null, "    ")}`);
      yield `${from === 0 ? "[" : ","}${items.join(",")}`;
    }
    yield "\n  ]";
  }
  yield "\n}\n";
}

function indented(value: unknown, indent: string): string {
  return escapedJson(value, 2).replaceAll("\n", `\n${indent}`);
}

/** Maximum length of the parser's message, in characters: the message may quote the input. */
const longestReason = 200;

/**
 * Parses JSON that the command line contains or names.
 *
 * @param subject what the JSON is, or its option, as in `--body`
 * @param advice what to pass. @default - nothing is added
 */
export function parseJsonInput(text: string, subject: string, advice?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = safe((error as Error).message.slice(0, longestReason));
    throw new InputError(
      "json-malformed",
      `${subject} is not JSON: ${why}${advice === undefined ? "" : `; ${advice}`}`,
    );
  }
}

/** Writes a line for people, made safe here and folded to the width of the terminal. */
export function writeLine<Stream extends "stdout" | "stderr">(
  text: string,
  io: Pick<Io, Stream | "env">,
  stream: Stream,
): void {
  const to: Io["stdout"] = io[stream];
  to.write(`${folderFor(io, stream)(safe(text), 2)}\n`);
}

/** Returns the link to a file, which terminals open. */
export function fileLink(path: string): string {
  return safe(pathToFileURL(resolve(path)).href);
}

/** Writes a warning or a note to stderr, in one line with its code. The message may be untrusted. */
export function writeNote(code: Code, message: string, io: Pick<Io, "stderr" | "env">): void {
  writeLine(`${message} [${code}]`, io, "stderr");
}

/** Writes findings as results, one line each with its code. */
export function writeFindings(findings: readonly Finding[], io: Pick<Io, "stdout" | "env" | "color">): void {
  for (const found of findings) {
    writeSeverity(found.severity, `: ${found.subject}: ${withRemedy(found)} [${found.code}]`, io);
  }
}

/** Writes a line that begins with a severity, in its color; the rest is made safe here. */
export function writeSeverity(severity: Severity, rest: string, io: Pick<Io, "stdout" | "env" | "color">): void {
  const line = folderFor(io, "stdout")(safe(`${severity}${rest}`), 2);
  io.stdout.write(`${paintFor(io, "stdout")(severityTones[severity], severity)}${line.slice(severity.length)}\n`);
}

/**
 * Formats a command line for users to copy, made safe here: one line in a pipe, and lines that a POSIX shell joins in a
 * terminal.
 *
 * @param label what precedes the command, as in `  $ `
 */
export function commandText(label: string, command: string, io: Pick<Io, "stdout" | "env">): string {
  const columns = columnsOf(io, "stdout");
  // PowerShell does not join lines at a backslash.
  if (columns === undefined || process.platform === "win32") return `${label}${safe(command)}\n`;
  const lines = wrapCommand(safe(command), columns - label.length);
  return `${label}${lines.join(`\n${" ".repeat(label.length)}`)}\n`;
}

/** Writes every problem of an input to stderr, one line each, with its code. */
export function writeProblems({ problems }: InputError, io: Io): void {
  const fold = folderFor(io, "stderr");
  for (const { code, message } of problems) io.stderr.write(`${fold(`error: ${safe(message)} [${code}]`, 7)}\n`);
}
