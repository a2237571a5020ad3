import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { Data } from "../values";

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

/** Columns of an activity that are not parameters of its event. */
const activityColumns = new Set(["name", "type", "ipAddress", "ownerDomain", "kind", "etag", "isAgenticAction"]);
const activityPrefixes = ["actor.", "id.", "networkInfo.", "userDeviceInfo.", "resourceDetails.", "status."];

/** Columns that every activity needs. */
const neededColumns = ["name", "id.time"];

/** A row of GAM's report of activities. */
export type GamRow = (cells: readonly string[]) => Data;

/**
 * Reads the first row of GAM's `report admin`. Each row is one event, with its parameters in columns of the same name.
 * GAM joins the items of a list with spaces, so a list is read as one string. An empty cell is a parameter that the
 * event does not have.
 *
 * @returns a function that converts each further row to a record of the service
 * @throws InputError `csv-foreign` if the columns belong to another table
 */
export function readGamHeader(columns: readonly string[]): GamRow {
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const message = `the CSV has no column ${missing.map((name) => `'${name}'`).join(" and no column ")}; give the activities of GAM's 'report admin', with its first row`;
    throw new InputError("csv-foreign", message);
  }
  return (cells) => {
    if (cells.length !== columns.length) {
      const message = `the row has ${cells.length} cells instead of ${columns.length}; export the CSV again, with quotes around cells that contain commas`;
      throw new InputError("csv-row-malformed", message);
    }
    const filled = columns.flatMap((name, index) => (cells[index] ? [[name, cells[index]] as const] : []));
    const cell = new Map(filled);
    const below = (prefix: string) =>
      Object.fromEntries(
        filled.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
      );
    const parameters = filled.filter(([name]) => !isOfActivity(name)).map(([name, value]) => ({ name, value }));
    return {
      id: below("id."),
      actor: below("actor."),
      ...defined({ ipAddress: cell.get("ipAddress"), ownerDomain: cell.get("ownerDomain") }),
      events: [defined({ type: cell.get("type"), name: cell.get("name"), parameters })],
    };
  };
}

function isOfActivity(column: string): boolean {
  return activityColumns.has(column) || activityPrefixes.some((prefix) => column.startsWith(prefix));
}
