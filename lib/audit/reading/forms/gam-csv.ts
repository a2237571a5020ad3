import { InputError } from "../../../errors";
import { type Data, defined } from "../values";

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
