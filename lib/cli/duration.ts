import { setTimeout as pause } from "node:timers/promises";
import { InputError } from "../errors";

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export interface DurationLimits {
  /** Minimum. @default "0ms" */
  readonly least?: string;
  /** Maximum. @default "576h": 24 days, because Node's timers fire immediately from 2^31 ms on */
  readonly most?: string;
}

/** Returns the milliseconds of a duration such as `500ms`, `90s`, `60m` or `2h`. */
export function readDuration(
  text: string,
  option: string,
  { least = "0ms", most = "576h" }: DurationLimits = {},
): number {
  const milliseconds = millisecondsOf(text);
  if (milliseconds === undefined) {
    const message = `${option} '${text}' is not a time; use a number with ms, s, m or h, as in 60m`;
    throw new InputError("duration-malformed", message);
  }
  requireAtLeast(milliseconds, option, least, text);
  if (milliseconds > (millisecondsOf(most) ?? 0)) {
    throw new InputError("duration-out-of-range", `${option} '${text}' is too long; use ${most} or less`);
  }
  return milliseconds;
}

/** @param text the duration in messages. @default - the milliseconds */
export function requireAtLeast(milliseconds: number, option: string, least: string, text = `${milliseconds}ms`): void {
  if (milliseconds >= (millisecondsOf(least) ?? 0)) return;
  throw new InputError("duration-out-of-range", `${option} '${text}' is too short; use ${least} or more`);
}

function millisecondsOf(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,15})(ms|s|m|h)$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Returns the whole number of an option, from 1 to `max`. */
export function readCount(text: string, option: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) {
    throw new InputError("number-malformed", `${option} '${text}' is not a number from 1 to ${max}`);
  }
  return count;
}

/** Formats a duration for people, rounded to seconds: `2 min 10 s`. */
export function wordsFor(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const parts = [
    { count: Math.floor(seconds / 3_600), unit: "h" },
    { count: Math.floor(seconds / 60) % 60, unit: "min" },
    { count: seconds % 60, unit: "s" },
  ];
  const texts = parts.filter(({ count }) => count > 0).map(({ count, unit }) => `${count} ${unit}`);
  return texts.join(" ") || "0 s";
}

/** Resolves after the given milliseconds, or rejects when the signal is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
}
