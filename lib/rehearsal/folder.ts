import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../file-reason";
import { makeFolder } from "../make-folder";
import { quote } from "../quote";
import { digestsName, lineNames, readMeName, readMeTitle, resultName } from "./evidence";

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

/** What every rehearsal leaves in its folder before Terraform works there. */
const firstNames = [bundleName, oldBundleName, oldCertificatesName, uploadedName];

/** All that a rehearsal, or its evidence, leaves in a folder of its own. */
const ownNames: ReadonlySet<string> = new Set([
  ...firstNames,
  terraformFolder,
  readMeName,
  resultName,
  digestsName,
  ...Object.values(lineNames),
]);

/**
 * Looks whether a rehearsal can have a folder, and leaves everything as it was.
 *
 * @param option who names it, as in `--evidence`
 * @throws InputError `rehearsal-folder` for one that has anything else in it than an earlier rehearsal, and for one that can't be made or takes no files
 */
export function checkFolder(folder: string, option: string): void {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  attempt(folder, option, () => {
    rmdirSync(mkdtempSync(join(there, ".cert-migration-")));
    if (there === resolve(folder)) refuseOthers(folder, readdirSync(folder), option);
  });
}

/**
 * Makes a folder for a rehearsal. One of an earlier rehearsal is used again: its state and its evidence would be mixed with the new ones, and go.
 *
 * @throws InputError as {@link checkFolder}
 */
export function openFolder(folder: string, option: string): void {
  attempt(folder, option, () => {
    makeFolder(folder);
    const names = readdirSync(folder);
    refuseOthers(folder, names, option);
    for (const name of names) rmSync(join(folder, name), { recursive: true });
  });
}

/** What is removed has to be a rehearsal's own beyond doubt: that a name or two are the same is no proof. */
function refuseOthers(folder: string, names: readonly string[], option: string): void {
  if (names.length === 0) return;
  const others = names.filter((name) => !ownNames.has(name));
  const isEvidence =
    names.includes(readMeName) && readFileSync(join(folder, readMeName), "utf8").startsWith(readMeTitle);
  const isOwn = isEvidence || firstNames.every((name) => names.includes(name));
  if (isOwn && others.length === 0) return;
  const strange = (isOwn ? others : names).slice(0, 3).map(quote).join(", ");
  const more = (isOwn ? others : names).length > 3 ? " and more" : "";
  const message = `${option}: the folder ${quote(folder)} has other things in it (${strange}${more}), and nothing was removed; name an empty one, or that of an earlier rehearsal`;
  throw new InputError("rehearsal-folder", message);
}

function attempt(folder: string, option: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = `${option}: the folder ${quote(folder)} can't be made or used: ${fileReason(error)}; name another one`;
    throw new InputError("rehearsal-folder", message);
  }
}
