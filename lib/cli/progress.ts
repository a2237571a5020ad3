import { countOf } from "../text/words";
import type { Io } from "./command";
import { cut, isTerminal } from "./style";
import { safe } from "./text";

/**
 * Shows the progress of a command. On a terminal it is one moving line on stderr, which disappears at the end. In a
 * pipeline it is a plain line from time to time; with `--quiet` it is nothing. Until {@link end}, all other output has
 * to go through this interface, or through stdout if stdout is not the terminal.
 */
export interface Progress {
  /**
   * Updates the progress.
   *
   * @param total 0 if unknown
   * @param label current step or interim result, as in `3 failed`; made safe here
   */
  update(done: number, total: number, label?: string): void;
  /** Writes a line to stderr that stays, such as a change; made safe here. */
  line(text: string): void;
  /** Writes results to stdout unchanged, while the moving line is removed. */
  result(text: string): void;
  /** Removes the moving line. Afterwards only {@link line} and {@link result} have an effect. */
  end(): void;
}

export interface ProgressOptions {
  /** Noun for the counted items, in the singular and the plural. */
  readonly noun: readonly [one: string, many: string];
  /** Minimum time between two plain lines in a pipeline, in seconds. @default 10 */
  readonly everySeconds?: number;
  /** Calls back once after the given milliseconds, and does not keep the process alive. @default setTimeout */
  readonly schedule?: (work: () => void, milliseconds: number) => void;
}

type Display = Pick<Io, "stdout" | "stderr" | "env" | "now" | "quiet">;

/** Redraw interval in milliseconds: ten times a second looks smooth. */
const redrawMs = 100;
const barWidth = 24;
const wipe = "\r\u001b[K";

export function createProgress(io: Display, options: ProgressOptions): Progress {
  if (io.quiet === true) return quietProgress(io);
  return isTerminal(io.stderr, io.env) ? movingProgress(io, options) : plainProgress(io, options);
}

function quietProgress({ stdout }: Display): Progress {
  return {
    update: () => undefined,
    line: () => undefined,
    result: (text) => void stdout.write(text),
    end: () => undefined,
  };
}

function plainProgress({ stdout, stderr, now }: Display, { noun, everySeconds = 10 }: ProgressOptions): Progress {
  let toldAt = now().getTime();
  let ended = false;
  return {
    update: (done, total, label) => {
      if (ended || now().getTime() - toldAt < everySeconds * 1_000) return;
      toldAt = now().getTime();
      stderr.write(`${tellOf(done, total, noun)}${label === undefined ? "" : `, ${safe(label)}`}\n`);
    },
    line: (text) => void stderr.write(`${safe(text)}\n`),
    result: (text) => void stdout.write(text),
    end: () => {
      ended = true;
    },
  };
}

function movingProgress({ stdout, stderr, now }: Display, { noun, schedule = later }: ProgressOptions): Progress {
  let text = "";
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  let isDue = false;
  let ended = false;
  const draw = () => {
    isDue = false;
    if (ended || text === "") return;
    drawnAt = now().getTime();
    isDrawn = true;
    // The text never reaches the last column: some terminals then wrap, and a carriage return no longer leads back.
    stderr.write(`\r${cut(text, (stderr.columns || 80) - 1)}\u001b[K`);
  };
  const aside = (write: () => void) => {
    if (isDrawn) stderr.write(wipe);
    isDrawn = false;
    write();
    draw();
  };
  return {
    update: (done, total, label) => {
      text = `${barOf(done, total)}${tellOf(done, total, noun)}${label === undefined ? "" : `  ${safe(label)}`}`;
      const rest = drawnAt + redrawMs - now().getTime();
      if (rest <= 0) draw();
      else if (!isDue) {
        isDue = true;
        schedule(draw, rest);
      }
    },
    line: (added) => aside(() => stderr.write(`${safe(added)}\n`)),
    result: (added) => aside(() => stdout.write(added)),
    end: () => {
      ended = true;
      if (isDrawn) stderr.write(wipe);
      isDrawn = false;
    },
  };
}

function later(work: () => void, milliseconds: number): void {
  setTimeout(work, milliseconds).unref();
}

function tellOf(done: number, total: number, noun: ProgressOptions["noun"]): string {
  return total > 0 ? `${done} of ${countOf(total, ...noun)}` : countOf(done, ...noun);
}

function barOf(done: number, total: number): string {
  if (total <= 0) return "";
  const filled = Math.floor((Math.min(done, total) / total) * barWidth);
  return `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}] `;
}
