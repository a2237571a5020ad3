import type { Activity, ActivityEvent, AuditParameterValue, CompanyWords } from "../../../audit";
import type { Io } from "../../command";
import { type OptionValues, value } from "../../declare";
import * as load from "../../load";
import { type Fold, folderFor } from "../../style";
import { safe, toJson } from "../../text";
import { writeTable } from "../../text-table";
import { oneOf } from "../../value-types";

export const outputOptions = {
  "--format <format>": value(
    oneOf("text", "table", "jsonl", "csv", "ecs"),
    "text, table, jsonl (one JSON object per line), csv or ecs (one Elastic document per line)",
    "text",
  ),
  "--count": "print the number of events per day instead of the events",
} as const;

type OutputOptions = OptionValues<typeof outputOptions>;
type Format = OutputOptions["format"];

/** Describes an event in the output. The field names are a contract of `--format jsonl`. */
interface EventRow {
  /** Identity of the event, the same in every run. */
  readonly key: string;
  /** RFC 3339; null if the record has no time. */
  readonly time: string | null;
  readonly actor: string;
  readonly ipAddress: string | null;
  readonly type: string;
  /** Name in the record. */
  readonly event: string;
  /** Name in specification 2; null if the event is not in the catalog. */
  readonly canonicalName: string | null;
  readonly message: string;
  readonly parameters: Readonly<Record<string, AuditParameterValue>>;
}

export interface WrittenEvent {
  readonly row: EventRow;
  /** Returns the event as a document of the Elastic Common Schema. */
  readonly ecs: () => object;
}

export function writtenEvent(activity: Activity, index: number, key: string, words: CompanyWords): WrittenEvent {
  const { ecsDocument } = load.audit();
  return { row: rowOf(activity, index, key, words), ecs: () => ecsDocument(activity, index, words) };
}

function rowOf(activity: Activity, index: number, key: string, words: CompanyWords): EventRow {
  const { allParameters, renderMessage } = load.audit();
  const event = activity.events[index] as ActivityEvent;
  return {
    key,
    time: activity.time?.toISOString() ?? null,
    actor: activity.actor.label,
    ipAddress: activity.ipAddress ?? null,
    type: event.type,
    event: event.name,
    canonicalName: event.canonicalName ?? null,
    message: renderMessage(event, words),
    parameters: Object.fromEntries(allParameters(event)),
  };
}

/** Writes events in a format, immediately if the format allows it. */
interface EventWriter {
  write(event: WrittenEvent): void;
  end(): void;
}

export function createEventWriter({ format, count }: OutputOptions, io: Pick<Io, "stdout" | "env">): EventWriter {
  if (count) return countWriter(format, io);
  if (format === "table") return tableWriter(io);
  if (format === "csv") io.stdout.write(csvHead);
  const fold = folderFor(io, "stdout");
  return { write: (event) => void io.stdout.write(formatEvent(event, format, fold)), end: () => undefined };
}

/** @param fold folds an event of the format `text` */
export function formatEvent({ row, ecs }: WrittenEvent, format: Exclude<Format, "table">, fold: Fold): string {
  if (format === "ecs") return toJson(ecs(), 0);
  if (format === "jsonl") return toJson(row, 0);
  if (format === "csv") return csvLine(csvCells(row));
  return `${fold(`${row.time ?? "(no time)"}  ${safe(row.actor)}  ${row.message}`, 2)}\n`;
}

export const csvHead = csvLine(["time", "actor", "ipAddress", "type", "event", "message", "parameters", "key"]);

function csvCells(row: EventRow): readonly string[] {
  const { time, actor, ipAddress, type, event, message, parameters, key } = row;
  return [time ?? "", actor, ipAddress ?? "", type, event, message, JSON.stringify(parameters), key];
}

/**
 * Formats a line of CSV (RFC 4180). An apostrophe precedes a cell that a spreadsheet would interpret as a formula.
 * Characters that could control a terminal are written as numbers.
 */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const shown = safe(text);
  const guarded = /^[=+\-@＝＋－＠]/.test(text.trimStart()) || /^[\t\r\n]/.test(text) ? `'${shown}` : shown;
  return /[",\r\n]/.test(guarded) || guarded !== guarded.trim() ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function tableWriter(io: Pick<Io, "stdout" | "env">): EventWriter {
  const rows: EventRow[] = [];
  return {
    write: ({ row }) => void rows.push(row),
    end: () => {
      if (rows.length === 0) return;
      const cells = rows.map(({ time, actor, event, message }) => [time ?? "-", actor, event, message]);
      writeTable(["time", "actor", "event", "message"], cells, io);
    },
  };
}

/** Counts each event by day, in UTC. */
function countWriter(format: Format, io: Pick<Io, "stdout" | "env">): EventWriter {
  const counts = new Map<string, { readonly day: string; readonly event: string; count: number }>();
  return {
    write: ({ row: { time, event, canonicalName } }) => {
      const cell = { day: time?.slice(0, 10) ?? "-", event: canonicalName ?? event, count: 1 };
      const place = `${cell.day} ${cell.event}`;
      const known = counts.get(place);
      if (known === undefined) counts.set(place, cell);
      else known.count += 1;
    },
    end: () => {
      const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      const cells = rows.map(({ day, event, count }) => [day, event, String(count)]);
      if (format === "jsonl" || format === "ecs") for (const row of rows) io.stdout.write(toJson(row, 0));
      else if (format === "csv") io.stdout.write([["day", "event", "count"], ...cells].map(csvLine).join(""));
      else if (rows.length > 0) writeTable(["day", "event", "count"], cells, io);
    },
  };
}
