/** Terraform's state where it is a file. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeOwn } from "./folder";

const stateName = "terraform.tfstate";

/** @returns nothing where there is none yet */
export function readState(folder: string): string | undefined {
  const file = join(folder, stateName);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Puts it back to what it was once. */
export function putBackState(folder: string, state: string | undefined): void {
  const file = join(folder, stateName);
  if (state === undefined) rmSync(file, { force: true });
  else writeOwn(file, state);
}

/** Whether Terraform was killed in the middle of writing it: it empties the file, and writes it anew. */
export function isCutOff(state: string | undefined): boolean {
  if (state === undefined) return false;
  try {
    JSON.parse(state);
    return false;
  } catch {
    return true;
  }
}
