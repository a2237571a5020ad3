import { retentionDays } from "../query";

/** How far a tail stays behind and how far it looks back. Times in milliseconds. */
export interface WindowSettings {
  readonly lagMs: number;
  readonly overlapMs: number;
  readonly maxWindowMs: number;
}

/** What a tail remembers of time. */
export interface WindowState {
  /** Nothing before this moment is to be listed. */
  readonly sinceMs: number;
  /** Up to here everything was listed at least once. */
  readonly watermarkMs: number;
}

/** A stretch of time to list: from its start up to, not including, its end. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
  /** Whether the end is as near to now as the lag lets it be. */
  readonly caughtUp: boolean;
  /** A stretch before the window that should have been listed and that the service no longer has. */
  readonly lost?: { readonly startMs: number; readonly endMs: number };
}

/**
 * The next stretch of time to list, or undefined while there is none: windows are never empty, even where the clock
 * went back.
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
