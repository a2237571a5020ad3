/** A row of a table, with the number of its first line. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads CSV (RFC 4180) line by line. Quoted cells can contain commas, doubled quotes and line breaks.
 *
 * @param lines without their line breaks, with their numbers
 * @param most maximum number of characters in a row; without this limit, an unclosed quote would include the rest of
 * the file
 * @param tooLong makes the error for a longer row
 */
export async function* readCsv(
  lines: AsyncIterable<{ readonly line: number; readonly text: string }>,
  most: number,
  tooLong: () => Error,
): AsyncGenerator<CsvRow> {
  let open: { readonly line: number; readonly pieces: string[]; length: number; quotes: number } | undefined;
  for await (const { line, text } of lines) {
    if (open === undefined && text === "") continue;
    open ??= { line, pieces: [], length: 0, quotes: 0 };
    open.pieces.push(text);
    open.length += text.length;
    if (open.length > most) throw tooLong();
    open.quotes += countOfQuotes(text);
    // A row continues while a quote is open. Quotes come in pairs, and an escaped quote is also a pair.
    if (open.quotes % 2 === 1) continue;
    yield { line: open.line, cells: cellsOf(open.pieces.join("\n")) };
    open = undefined;
  }
  if (open !== undefined) yield { line: open.line, cells: cellsOf(open.pieces.join("\n")) };
}

function countOfQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function cellsOf(row: string): readonly string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= row.length) {
    if (row[at] !== '"') {
      const comma = row.indexOf(",", at);
      const end = comma === -1 ? row.length : comma;
      cells.push(row.slice(at, end));
      at = end + 1;
      continue;
    }
    const pieces: string[] = [];
    let from = at + 1;
    for (;;) {
      const quote = row.indexOf('"', from);
      const end = quote === -1 ? row.length : quote;
      pieces.push(row.slice(from, end));
      from = end + 1;
      if (row[from] !== '"' || quote === -1) break;
      pieces.push('"');
      from += 1;
    }
    // Text between the closing quote and the comma also belongs to the cell.
    const comma = row.indexOf(",", from);
    const end = comma === -1 ? row.length : comma;
    pieces.push(row.slice(from, end));
    cells.push(pieces.join(""));
    at = end + 1;
  }
  return cells;
}
