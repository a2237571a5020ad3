export const dayMs = 86_400_000;

/** Certificates know no fractions of a second. */
export function wholeSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000);
}

/** The last second of so many days, for both ends count (RFC 5280, 4.1.2.5). */
export function lastSecond(notBefore: Date, days: number): Date {
  return wholeSecond(new Date(notBefore.getTime() + days * dayMs - 1000));
}
