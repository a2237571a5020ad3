import { retentionDays } from "../query";

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
