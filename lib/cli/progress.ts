import { countOf } from "../text/words";
import type { Io } from "./command";
import { cut, isTerminal } from "./style";
import { safe } from "./text";

/**
 * How far a command is. On a terminal one line on stderr that moves and is gone in the end; in a pipeline a plain line now and then; with `--quiet`
 * nothing. Whatever is written while it is under way has to go through it, or through stdout where that leads elsewhere.
 */
export interface Progress {
  /**
   * Says how far the command is.
   *
   * @param total 0 where nobody knows
   * @param label what is under way or how it goes, as in `3 failed`; made safe here
   */
  update(done: number, total: number, label?: string): void;
  /** A line on stderr that stays, as for what has changed; made safe here. */
  line(text: string): void;
  /** Writes results to stdout while the moving line is out of their way; as they are. */
  result(text: string): void;
  /** Takes the moving line away. Nothing but {@link line} and {@link result} does anything afterwards. */
  end(): void;
}

export interface ProgressOptions {
  /** What is counted, one of it and several. */
  readonly noun: readonly [one: string, many: string];
  /** In a pipeline: the least time between two plain lines. @default 10 */
  readonly everySeconds?: number;
  /** Calls back once after so many milliseconds, and does not keep the process alive. @default setTimeout */
  readonly schedule?: (work: () => void, milliseconds: number) => void;
}

type Display = Pick<Io, "stdout" | "stderr" | "env" | "now" | "quiet">;

/** Ten times a second is as smooth as an eye can tell from a counter. */
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
    // In its last column some terminals go to the next line, where a carriage return no longer leads back.
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
