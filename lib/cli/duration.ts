import { InputError } from "../errors";

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time such as `500ms`, `90s`, `60m` or `2h`. */
export function readDuration(text: string, option: string): number {
  const match = /^(\d{1,6})(ms|s|m|h)$/.exec(text);
  if (match === null) {
    throw new InputError(
      "duration-malformed",
      `${option} '${text}' is not a time; use a number with ms, s, m or h, as in 60m`,
    );
  }
  return Number(match[1]) * (unitsMs[match[2] as string] as number);
}

/** A whole number of an option within a range. */
export function readCount(text: string, option: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > max) {
    throw new InputError("number-malformed", `${option} '${text}' is not a number from 1 to ${max}`);
  }
  return count;
}

/** A time for people, to the second: `2 min 10 s`. */
export function wordsFor(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const parts = [
    { count: Math.floor(seconds / 3_600), unit: "h" },
    { count: Math.floor(seconds / 60) % 60, unit: "min" },
    { count: seconds % 60, unit: "s" },
  ];
  const told = parts.filter(({ count }) => count > 0).map(({ count, unit }) => `${count} ${unit}`);
  return told.join(" ") || "0 s";
}
