import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";
import { makeFolder } from "../files/make-folder";
import { quote } from "../text/quote";
import { digestsName, lineNames, readMeName, readMeTitle, resultName } from "./evidence/file-names";

/** What a folder is known by: the first that a rehearsal writes into it, and the last that the next one takes away. */
const markName = "REHEARSAL.txt";
const markTitle = "Files of a rehearsal.";
const mark = `${markTitle}

What Terraform worked with is in 'terraform', with its state and the private keys that a state has: hand this folder to nobody.
The next rehearsal that is given this folder empties it.
`;

/** Roots of the cloud's authority. */
export const bundleName = "trust-bundle.pem";
/** Roots of the old provider's authority. */
export const oldBundleName = "old-trust-bundle.pem";
/** Leaves and intermediates that the old provider presents. */
export const oldCertificatesName = "old-certificates.pem";
/** Chains that the stack uploads, which clients of the rehearsal trust; empty where there are none. */
export const uploadedName = "uploaded.pem";
/** Where Terraform works in it. */
export const terraformFolder = "terraform";

/** All that a rehearsal, or its evidence, leaves in a folder of its own. */
const ownNames: ReadonlySet<string> = new Set([
  markName,
  bundleName,
  oldBundleName,
  oldCertificatesName,
  uploadedName,
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
    // Whoever is ended in the middle leaves a folder that is still known by its title.
    const inOrder = [...names.filter((name) => !titles.has(name)), ...names.filter((name) => titles.has(name))];
    for (const name of inOrder) rmSync(join(folder, name), { recursive: true });
  });
}

/**
 * Makes the folder that a rehearsal works in, where it is not there, and writes into it what it is.
 *
 * @throws InputError `rehearsal-folder`
 */
export function markFolder(folder: string): void {
  makeFolder(folder);
  writeOwn(join(folder, markName), mark);
}

/**
 * Writes a file of a rehearsal, or adds to it.
 *
 * @throws InputError `rehearsal-folder`, as where no space is left
 */
export function writeOwn(file: string, text: string, how?: "added"): void {
  try {
    (how === "added" ? appendFileSync : writeFileSync)(file, text);
  } catch (error) {
    const message = `the rehearsal's file ${quote(file)} can't be written: ${fileReason(error)}; make room there, or name another folder with --keep`;
    throw new InputError("rehearsal-folder", message);
  }
}

/** How texts begin that say of a folder what it is, by their names. */
const titles: ReadonlyMap<string, string> = new Map([
  [markName, markTitle],
  [readMeName, readMeTitle],
]);

/** What is removed has to be a rehearsal's own beyond doubt: that a name or two are the same is no proof. */
function refuseOthers(folder: string, names: readonly string[], option: string): void {
  if (names.length === 0) return;
  const others = names.filter((name) => !ownNames.has(name));
  const isOwn = names.some((name) => isTitled(folder, name, names.length === 1));
  if (isOwn && others.length === 0) return;
  const strange = (isOwn ? others : names).slice(0, 3).map(quote).join(", ");
  const more = (isOwn ? others : names).length > 3 ? " and more" : "";
  const message = `${option}: the folder ${quote(folder)} has other things in it (${strange}${more}), and nothing was removed; name an empty one, or that of an earlier rehearsal`;
  throw new InputError("rehearsal-folder", message);
}

/**
 * Whether a file says of its folder that it is a rehearsal's.
 *
 * @param isAlone then one that was ended in the middle of its title says it as well
 */
function isTitled(folder: string, name: string, isAlone: boolean): boolean {
  const title = titles.get(name);
  if (title === undefined) return false;
  const begin = readFileSync(join(folder, name), "utf8").slice(0, title.length);
  return isAlone ? title.startsWith(begin) : begin === title;
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
