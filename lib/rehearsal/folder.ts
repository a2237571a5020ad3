import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
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
 * @throws InputError `rehearsal-folder` for one that has anything else in it
 */
export function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder);
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
