import { InputError, ServiceError } from "../../errors";
import { quote } from "../../text/quote";
import type { ActivityQuery, ActivitySource } from "../query";
import { readTime } from "../reading";
import type { CursorStore, TailCursor } from "./cursor";
import type { TailSink } from "./sink";
import { sweep, type TailEntry } from "./sweep";
import { nextWindow, type Window } from "./window";

export interface TailOptions {
  readonly source: ActivitySource;
  /** What to follow; without times. @default - everything */
  readonly query?: Omit<ActivityQuery, "startTime" | "endTime">;
  readonly cursor: CursorStore;
  readonly sink: TailSink;
  /** An entry as lines of the output, each with its line break. */
  readonly format: (entry: TailEntry) => string;
  /**
   * Where to begin while there is no cursor.
   *
   * @default - now: only what happens from here on
   */
  readonly since?: Date;
  /**
   * How long an event is left to arrive before it is looked for the first time. Shorter shows events sooner and repeats
   * more of the listing.
   *
   * @default 120: a couple of minutes is what the public service promises for administrators' events
   */
  readonly lagSeconds?: number;
  /**
   * How far each listing reaches back behind what was listed before, for events that arrive late. An event that arrives
   * later than lag and overlap together is missed.
   *
   * @default 3_600
   */
  readonly overlapSeconds?: number;
  /** How long to wait between two listings. @default 30 */
  readonly intervalSeconds?: number;
  /**
   * How much time the first listing covers while catching up. All events of a listing are in memory together, so the next
   * one covers twice as much only while fewer than 1,000 came, and never more than 30 days.
   *
   * @default 86_400
   */
  readonly windowSeconds?: number;
  /** Return as soon as the tail has caught up, rather than follow. @default false */
  readonly once?: boolean;
  /** What time it is for the source. @default the machine's clock */
  readonly now?: () => Date | Promise<Date>;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Ends the tail in good order: what was written has its cursor. */
  readonly signal?: AbortSignal;
  /** Told after each listing. */
  readonly onSweep?: (sweep: SweepNotice) => void;
  /**
   * Told when a listing failed in a way that may pass; it is tried again after the interval, and nothing of it was
   * written.
   */
  readonly onFailure?: (error: ServiceError) => void;
}

const longestWindowMs = 30 * 86_400_000;
/** From so many events in a listing on, the next one covers no more time. */
const manyEvents = 1_000;

/** What a listing brought. */
export interface SweepNotice {
  readonly start: Date;
  readonly end: Date;
  readonly caughtUp: boolean;
  /** Events and unreadable records that were written. */
  readonly fresh: number;
  /** Events that were written before. */
  readonly repeated: number;
  /** What the service itself says is missing. */
  readonly warnings: readonly string[];
  /** A stretch that was never listed and that the service no longer has: what happened there is lost. */
  readonly lost?: { readonly start: Date; readonly end: Date };
}

/**
 * Follows new events: each listing goes up to now less the lag, reaches back over the last one by the overlap, and
 * hands on what was not handed on before.
 *
 * The output is written first, then the cursor, which holds how long the output was and which events it has. Should the
 * process end in between, a file is cut back to the cursor and the listing is done again: each event is in it exactly
 * once. Output that can't be taken back gets each event at least once, with its key.
 *
 * @returns the time up to which everything was listed
 * @throws InputError where cursor, output or query can't be used; ServiceError where the service refuses for good
 */
export async function tailActivities(options: TailOptions): Promise<Date> {
  const { source, query = {}, cursor: store, sink, signal, now = () => new Date() } = options;
  const stopped = () => signal?.aborted === true;
  const settings = {
    lagMs: seconds(options.lagSeconds ?? 120, "lagSeconds"),
    overlapMs: seconds(options.overlapSeconds ?? 3_600, "overlapSeconds"),
  };
  const firstWindowMs = Math.max(1, seconds(options.windowSeconds ?? 86_400, "windowSeconds"));
  const intervalMs = seconds(options.intervalSeconds ?? 30, "intervalSeconds");
  try {
    let cursor = await start(options, `${source.name} ${JSON.stringify(query)}`, await now(), settings.lagMs);
    let maxWindowMs = firstWindowMs;
    while (!stopped()) {
      const window = nextWindow(stateOf(cursor), (await now()).getTime(), { ...settings, maxWindowMs });
      if (window !== undefined) {
        try {
          const swept = await sweepInto(options, window, cursor, window.endMs - settings.overlapMs);
          cursor = swept.cursor;
          await store.write(cursor);
          options.onSweep?.(swept.notice);
          const { fresh, repeated } = swept.notice;
          maxWindowMs = fresh + repeated < manyEvents ? Math.min(2 * maxWindowMs, longestWindowMs) : firstWindowMs;
          if (!window.caughtUp) continue;
        } catch (error) {
          if (stopped()) break;
          if (!(error instanceof ServiceError && error.retryable)) throw error;
          options.onFailure?.(error);
          if (options.once === true) throw error;
        }
      }
      if (options.once === true) break;
      await options.sleep(intervalMs, signal).catch((error: unknown) => {
        if (!stopped()) throw error;
      });
    }
    return new Date(stateOf(cursor).watermarkMs);
  } finally {
    await sink.close();
  }
}

/** Lists a window and writes what is new in it; the cursor that follows from that is still to be written. */
async function sweepInto(
  { source, query = {}, sink, format, signal }: TailOptions,
  window: Window,
  cursor: TailCursor,
  keepFromMs: number,
): Promise<{ readonly cursor: TailCursor; readonly notice: SweepNotice }> {
  const { fresh, seen, repeated, warnings } = await sweep(source, query, window, cursor.seen, keepFromMs, signal);
  const position = fresh.length === 0 ? cursor.position : await sink.append(fresh.map(format).join(""));
  // Whoever lengthens the overlap later must not get events again whose keys are forgotten by now.
  const since = new Date(Math.max(stateOf(cursor).sinceMs, keepFromMs)).toISOString();
  const watermark = new Date(window.endMs).toISOString();
  return {
    cursor: withPosition({ ...cursor, since, watermark, seen }, position, cursor.output ?? sink.name),
    notice: noticeOf(window, fresh.length, repeated, warnings),
  };
}

async function start(options: TailOptions, source: string, now: Date, lagMs: number): Promise<TailCursor> {
  const found = await options.cursor.read();
  if (found !== undefined && found.source !== source) {
    const message = `the cursor is of another tail (${quote(found.source)}, not ${quote(source)}); use one cursor for each`;
    throw new InputError("cursor-of-another-tail", message);
  }
  const { name: output } = options.sink;
  if (found?.output !== undefined && output !== undefined && found.output !== output) {
    const message = `the cursor is of the output ${quote(found.output)}, not ${quote(output)}, of which lines would be cut; use one cursor for each`;
    throw new InputError("cursor-of-another-output", message);
  }
  const position = await options.sink.open(found?.position);
  if (found !== undefined) {
    if (found.position !== undefined || position === undefined) return found;
    // What the file holds already must not be cut either where the tail wrote elsewhere before.
    const kept = withPosition(found, position, output);
    await options.cursor.write(kept);
    return kept;
  }
  const since = (options.since ?? new Date(now.getTime() - lagMs)).toISOString();
  const first = withPosition({ version: 1, source, since, watermark: since, seen: {} }, position, output);
  // Before anything is written: what the output held already must not be cut, and what comes must be.
  await options.cursor.write(first);
  return first;
}

function withPosition(
  { position: _, output: __, ...cursor }: TailCursor,
  position: number | undefined,
  output: string | undefined,
): TailCursor {
  if (position === undefined) return cursor;
  return { ...cursor, position, ...(output === undefined ? {} : { output }) };
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
  throw new InputError("seconds-invalid", `${name} ${value} is no time; use a number of seconds, 0 or more`);
}
