import { countOf } from "../text/words";
import type { Io } from "./command";
import { wordsFor } from "./duration";
import { cut, folderFor, isTerminal } from "./style";
import { safe } from "./text";

/**
 * Shows the progress of a command. On a terminal it is one moving line on stderr, which disappears at the end. In a
 * pipeline it is a plain line when something changes, and otherwise once a minute; with `--quiet` it is nothing. Until
 * {@link end}, all other output has to go through this interface, or through stdout if stdout is not the terminal.
 * `docs/contributing/architecture.md` lists what libraries lack.
 */
export interface Progress {
  /**
   * Updates the count.
   *
   * @param total 0 if unknown
   * @param label current step or interim result, as in `3 failed`; made safe here
   * @param time returns the passed or remaining time, as in `2 min left`. A plain line is not repeated only because the
   * time changes. @default - the time since the start, from {@link elapsedFromMs} on
   */
  update(done: number, total: number, label?: string, time?: () => string): void;
  /** Shows a text in place of the count until the next update; made safe here. @param time as in {@link update} */
  show(text: string, time?: () => string): void;
  /**
   * Shows a text at once, also in a pipeline: for a long step that blocks the process, so that no timer could show it.
   * Made safe here.
   */
  announce(text: string): void;
  /** Writes a line to stderr that stays, such as a change; made safe here. */
  line(text: string): void;
  /** Writes results to stdout unchanged, while the moving line is removed. */
  result(text: string): void;
  /** Removes the moving line. Afterwards only {@link line} and {@link result} have an effect. */
  end(): void;
}

export interface ProgressOptions {
  /** Noun for the counted items, in the singular and the plural. @default - nothing is counted */
  readonly noun?: readonly [one: string, many: string];
  /** Calls back once after the given milliseconds, and does not keep the process alive. @default setTimeout */
  readonly schedule?: (work: () => void, milliseconds: number) => void;
}

type Display = Pick<Io, "stdout" | "stderr" | "env" | "now" | "quiet">;
type Settings = Required<ProgressOptions>;
const uncounted = ["", ""] as const;

/** Redraw interval in milliseconds: ten times a second looks smooth. */
const redrawMs = 100;
/** Interval in which the time moves, in milliseconds. */
const tickMs = 1_000;
/** Passed time from which it is shown, in milliseconds. A shorter command needs no clock. */
const elapsedFromMs = 2_000;
/** Times of plain lines, in milliseconds: before the first, between two different ones, and until one is repeated. */
const plainMs = { first: 2_000, changed: 10_000, repeated: 60_000 } as const;
const barWidth = 24;
const wipe = "\r\u001b[K";

export function createProgress(io: Display, { noun = uncounted, schedule = later }: ProgressOptions = {}): Progress {
  if (io.quiet === true) return quietProgress(io);
  const settings = { noun, schedule };
  return isTerminal(io.stderr, io.env) ? movingProgress(io, settings) : plainProgress(io, settings);
}

function quietProgress({ stdout }: Display): Progress {
  return {
    update: () => undefined,
    show: () => undefined,
    announce: () => undefined,
    line: () => undefined,
    result: (text) => void stdout.write(text),
    end: () => undefined,
  };
}

interface Shown {
  readonly text: string;
  readonly time: () => string;
}

function plainProgress({ stdout, stderr, now }: Display, { noun, schedule }: Settings): Progress {
  const elapsed = elapsedSince(now);
  const startedAt = now().getTime();
  let shown: Shown | undefined;
  let printed: { readonly text: string; readonly at: number } | undefined;
  let isTicking = false;
  let ended = false;
  const isDue = ({ text }: Shown) => {
    const passedMs = now().getTime() - (printed?.at ?? startedAt);
    return passedMs >= plainMs[printed === undefined ? "first" : printed.text === text ? "repeated" : "changed"];
  };
  const print = () => {
    if (ended || shown === undefined) return;
    if (isDue(shown)) {
      printed = { text: shown.text, at: now().getTime() };
      stderr.write(`${lineOf(shown, ", ")}\n`);
    }
    if (isTicking) return;
    isTicking = true;
    schedule(() => {
      isTicking = false;
      print();
    }, tickMs);
  };
  const show = (text: string, time: () => string = elapsed) => {
    shown = { text, time };
    print();
  };
  return {
    update: (done, total, label, time) =>
      show([countText(done, total, noun), ...(label === undefined ? [] : [safe(label)])].join(", "), time),
    show: (text, time) => show(safe(text), time),
    announce: (text) => {
      shown = { text: safe(text), time: elapsed };
      printed = { text: safe(text), at: now().getTime() };
      stderr.write(`${safe(text)}\n`);
    },
    line: (text) => void stderr.write(`${safe(text)}\n`),
    result: (text) => void stdout.write(text),
    end: () => {
      ended = true;
    },
  };
}

function movingProgress(io: Display, { noun, schedule }: Settings): Progress {
  const { stdout, stderr, now } = io;
  const elapsed = elapsedSince(now);
  let shown: Shown | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  let isDue = false;
  let isTicking = false;
  let ended = false;
  const draw = () => {
    isDue = false;
    if (ended || shown === undefined) return;
    drawnAt = now().getTime();
    isDrawn = true;
    const line = lineOf(shown, "  ");
    // The text never reaches the last column: some terminals then wrap, and a carriage return no longer leads back.
    stderr.write(`\r${cut(line, (stderr.columns || 80) - 1)}\u001b[K`);
    tick();
  };
  /** Redraws the line every second, so that the time moves and a slow step does not look like a stopped program. */
  const tick = () => {
    if (isTicking) return;
    isTicking = true;
    schedule(() => {
      isTicking = false;
      if (ended) return;
      if (now().getTime() - drawnAt >= tickMs) draw();
      else tick();
    }, tickMs);
  };
  const aside = (write: () => void) => {
    if (isDrawn) stderr.write(wipe);
    isDrawn = false;
    write();
    draw();
  };
  const show = (text: string, time: () => string = elapsed) => {
    shown = { text, time };
    const rest = drawnAt + redrawMs - now().getTime();
    if (rest <= 0) draw();
    else if (!isDue) {
      isDue = true;
      schedule(draw, rest);
    }
  };
  return {
    update: (done, total, label, time) => show(barText(done, total, noun, label), time),
    show: (text, time) => show(safe(text), time),
    announce: (text) => {
      shown = { text: safe(text), time: elapsed };
      draw();
    },
    line: (added) => aside(() => stderr.write(`${folderFor(io, "stderr")(safe(added), 2)}\n`)),
    result: (added) => aside(() => stdout.write(added)),
    end: () => {
      ended = true;
      aside(() => undefined);
    },
  };
}

/** Returns the bar, the count and the label of a step. */
function barText(done: number, total: number, noun: Settings["noun"], label = ""): string {
  return `${barOf(done, total)}${countText(done, total, noun)}${label === "" ? "" : `  ${safe(label)}`}`;
}

function lineOf({ text, time }: Shown, separator: string): string {
  return [text, time()].filter((part) => part !== "").join(separator);
}

function later(work: () => void, milliseconds: number): void {
  setTimeout(work, milliseconds).unref();
}

function elapsedSince(now: Display["now"]): () => string {
  const startedAt = now().getTime();
  return () => {
    const passedMs = now().getTime() - startedAt;
    return passedMs < elapsedFromMs ? "" : wordsFor(passedMs);
  };
}

function countText(done: number, total: number, noun: Settings["noun"]): string {
  return total > 0 ? `${done} of ${countOf(total, ...noun)}` : countOf(done, ...noun);
}

function barOf(done: number, total: number): string {
  if (total <= 0) return "";
  const filled = Math.floor((Math.min(done, total) / total) * barWidth);
  return `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}] `;
}
