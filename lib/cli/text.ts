import { escapeUnsafe } from "../quote";

/** Text from certificates, files and servers, so that it can't steer the terminal. */
export function safe(text: string): string {
  return escapeUnsafe(text);
}

/** A table of columns, widths by content; every cell is made safe. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map(safe));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
