/** Terraform's state file. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeOwn } from "./folder";

const stateName = "terraform.tfstate";

/** Reads the state. @returns undefined if the file does not exist yet */
export function readState(folder: string): string | undefined {
  const file = join(folder, stateName);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Restores an earlier content of the state file. */
export function putBackState(folder: string, state: string | undefined): void {
  const file = join(folder, stateName);
  if (state === undefined) rmSync(file, { force: true });
  else writeOwn(file, state);
}

/** Returns whether Terraform was killed while it wrote the state file, which it truncates first. */
export function isCutOff(state: string | undefined): boolean {
  if (state === undefined) return false;
  try {
    JSON.parse(state);
    return false;
  } catch {
    return true;
  }
}
