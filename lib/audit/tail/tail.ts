import { InputError, ServiceError } from "../../errors";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { ActivityQuery, ActivitySource } from "../query";
import { readTime } from "../reading";
import type { CursorStore, TailCursor } from "./cursor";
import type { TailSink } from "./sink";
import { nextWindow, sweep, type TailEntry, type Window } from "./sweep";

/** Options of a tail. */
export interface TailOptions {
  readonly source: ActivitySource;
  /** Activities to follow, without times. @default - everything */
  readonly query?: Omit<ActivityQuery, "startTime" | "endTime">;
  readonly output: TailOutput;
  readonly timing?: TailTiming;
  readonly time: TailTime;
  /** Stops the tail cleanly: the cursor covers all written lines. */
  readonly signal?: AbortSignal;
  readonly observers?: TailObservers;
}

/** Where a tail writes events, and what was written. */
interface TailOutput {
  readonly cursor: CursorStore;
  readonly sink: TailSink;
  /** Formats an entry as lines of the output, each with its line break. */
  readonly format: (entry: TailEntry) => string;
}

/** When and how long a tail lists. */
interface TailTiming {
  /** Start time of a tail without a cursor. @default - now: only events from now on */
  readonly since?: Date;
  /**
   * Minimum age of an event before its first listing, in seconds. A smaller value shows events sooner, but repeats more
   * of the listing.
   *
   * @default 120: the public service documents a couple of minutes for administrators' events
   */
  readonly lagSeconds?: number;
  /**
   * Overlap of each listing with the previous listings, in seconds, for events that arrive late. An event is missed if
   * it arrives later than lag and overlap together.
   *
   * @default 3_600
   */
  readonly overlapSeconds?: number;
  /** Pause between two listings, in seconds. @default 30 */
  readonly intervalSeconds?: number;
  /**
   * Period of the first listing during catch-up, in seconds. All events of a listing are in memory together. The period
   * doubles, up to 30 days, while a listing has fewer than 1,000 events. After a larger listing, it returns to this
   * value.
   *
   * @default 86_400
   */
  readonly windowSeconds?: number;
  /** Whether to return after catching up, instead of following. @default false */
  readonly once?: boolean;
}

/** The clock and the timer of a tail. */
interface TailTime {
  /** Returns the current time of the source. @default the machine's clock */
  readonly now?: () => Date | Promise<Date>;
  /** Waits. Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

interface TailObservers {
  /** Called after each listing. */
  readonly onSweep?: (sweep: SweepNotice) => void;
  /**
   * Called after a listing failed with a temporary error. The listing is retried after the interval; nothing of it was
   * written.
   */
  readonly onFailure?: (error: ServiceError) => void;
}

const longestWindowMs = 30 * 86_400_000;
/** After a listing with at least this many events, the period returns to that of the first listing. */
const manyEvents = 1_000;

/** Result of a listing. */
export interface SweepNotice {
  readonly start: Date;
  readonly end: Date;
  readonly caughtUp: boolean;
  /** Number of events and unreadable records that were written. */
  readonly fresh: number;
  /** Number of events that were written before. */
  readonly repeated: number;
  /** Missing data that the service itself reports. */
  readonly warnings: readonly string[];
  /** A period that was never listed and that the service no longer keeps. Its events are lost. */
  readonly lost?: { readonly start: Date; readonly end: Date };
}

/**
 * Follows new events. Each listing ends at the current time less the lag, overlaps the previous listings, and emits the
 * events that were not emitted before.
 *
 * The tail writes the output first, then the cursor with the length of the output and the keys of its events. If the
 * process is killed between the two writes, the tail truncates the file to the cursor and repeats the listing. Each
 * event is therefore in the file exactly once. Output that cannot be truncated gets each event at least once, with its
 * key.
 *
 * @returns the time up to which everything was listed
 * @throws InputError for an invalid cursor, output or query; ServiceError if the service refuses permanently
 */
export async function tailActivities(options: TailOptions): Promise<Date> {
  const { source, query = {}, output, timing = {}, signal, observers } = options;
  const { now = () => new Date(), sleep } = options.time;
  const stopped = () => signal?.aborted === true;
  const settings = {
    lagMs: seconds(timing.lagSeconds ?? 120, "lagSeconds"),
    overlapMs: seconds(timing.overlapSeconds ?? 3_600, "overlapSeconds"),
  };
  const firstWindowMs = Math.max(1, seconds(timing.windowSeconds ?? 86_400, "windowSeconds"));
  const intervalMs = seconds(timing.intervalSeconds ?? 30, "intervalSeconds");
  try {
    let cursor = await start(options, `${source.name} ${JSON.stringify(query)}`, await now(), settings.lagMs);
    let maxWindowMs = firstWindowMs;
    while (!stopped()) {
      const window = nextWindow(stateOf(cursor), (await now()).getTime(), { ...settings, maxWindowMs });
      if (window !== undefined) {
        try {
          const swept = await sweepInto(options, window, cursor, window.endMs - settings.overlapMs);
          cursor = swept.cursor;
          await output.cursor.write(cursor);
          observers?.onSweep?.(swept.notice);
          const { fresh, repeated } = swept.notice;
          maxWindowMs = fresh + repeated < manyEvents ? Math.min(2 * maxWindowMs, longestWindowMs) : firstWindowMs;
          if (!window.caughtUp) continue;
        } catch (error) {
          if (stopped()) break;
          if (!(error instanceof ServiceError && error.retryable)) throw error;
          observers?.onFailure?.(error);
          if (timing.once === true) throw error;
        }
      }
      if (timing.once === true) break;
      await sleep(intervalMs, signal).catch((error: unknown) => {
        if (!stopped()) throw error;
      });
    }
    return new Date(stateOf(cursor).watermarkMs);
  } finally {
    await output.sink.close();
  }
}

/** Lists a window and writes its new events. The caller still has to write the returned cursor. */
async function sweepInto(
  { source, query = {}, output: { sink, format }, signal }: TailOptions,
  window: Window,
  cursor: TailCursor,
  keepFromMs: number,
): Promise<{ readonly cursor: TailCursor; readonly notice: SweepNotice }> {
  const { fresh, seen, repeated, warnings } = await listAgain(() =>
    sweep(source, query, window, cursor.seen, keepFromMs, signal),
  );
  const position = fresh.length === 0 ? cursor.position : await sink.append(fresh.map(format).join(""));
  // If the overlap is increased later, events whose keys were dropped must not be emitted again.
  const since = new Date(Math.max(stateOf(cursor).sinceMs, keepFromMs)).toISOString();
  const watermark = new Date(window.endMs).toISOString();
  return {
    cursor: withPosition({ ...cursor, since, watermark, seen }, position, cursor.output ?? sink.name),
    notice: noticeOf(window, fresh.length, repeated, warnings),
  };
}

/** Listings of one window before a refused page token counts as a failure. */
const mostListings = 3;

/** Starts a listing again whose page token was refused: nothing of it was written. */
async function listAgain<Result>(list: () => Promise<Result>): Promise<Result> {
  for (let listing = 1; ; listing++) {
    try {
      return await list();
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === "page-token-refused";
      if (!isRefused || listing === mostListings) throw error;
    }
  }
}

async function start(
  { output: { cursor, sink }, timing }: TailOptions,
  source: string,
  now: Date,
  lagMs: number,
): Promise<TailCursor> {
  const found = await cursor.read();
  if (found !== undefined && found.source !== source) {
    const message = `the cursor is of another tail (${quote(found.source)}, not ${quote(source)}); use one cursor for each`;
    throw new InputError("cursor-of-another-tail", message);
  }
  const { name: output } = sink;
  if (found?.output !== undefined && output !== undefined && found.output !== output) {
    const message = `the cursor is of the output ${quote(found.output)}, not ${quote(output)}, of which lines would be cut; use one cursor for each`;
    throw new InputError("cursor-of-another-output", message);
  }
  const position = await sink.open(found?.position);
  if (found !== undefined) {
    if (found.position !== undefined || position === undefined) return found;
    // If the tail wrote elsewhere before, the existing content of the file must not be truncated.
    const kept = withPosition(found, position, output);
    await cursor.write(kept);
    return kept;
  }
  const since = (timing?.since ?? new Date(now.getTime() - lagMs)).toISOString();
  const first = withPosition({ version: 1, source, since, watermark: since, seen: {} }, position, output);
  // Written before any line: a restart must keep the existing output and truncate the new lines.
  await cursor.write(first);
  return first;
}

function withPosition(
  { position: _, output: __, ...cursor }: TailCursor,
  position: number | undefined,
  output: string | undefined,
): TailCursor {
  if (position === undefined) return cursor;
  return { ...cursor, position, ...defined({ output }) };
}

function stateOf({ since, watermark }: TailCursor): { readonly sinceMs: number; readonly watermarkMs: number } {
  return { sinceMs: readTime(since)?.milliseconds ?? 0, watermarkMs: readTime(watermark)?.milliseconds ?? 0 };
}

function noticeOf(window: Window, fresh: number, repeated: number, warnings: readonly string[]): SweepNotice {
  const { startMs, endMs, caughtUp, lost } = window;
  return {
    start: new Date(startMs),
    end: new Date(endMs),
    caughtUp,
    fresh,
    repeated,
    warnings,
    ...(lost === undefined ? {} : { lost: { start: new Date(lost.startMs), end: new Date(lost.endMs) } }),
  };
}

function seconds(value: number, name: string): number {
  if (Number.isFinite(value) && value >= 0) return Math.round(value * 1_000);
  throw new InputError("seconds-invalid", `${name} ${value} is not a duration; use a number of seconds, 0 or more`);
}
