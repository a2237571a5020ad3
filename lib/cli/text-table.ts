import type { Io } from "./command";
import { columnsOf, paintFor, type Tone, widthOf, wrapWords } from "./style";
import { safe } from "./text";

/** Spaces between two columns. */
const gap = "  ";
/** Minimum width of the last column, unless its content is narrower: less text in a line is hard to read. */
const leastLast = 24;
/** Indentation of the cells after the first if a row needs several lines. */
const indent = "  ";

/** Colors a cell, or a part of a cell that is wrapped; the text is already safe. Row numbers do not count the head. */
type PaintCell = (cell: string, column: number, row: number) => string;
type Row = readonly string[];

/**
 * Formats a table with columns as wide as their content; every cell is made safe.
 *
 * @param columns width of the terminal. In a wider table, cells are wrapped between words; if the longest words do not
 * fit beside each other, the cells of each row take several lines. @default - any width
 */
export function formatTable(
  head: Row,
  rows: readonly Row[],
  paint: PaintCell = (cell) => cell,
  columns?: number,
): string {
  const cells = [head, ...rows].map((row) => row.map(safe));
  const widths = widthsFor(cells, head.length, columns);
  return cells
    .flatMap((row, index) => {
      const painted = (cell: string, column: number) =>
        index === 0 || cell === "" ? cell : paint(cell, column, index - 1);
      return widths === undefined ? stacked(row, columns ?? 0, painted) : sideBySide(row, widths, painted);
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** Writes a table, as wide as the terminal. @param toneOf returns the color of a cell. @default - no colors */
export function writeTable(
  head: Row,
  rows: readonly Row[],
  io: Pick<Io, "stdout" | "env" | "color">,
  toneOf: (column: number, row: number) => Tone | undefined = () => undefined,
): void {
  const paint = paintFor(io, "stdout");
  const paintCell: PaintCell = (cell, column, row) => {
    const tone = toneOf(column, row);
    return tone === undefined ? cell : paint(tone, cell);
  };
  io.stdout.write(formatTable(head, rows, paintCell, columnsOf(io, "stdout")));
}

/** Returns the widths of the columns; undefined if the longest words do not fit beside each other. */
function widthsFor(cells: readonly Row[], count: number, columns: number | undefined): readonly number[] | undefined {
  const widest = (measure: (cell: string) => number) =>
    Array.from({ length: count }, (_, column) =>
      cells.reduce((width, row) => Math.max(width, measure(row[column] ?? "")), 0),
    );
  const widths = widest(widthOf);
  const excess = columns === undefined ? 0 : sum(widths) + gap.length * (count - 1) - columns;
  if (excess <= 0) return widths;
  const least = widest((cell) => Math.max(...cell.split(" ").map(widthOf)));
  const last = count - 1;
  least[last] = Math.max(least[last] ?? 0, Math.min(leastLast, widths[last] ?? 0));
  if (sum(widths) - sum(least) < excess) return undefined;
  for (let rest = excess; rest > 0; rest -= 1) {
    const wide = widths.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const column = wide.indexOf(Math.max(...wide));
    widths[column] = (widths[column] ?? 0) - 1;
  }
  return tightened(cells, widths);
}

/** Takes the space that wrapped cells leave free in their columns, and gives it to the last column. */
function tightened(cells: readonly Row[], widths: readonly number[]): readonly number[] {
  const used = widths.slice(0, -1).map((width, column) => {
    const parts = cells.flatMap((row) => wrapWords(row[column] ?? "", width));
    return parts.reduce((widest, part) => Math.max(widest, widthOf(part)), 0);
  });
  return [...used, sum(widths) - sum(used)];
}

type PaintPart = (part: string, column: number) => string;

function sideBySide(row: Row, widths: readonly number[], paint: PaintPart): readonly string[] {
  const parts = row.map((cell, column) => wrapWords(cell, widths[column] ?? 0));
  const height = Math.max(1, ...parts.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    parts
      .map((lines, column) => {
        const part = lines[line] ?? "";
        return `${paint(part, column)}${" ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(part)))}`;
      })
      .join(gap),
  );
}

/** Puts the cells of a row below each other; short cells share a line. */
function stacked(row: Row, columns: number, paint: PaintPart): readonly string[] {
  const lines: string[] = [];
  let used = columns;
  row.forEach((cell, column) => {
    if (cell === "") return;
    const width = gap.length + widthOf(cell);
    if (used + width <= columns) {
      lines.push(`${lines.pop()}${gap}${paint(cell, column)}`);
      used += width;
      return;
    }
    const start = lines.length === 0 ? "" : indent;
    const parts = wrapWords(cell, columns - indent.length);
    lines.push(...parts.map((part, index) => `${index === 0 ? start : indent}${paint(part, column)}`));
    used = indent.length + widthOf(parts.at(-1) ?? "");
  });
  return lines;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
