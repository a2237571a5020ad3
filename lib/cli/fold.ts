import type { Io } from "./command";
import { isTerminal, widthOf } from "./style";

/** A line, folded for whoever reads it; what stands in its first `indent` columns, as a bullet or a label, stays as it is. */
export type Fold = (line: string, indent: number) => string;

/** Columns that a text needs at least: in fewer it is harder to read than where the terminal breaks it. */
const leastColumns = 24;

/**
 * What breaks long lines for one of the streams: between words, at the terminal's width, every line but the first indented. In a pipe and in a file a
 * line stays one line. A command line to copy is not for it.
 */
export function folderFor(io: Pick<Io, "stdout" | "stderr" | "env">, stream: "stdout" | "stderr"): Fold {
  const { columns } = io[stream];
  if (columns === undefined || !isTerminal(io[stream], io.env)) return (line) => line;
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
