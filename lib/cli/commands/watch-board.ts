import type { WatchLine, WatchProgress, WatchSchedule } from "../../live/watch";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { wordsFor } from "../duration";
import { createMovingLines } from "../moving-lines";
import { createProgress, type Progress } from "../progress";
import { isTerminal } from "../style";
import { safe, writeLine } from "../text";
import { createWatchBoardState } from "./watch-board-state";

/** Shows a watch: a board on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface WatchDisplay extends Progress {
  readonly take: (line: WatchLine) => void;
  /** Takes the results so far. @param goodForMs as in `onProgress` of a watch */
  readonly measure: (progress: WatchProgress, goodForMs: number) => void;
}

export interface WatchLimits extends Pick<WatchSchedule, "until"> {
  readonly goodMs: number;
  readonly withinMs: number;
}

/** Interval in which the remaining time moves, in milliseconds. */
const tickMs = 1_000;

/** @param schedule calls back once, and does not keep the process alive. @default setTimeout */
export function createWatchDisplay(
  io: Io,
  limits: WatchLimits,
  schedule: (work: () => void, milliseconds: number) => void = (work, milliseconds) =>
    void setTimeout(work, milliseconds).unref(),
): WatchDisplay {
  if (io.quiet === true || !isTerminal(io.stderr, io.env)) {
    const noun = ["answer leads to the load balancer", "answers lead to the load balancer"] as const;
    return { ...createProgress(io, { noun }), take: () => undefined, measure: () => undefined };
  }
  return boardDisplay(io, limits, schedule);
}

function boardDisplay(
  io: Io,
  limits: WatchLimits,
  schedule: (work: () => void, milliseconds: number) => void,
): WatchDisplay {
  const board = createWatchBoardState();
  const startedAt = io.now().getTime();
  let hasEnded = false;
  /** Text in place of the remaining time, for example about a lost network. */
  let shown: (() => string) | undefined;
  let measured: Measured | undefined;
  const status = () =>
    shown === undefined ? statusOf(measured, limits, { startedAt, nowMs: io.now().getTime() }) : shown();
  const lines = createMovingLines(io, (rows, columns) => board.lines(rows, columns, status()));
  const drawIfDue = () => {
    if (!hasEnded) lines.drawIfDue();
  };
  const tick = () =>
    schedule(() => {
      if (hasEnded) return;
      lines.draw();
      tick();
    }, tickMs);
  tick();
  const show = (text: string, time: () => string = () => "") => {
    shown = () => [safe(text), time()].filter((part) => part !== "").join("; ");
    drawIfDue();
  };
  const aside = (write: () => void) => (hasEnded ? write() : lines.aside(write));
  return {
    take: (line) => {
      board.take(line);
      drawIfDue();
    },
    measure: (progress, goodForMs) => {
      measured = { progress, goodForMs, atMs: io.now().getTime() };
    },
    update: () => {
      shown = undefined;
      drawIfDue();
    },
    show,
    announce: show,
    line: (text) => aside(() => writeLine(text, io, "stderr")),
    result: (text) => aside(() => io.stdout.write(text)),
    end: () => {
      hasEnded = true;
      lines.wipe();
    },
  };
}

interface Measured {
  readonly progress: WatchProgress;
  readonly goodForMs: number;
  readonly atMs: number;
}

/** Returns the counts and the remaining time. */
function statusOf(
  measured: Measured | undefined,
  { until, goodMs, withinMs }: WatchLimits,
  { startedAt, nowMs }: { readonly startedAt: number; readonly nowMs: number },
): string {
  if (measured === undefined) return "first check of every hostname";
  const { progress, goodForMs, atMs } = measured;
  const { attempts, failures, movedAt, share } = progress;
  const counts = `${countOf(attempts, "connection")}, ${failures} failed`;
  const limit = `at most ${wordsFor(startedAt + withinMs - nowMs)} left`;
  if (until === "stopped") return `${counts}; Ctrl-C ends the watch; ${limit}`;
  if (movedAt === undefined || until === "moved") {
    const isEverywhere = share.previous + share.other + share.unknown === 0;
    return `${counts}; ${isEverywhere ? "all moved, to be confirmed" : "not moved everywhere"}; ${limit}`;
  }
  return `${counts}; all moved; ${wordsFor(goodMs - goodForMs - (nowMs - atMs))} left`;
}
