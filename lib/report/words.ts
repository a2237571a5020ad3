/** Formats of numbers, times, spans and hostnames: always English and UTC, so that a report is the same everywhere. */
import { type Hostname, toUnicodeForDisplay } from "../hostnames";

const grouped = new Intl.NumberFormat("en-US");

/** Formats a number, for example `12,345`. */
export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** Formats a count, for example `1 hostname` and `2,000 hostnames`. */
export function countWithSeparators(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

/** Formats a part of a whole, for example `3 of 2,000 hostnames` and `all 2,000 hostnames`. */
export function partOf(part: number, whole: number, noun: string): string {
  if (part < whole || whole === 0) return `${formatNumber(part)} of ${countWithSeparators(whole, noun)}`;
  return whole === 1 ? `the one ${noun}` : `all ${countWithSeparators(whole, noun)}`;
}

/** Formats a time, for example `2026-11-21 09:54:55 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Formats a duration, for example `45 s`, `5 min` and `1 h 30 min`; two units at most. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${milliseconds < 9_500 ? Math.round(milliseconds / 100) / 10 : seconds} s`;
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const;
  const first = units.findIndex(([, size]) => seconds >= size);
  let left = seconds;
  const parts = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount === 0 ? [] : [`${amount} ${unit}`];
  });
  return parts.join(" ");
}

/** Formats a hostname; an internationalized name in Unicode and as A-labels, for example `bücher.example (xn--…)`. */
export function formatHostname(hostname: string): string {
  const unicode = toUnicodeForDisplay(hostname as Hostname);
  return unicode === hostname ? hostname : `${unicode} (${hostname})`;
}
