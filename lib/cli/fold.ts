import type { Io } from "./command";
import { isTerminal, widthOf } from "./style";

/** Folds a line to the width of the terminal. The first `indent` columns (a bullet or a label) stay unchanged. */
export type Fold = (line: string, indent: number) => string;

/** Minimum number of columns for folded text: below it, the terminal's own line breaks are easier to read. */
const leastColumns = 24;

/**
 * Returns the function that breaks long lines for a stream: between words, at the terminal's width, with every line but
 * the first indented. In a pipe or a file, a line stays one line. Do not use it for command lines that users copy.
 */
export function folderFor(io: Pick<Io, "stdout" | "stderr" | "env">, stream: "stdout" | "stderr"): Fold {
  const { columns } = io[stream];
  if (columns === undefined || !isTerminal(io[stream], io.env)) return (line) => line;
  return foldTo(columns);
}

/** Returns the function that breaks long lines at that many columns. */
export function foldTo(columns: number): Fold {
  return (line, indent) => fold(line, columns, indent);
}

function fold(line: string, columns: number, indent: number): string {
  if (widthOf(line) <= columns || columns - indent < leastColumns) return line;
  const [first = "", ...words] = line.slice(indent).split(" ");
  const lines: string[] = [];
  let current = line.slice(0, indent) + first;
  for (const word of words) {
    const longer = `${current} ${word}`;
    if (widthOf(longer) <= columns) {
      current = longer;
    } else {
      lines.push(current);
      current = " ".repeat(indent) + word;
    }
  }
  return [...lines, current].join("\n");
}
