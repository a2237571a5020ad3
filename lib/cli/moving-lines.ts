import type { Io } from "./command";
import { cut, paintFor, type Tone, widthOf } from "./style";
import { safe } from "./text";

export interface Line {
  readonly text: string;
  readonly tone?: Tone;
}

/** Lines on stderr that are drawn again in their place. */
export interface MovingLines {
  readonly draw: () => void;
  /** Draws again unless that happened a moment ago. */
  readonly drawIfDue: () => void;
  readonly wipe: () => void;
  /** Writes something that stays above the lines. */
  readonly aside: (write: () => void) => void;
}

/** Redraw interval in milliseconds. */
const redrawMs = 150;
const defaultColumns = 80;
const defaultRows = 24;

/**
 * Creates lines that move on a terminal.
 *
 * @param linesFor returns the lines for a number of rows and columns; they are made safe and cut here
 */
export function createMovingLines(
  io: Pick<Io, "stderr" | "env" | "color" | "now" | "signal">,
  linesFor: (rows: number, columns: number) => readonly Line[],
): MovingLines {
  const paint = paintFor(io, "stderr");
  // Some terminals report 0 for an unknown size.
  const columnsNow = () => io.stderr.columns || defaultColumns;
  /** Width of each drawn line, in columns. */
  let drawn: readonly number[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  const wipe = () => {
    // A terminal that has become narrower has wrapped the lines that no longer fit.
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columnsNow())), 0);
    // The terminal echoes ^C and other keys in the row of the cursor. Erase row by row: if the screen is erased from
    // its first row to its end, tmux keeps the content, and would keep every board.
    if (rows > 0) io.stderr.write(`\r\u001b[2K${"\u001b[A\u001b[2K".repeat(rows)}`);
    drawn = [];
  };
  const draw = () => {
    drawnAt = io.now().getTime();
    const columns = columnsNow() - 1;
    // One row for the cursor, and one for a line that the terminal has wrapped.
    const lines = linesFor((io.stderr.rows || defaultRows) - 2, columns).map(({ text, tone }) => {
      return { tone, text: cut(safe(text), columns).trimEnd() };
    });
    wipe();
    io.stderr.write(lines.map(({ text, tone }) => `${tone === undefined ? text : paint(tone, text)}\n`).join(""));
    drawn = lines.map(({ text }) => widthOf(text));
  };
  // Makes room for the message about the stop.
  io.signal.addEventListener("abort", wipe, { once: true });
  return {
    draw,
    drawIfDue: () => {
      if (io.now().getTime() - drawnAt >= redrawMs) draw();
    },
    wipe,
    aside: (write) => {
      wipe();
      write();
      draw();
    },
  };
}
