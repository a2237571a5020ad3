import { createHash } from "node:crypto";

/** The number of a project as every service tells it: the same in every run. @param project by its id, or by its number already */
export function projectNumberOf(project: string): string {
  return /^\d+$/.test(project) ? project : twelveDigitsOf(project);
}

/** A number that looks like those that projects and regions have, and belongs to a text. */
export function twelveDigitsOf(text: string): string {
  const drawn = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return String(100_000_000_000 + (drawn % 900_000_000_000));
}
