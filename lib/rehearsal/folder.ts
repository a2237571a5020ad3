import { accessSync, constants, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import { makeFolder } from "../make-folder";
import { quote } from "../quote";
import { digestsName, readMeName, resultName } from "./evidence";

/** What a rehearsal leaves in its folder, first of all. */
export const bundleName = "trust-bundle.pem";
/** Roots of the old provider's authority. */
export const oldBundleName = "old-trust-bundle.pem";
/** Leaves and intermediates that the old provider presents. */
export const oldCertificatesName = "old-certificates.pem";
/** Chains that the stack uploads, which clients of the rehearsal trust; empty where there are none. */
export const uploadedName = "uploaded.pem";
/** Where Terraform works in it. */
export const terraformFolder = "terraform";

/**
 * Makes a folder for a rehearsal. One of an earlier rehearsal is used again: its state and its evidence would be mixed with the new ones, and go.
 *
 * @throws InputError `rehearsal-folder` for one that has anything else in it, and for one that can't be made or written to
 */
export function openFolder(folder: string): void {
  const names = namesIn(folder);
  if (names.length === 0) return;
  if (!names.includes(bundleName) && !names.includes(readMeName)) {
    const advice = "name an empty one, or that of an earlier rehearsal";
    throw new InputError(
      "rehearsal-folder",
      `the folder ${quote(folder)} has ${names.length} other things in it; ${advice}`,
    );
  }
  const own = names.filter(
    (name) => [terraformFolder, resultName, digestsName].includes(name) || name.endsWith(".jsonl"),
  );
  for (const name of own) rmSync(join(folder, name), { recursive: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "there is a file in its place" : code;
    throw new InputError("rehearsal-folder", `the folder ${quote(folder)} can't be made: ${reason}; name another one`);
  }
}
