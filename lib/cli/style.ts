import type { Severity } from "../findings/codes";
import type { MarkedState } from "../text/state-marks";
import type { Io } from "./command";

/** Meaning of a word; color only repeats what the word already states. */
export type Tone = "good" | "bad" | "pending" | "faint" | "strong";

/** Colors text that is already safe; returns the text unchanged where color is off. */
export type Paint = (tone: Tone, text: string) => string;

/** Colors of severities, the same in every command. */
export const severityTones: Readonly<Record<Severity, Tone>> = { error: "bad", warning: "pending", info: "faint" };

/** Colors of states, the same in every command. */
export const stateTones: Readonly<Record<MarkedState, Tone>> = {
  done: "good",
  waiting: "pending",
  todo: "faint",
  failed: "bad",
  stopped: "pending",
  unknown: "pending",
  none: "faint",
};

/** Codes of "select graphic rendition": green, red, yellow, faint, and bold. */
const tones: Readonly<Record<Tone, number>> = { good: 32, bad: 31, pending: 33, faint: 2, strong: 1 };

/**
 * Returns the function that colors text for a stream. Color is off if the stream is not a terminal, `--no-color` is
 * given, NO_COLOR is not empty, or TERM is `dumb`. FORCE_COLOR also colors pipes and overrides NO_COLOR; the values `0`
 * and `false` turn color off.
 */
export function paintFor<Stream extends "stdout" | "stderr">(
  io: Pick<Io, Stream | "env" | "color">,
  stream: Stream,
): Paint {
  if (!hasColor(io, io[stream])) return (_, text) => text;
  return (tone, text) => `\u001b[${tones[tone]}m${text}\u001b[0m`;
}

function hasColor({ color, env }: Pick<Io, "color" | "env">, stream: Io["stdout"]): boolean {
  if (color === false) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return isTerminal(stream, env);
}

/** Returns whether the stream is a terminal that can move the cursor. */
export function isTerminal(stream: Io["stdout"], env: Io["env"]): boolean {
  return stream.isTTY === true && env.TERM !== "dumb";
}

/**
 * Returns the number of terminal columns of a text: 0 for combining marks, 2 for East Asian wide characters and for
 * pictographs.
 */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** Returns the part of a text that fits into the given columns; an ellipsis replaces the rest. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let fitting = "";
  let width = 0;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns - 1) break;
    fitting += character;
  }
  return columns < 1 ? "" : `${fitting}…`;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

function widthOfCharacter(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Fits a text into a number of columns: cuts it, or adds spaces. */
export function pad(text: string, columns: number): string {
  const fitted = cut(text, columns);
  return `${fitted}${" ".repeat(Math.max(0, columns - widthOf(fitted)))}`;
}

/** Folds a line to the width of the terminal. The first `indent` columns (a bullet or a label) stay unchanged. */
export type Fold = (line: string, indent: number) => string;

/** Minimum number of columns for folded text: below it, the terminal's own line breaks are easier to read. */
const leastColumns = 24;

/**
 * Returns the function that breaks long lines for a stream: between words, at the terminal's width, with every line but
 * the first indented. In a pipe or a file, a line stays one line. Do not use it for command lines that users copy.
 */
export function folderFor<Stream extends "stdout" | "stderr">(io: Pick<Io, Stream | "env">, stream: Stream): Fold {
  const columns = columnsOf(io, stream);
  return columns === undefined ? (line) => line : foldTo(columns);
}

/** Returns the width of the terminal of a stream; undefined in a pipe, in a file, and if the width is unknown. */
export function columnsOf<Stream extends "stdout" | "stderr">(
  io: Pick<Io, Stream | "env">,
  stream: Stream,
): number | undefined {
  const terminal: Io["stdout"] = io[stream];
  // Some terminals report 0 for an unknown size.
  return (isTerminal(terminal, io.env) ? terminal.columns : undefined) || undefined;
}

export function foldTo(columns: number): Fold {
  return (line, indent) => fold(line, columns, indent);
}

function fold(line: string, columns: number, indent: number): string {
  if (widthOf(line) <= columns || columns - indent < leastColumns) return line;
  const lines = wrapWords(line.slice(indent), columns - indent);
  return `${line.slice(0, indent)}${lines.join(`\n${" ".repeat(indent)}`)}`;
}

/** Breaks a text into lines between words. A word that is wider than the columns gets a line of its own. */
export function wrapWords(text: string, columns: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const [first = "", ...words] = text.split(" ");
  const lines: string[] = [];
  let current = first;
  for (const word of words) {
    const longer = `${current} ${word}`;
    if (widthOf(longer) <= columns) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}

/**
 * Breaks a command line between words. Each line but the last ends with a backslash, so that a POSIX shell reads the
 * copied lines as one command. Unclosed quotes leave the command line whole.
 */
export function wrapCommand(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const words = line.match(/(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? [];
  if (words.join(" ") !== line) return [line];
  const continued = " \\";
  const lines: string[] = [];
  words.forEach((word, index) => {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    const room = index === words.length - 1 ? columns : columns - continued.length;
    if (lines.length > 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  });
  return lines.map((wrapped, index) => (index === lines.length - 1 ? wrapped : `${wrapped}${continued}`));
}

/** Joins texts into lines of at most the given columns. A text is never broken; a text that is too long is cut. */
export function joinFitting(parts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts.map((whole) => cut(whole, columns))) {
    const longer = `${lines.at(-1) ?? ""}  ${part}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
