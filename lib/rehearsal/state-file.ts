/** Terraform's state file. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, listOf, parseJson } from "../json/fields";
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

/** Returns the id of the resource at an address without modules and instances; undefined if the state has none. */
export function idInState(state: string | undefined, address: string): string | undefined {
  const resources = listOf(fieldsOf(parseJson(state ?? "")).resources).map(fieldsOf);
  const found = resources.find(({ type, name, module }) => module === undefined && `${type}.${name}` === address);
  const current = listOf(found?.instances)
    .map(fieldsOf)
    .find(({ deposed }) => deposed === undefined);
  const { id } = fieldsOf(current?.attributes);
  return typeof id === "string" ? id : undefined;
}
