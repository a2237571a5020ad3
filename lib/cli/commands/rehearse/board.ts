import type { RehearsalObserver } from "../../../rehearsal";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { createMovingLines } from "../../moving-lines";
import { isTerminal } from "../../style";
import { safe, writeLine } from "../../text";
import { type BoardState, createBoardState } from "./board-state";

/**
 * Creates the board of a rehearsal.
 *
 * @param added the hostname that no certificate has before the end of the eight steps
 */
export function createRehearsalBoard(io: Io, hostnames: readonly string[], added?: string): RehearsalBoard {
  if (io.quiet === true) {
    return { observer: {}, say: () => undefined, freeze: writeFrozen(io), end: () => undefined };
  }
  return isTerminal(io.stderr, io.env)
    ? createMovingBoard(io, createBoardState(hostnames, added))
    : createPlainBoard(io);
}

/** Draws the board again at each change. */
function createMovingBoard(io: Io, board: BoardState): RehearsalBoard {
  const { draw, drawIfDue, wipe } = createMovingLines(io, board.lines);
  /** While a text is copied, and after the end. */
  let isFrozen = false;
  const unlessFrozen = (work: () => void) => {
    if (!isFrozen) work();
  };
  const thaw = () => {
    isFrozen = false;
    draw();
  };
  return {
    observer: {
      probe: (probe) => {
        board.probed(probe);
        unlessFrozen(drawIfDue);
      },
      part: (part) => {
        board.went(part);
        unlessFrozen(draw);
      },
    },
    say: (line) => {
      wipe();
      writeLine(line, io, "stderr");
      unlessFrozen(draw);
    },
    freeze: (text) => {
      wipe();
      io.stderr.write(text);
      isFrozen = true;
      return thaw;
    },
    end: () => {
      isFrozen = true;
      wipe();
    },
  };
}

/** Shows the progress of a rehearsal: a moving board on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface RehearsalBoard {
  readonly observer: Pick<RehearsalObserver, "probe" | "part" | "progress">;
  /** Prints a line that stays; made safe here. */
  readonly say: (line: string) => void;
  /**
   * Prints a text, made safe by the caller, and stops moving output, so that the text can be copied.
   *
   * @returns a function that continues the output
   */
  readonly freeze: (text: string) => () => void;
  readonly end: () => void;
}

/**
 * Maximum time without output on stderr, in milliseconds: the log of a pipeline has to show that the rehearsal is
 * running.
 */
const silenceMs = 20_000;
const checkMs = 1_000;

/**
 * Calls a function at intervals, and does not keep the process alive.
 *
 * @returns a function that stops the calls
 */
type Repeat = (work: () => void, milliseconds: number) => () => void;

/** Shows a rehearsal without a terminal: line by line, with a progress line after a period without output. */
export function createPlainBoard(
  { stderr, now }: Pick<Io, "stderr" | "now">,
  repeat: Repeat = atIntervals,
): RehearsalBoard {
  let writtenAt = now().getTime();
  let current = "getting ready";
  let startedAt = writtenAt;
  let terraform = "";
  const handshakes = { made: 0, failed: 0 };
  const say = (line: string) => {
    writtenAt = now().getTime();
    stderr.write(`${safe(line)}\n`);
  };
  const reportProgress = () => {
    if (now().getTime() - writtenAt < silenceMs) return;
    const seconds = Math.round((now().getTime() - startedAt) / 1_000);
    const { made, failed } = handshakes;
    say(`... ${current}: ${seconds} s${terraform}; ${countOf(made, "handshake")} so far, ${failed} failed`);
  };
  return {
    observer: {
      probe: ({ ok }) => {
        handshakes.made += 1;
        if (!ok) handshakes.failed += 1;
      },
      part: ({ name, ok }) => {
        startedAt = now().getTime();
        terraform = "";
        current = ok === undefined ? name : "between steps";
      },
      progress: ({ program, verb, done, total }) => {
        terraform = `, ${program} ${verb}${total === undefined ? "" : `: ${done} of ${countOf(total, "change")}`}`;
      },
    },
    say,
    freeze: writeFrozen({ stderr }),
    end: repeat(reportProgress, checkMs),
  };
}

/** Returns the `freeze` of a board without moving output. */
function writeFrozen({ stderr }: Pick<Io, "stderr">): RehearsalBoard["freeze"] {
  return (text) => {
    stderr.write(text);
    return () => undefined;
  };
}

function atIntervals(work: () => void, milliseconds: number): () => void {
  const timer = setInterval(work, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
