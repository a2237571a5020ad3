export const dayMs = 86_400_000;

/** Returns the date without its fraction of a second, which certificates can't represent. */
export function wholeSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000);
}

/** Returns the last second of a validity in days; both ends are inclusive (RFC 5280, 4.1.2.5). */
export function lastSecond(notBefore: Date, days: number): Date {
  return wholeSecond(new Date(notBefore.getTime() + days * dayMs - 1000));
}
