import { type Call, invalidField, isJsonObject, type Json, listPage } from "./front";
import { parseFilter } from "./front/filter";
import type { Clock, Store } from "./state";

/** An entry of a log. */
export interface LogEntry extends Json {
  /** For example `projects/p1/logs/certificatemanager.googleapis.com%2Fcertificates_expiry`. */
  readonly logName: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly insertId: string;
}

/** Log entries of all projects. */
export interface LogEntries {
  /** Writes an entry with the present time. */
  write(entry: Json & { readonly logName: string }): void;
  /** Calls a listener for each entry that is written from now on. */
  watch(listener: (entry: LogEntry) => void): void;
  /** Answers `logging.entries.list`. */
  list(call: Call): Json;
}

/** Entries that are kept; the oldest are deleted first. */
const mostKept = 10_000;
/** Limits of a request; see ListLogEntriesRequest in google/logging/v2/logging.proto. */
const mostResources = 100;
const mostPerPage = 1_000;
const longestFilter = 20_000;
const orders: ReadonlySet<string> = new Set(["", "timestamp asc", "timestamp desc"]);

export function openLogEntries(store: Store, clock: Clock): LogEntries {
  const kept = store.collection<LogEntry>("logging.entries");
  const listeners: ((entry: LogEntry) => void)[] = [];
  return {
    write(content) {
      const timestamp = clock.now().toISOString();
      const last = [...kept.entries()].at(-1)?.[0] ?? "0";
      const insertId = String(Number(last) + 1).padStart(12, "0");
      const entry: LogEntry = { ...content, timestamp, receiveTimestamp: timestamp, insertId };
      kept.set(insertId, entry);
      for (const [oldest] of kept.entries()) {
        if (kept.size <= mostKept) break;
        kept.delete(oldest);
      }
      for (const listener of listeners) listener(entry);
    },
    watch: (listener) => void listeners.push(listener),
    list({ body, method }) {
      const names = Array.isArray(body.resourceNames) ? body.resourceNames.map(String) : [];
      if (names.length === 0) throw invalidField("resource_names", "at least one project is needed");
      const { filter = "", orderBy = "timestamp asc" } = body as {
        readonly filter?: string;
        readonly orderBy?: string;
      };
      if (names.length > mostResources) throw invalidField("resource_names", `at most ${mostResources} are allowed`);
      if (!orders.has(orderBy)) throw invalidField("order_by", 'is neither "timestamp asc" nor "timestamp desc"');
      const pageSize = Number(body.pageSize ?? 0);
      if (pageSize < 0 || pageSize > mostPerPage)
        throw invalidField("page_size", `it is ${pageSize}; 0 to ${mostPerPage} are allowed`);
      const matches = logFilter(filter);
      const found = [...kept.values()].filter(
        (entry) => names.some((name) => entry.logName.startsWith(`${name}/`)) && matches(entry),
      );
      const request = {
        pageSize,
        pageToken: String(body.pageToken ?? ""),
        orderBy: orderBy === "" ? "timestamp asc" : orderBy,
        identity: JSON.stringify([method.id, names, filter]),
      };
      const sizes = { defaultSize: 50, mostSize: mostPerPage, keyOf: (entry: Json) => String(entry.insertId) };
      const { items, ...next } = listPage(found, request, sizes);
      return { entries: items, ...next };
    },
  };
}

/**
 * Reads a filter in the part of the Logging query language that the cloud supports: comparisons, AND, OR, NOT, and
 * `log_id`.
 *
 * @throws CloudError if it can't be read
 */
export function logFilter(filter: string): (entry: LogEntry) => boolean {
  const plain = filter.replace(/\blog_id\(\s*"([^"]*)"\s*\)/g, (_, id: string) => {
    return `logName:"/logs/${encodeURIComponent(id)}"`;
  });
  return parseFilter(plain, undefined, longestFilter);
}

/** Returns the extracted labels of an entry; only whole fields can be extracted, as `EXTRACT(jsonPayload.state)`. */
export function extractedLabels(entry: LogEntry, extractors: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(extractors)) return {};
  return Object.fromEntries(
    Object.entries(extractors).flatMap(([name, extractor]) => {
      const path = /^EXTRACT\(([\w.]+)\)$/.exec(String(extractor))?.[1]?.split(".") ?? [];
      let value: unknown = path.length === 0 ? undefined : entry;
      for (const step of path) value = isJsonObject(value) ? value[step] : undefined;
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}
