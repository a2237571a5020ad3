import type { Io } from "./command";

/** What a word stands for; colour only ever repeats what the word says. */
type Tone = "good" | "bad" | "pending" | "faint";

/** Puts colour on text that is safe already; where there is none, the text itself. */
export type Paint = (tone: Tone, text: string) => string;

/** Numbers of "select graphic rendition": green, red, yellow, and faint. */
const tones: Readonly<Record<Tone, number>> = { good: 32, bad: 31, pending: 33, faint: 2 };

/**
 * The paint for one of the streams. It is plain where nobody looks at a terminal, where `--no-color` is given, where NO_COLOR is set to anything, and
 * where TERM is `dumb`; FORCE_COLOR colours pipes too and outweighs NO_COLOR, unless it is `0` or `false`, which is as good as NO_COLOR.
 */
export function paintFor(io: Pick<Io, "stdout" | "stderr" | "env" | "color">, stream: "stdout" | "stderr"): Paint {
  if (!hasColor(io, stream)) return (_, text) => text;
  return (tone, text) => `\u001b[${tones[tone]}m${text}\u001b[0m`;
}

function hasColor({ color, env, ...io }: Parameters<typeof paintFor>[0], stream: "stdout" | "stderr"): boolean {
  if (color === false) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return isTerminal(io[stream], env);
}

/** Whether a person looks at the stream, through something that can move the cursor. */
export function isTerminal(stream: Io["stdout"], env: Io["env"]): boolean {
  return stream.isTTY === true && env.TERM !== "dumb";
}

/** Columns that a text takes on a terminal: none for combining marks, two for the wide letters of East Asia and for pictures. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** As much of a text as fits into so many columns; an ellipsis stands for what does not. */
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
