import { createHash } from "node:crypto";

/**
 * Returns the number of a project, the same for every service and in every run.
 *
 * @param project project ID or project number
 */
export function projectNumberOf(project: string): string {
  return /^\d+$/.test(project) ? project : twelveDigitsOf(project);
}

/** Returns a 12-digit number for a text; the same text always gives the same number. */
export function twelveDigitsOf(text: string): string {
  const drawn = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return String(100_000_000_000 + (drawn % 900_000_000_000));
}
