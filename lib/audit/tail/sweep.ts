import { createHash } from "node:crypto";
import type { Problem } from "../../errors";
import { type ActivityQuery, type ActivitySource, matchingEvents, retentionDays } from "../query";
import { type Activity, type ActivityEvent, eventKeys } from "../reading";
import { valueText } from "../reading/values";

/** Output of a tail: an event, or a record that cannot be read. */
export type TailEntry =
  | {
      readonly kind: "event";
      /** {@link eventKey} of the event. */
      readonly key: string;
      readonly activity: Activity;
      readonly event: ActivityEvent;
      /** Position of the event in its activity. */
      readonly index: number;
    }
  | {
      readonly kind: "unreadable";
      readonly key: string;
      readonly problem: Problem;
      /** The record as JSON. */
      readonly text: string;
    };

/** New events of a window, and the keys to remember after they are emitted. */
export interface SweepResult {
  /** Oldest first. */
  readonly fresh: readonly TailEntry[];
  readonly seen: Readonly<Record<string, number>>;
  /** Number of events that were listed again. */
  readonly repeated: number;
  readonly warnings: readonly string[];
}

/**
 * Lists a window to its last page and separates new events from known events. Returns nothing before the last page was
 * read.
 *
 * @param keepFromMs keys of events before this time are dropped, because no later window includes them; in milliseconds
 * since 1970
 */
export async function sweep(
  source: ActivitySource,
  query: ActivityQuery,
  window: Window,
  seen: Readonly<Record<string, number>>,
  keepFromMs: number,
  signal: AbortSignal | undefined,
): Promise<SweepResult> {
  const timed = { ...query, startTime: new Date(window.startMs), endTime: new Date(window.endMs) };
  const known = new Map(Object.entries(seen));
  const fresh: { readonly timeMs: number; readonly place: number; readonly entry: TailEntry }[] = [];
  const warnings: string[] = [];
  let repeated = 0;
  // Counts records in the service's order, newest first.
  let place = 0;
  const take = (timeMs: number, entry: TailEntry) => {
    if (known.has(entry.key)) repeated += 1;
    else fresh.push({ timeMs, place, entry });
    known.set(entry.key, timeMs);
  };
  for await (const page of source.pages(timed, signal === undefined ? {} : { signal })) {
    for (const warning of page.warnings) warnings.push(warning);
    for (const { problem, raw } of page.unreadable) {
      place += 1;
      take(window.endMs, unreadable(raw, problem));
    }
    for (const activity of page.activities) {
      place += 1;
      // A record without a time counts for this window. A record outside of this window belongs to another window.
      const timeMs = activity.time?.getTime() ?? window.endMs;
      if (timeMs < window.startMs || (timeMs >= window.endMs && activity.time !== undefined)) continue;
      if (activity.events.length === 0) {
        const { raw, findings } = activity;
        const message = findings.find(({ code }) => code === "events-missing")?.message ?? "the record has no event";
        take(timeMs, unreadable(raw, { code: "events-missing", message }));
      }
      const keys = eventKeys(activity);
      for (const index of matchingEvents(activity, query)) {
        const [key, event] = [keys[index], activity.events[index]];
        if (key !== undefined && event !== undefined) take(timeMs, { kind: "event", key, activity, event, index });
      }
    }
  }
  // For equal timestamps, only the service's order shows which activity came first.
  fresh.sort((a, b) => a.timeMs - b.timeMs || b.place - a.place || indexOf(a.entry) - indexOf(b.entry));
  return {
    fresh: fresh.map(({ entry }) => entry),
    seen: Object.fromEntries([...known].filter(([, timeMs]) => timeMs >= keepFromMs)),
    repeated,
    warnings,
  };
}

function unreadable(raw: unknown, problem: Problem): TailEntry {
  const text = valueText(raw);
  const key = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return { kind: "unreadable", key, problem, text };
}

function indexOf(entry: TailEntry): number {
  return entry.kind === "event" ? entry.index : 0;
}

/** Lag, overlap and longest window of a tail, in milliseconds. */
export interface WindowSettings {
  readonly lagMs: number;
  readonly overlapMs: number;
  readonly maxWindowMs: number;
}

/** Times that a tail remembers. */
export interface WindowState {
  /** The tail lists nothing before this time. */
  readonly sinceMs: number;
  /** Everything up to this time was listed at least once. */
  readonly watermarkMs: number;
}

/** A period to list; the start is inclusive, the end exclusive. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
  /** Whether the window ends at the current time less the lag. */
  readonly caughtUp: boolean;
  /** A period before the window that was not listed and that the service no longer keeps. */
  readonly lost?: { readonly startMs: number; readonly endMs: number };
}

/**
 * Returns the next period to list; undefined if the tail must wait. A window is never empty, even after the clock was
 * set back.
 */
export function nextWindow(state: WindowState, nowMs: number, settings: WindowSettings): Window | undefined {
  const newestMs = nowMs - settings.lagMs;
  const oldestMs = nowMs - retentionDays * 86_400_000;
  const watermarkMs = Math.max(state.watermarkMs, Math.min(oldestMs, newestMs));
  const endMs = Math.min(newestMs, watermarkMs + settings.maxWindowMs);
  const startMs = Math.max(state.sinceMs, watermarkMs - settings.overlapMs);
  if (endMs <= startMs || endMs <= state.watermarkMs) return undefined;
  return {
    startMs,
    endMs,
    caughtUp: endMs === newestMs,
    ...(watermarkMs > state.watermarkMs ? { lost: { startMs: state.watermarkMs, endMs: watermarkMs } } : {}),
  };
}
