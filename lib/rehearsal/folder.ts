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

/** File that identifies the folder. A rehearsal writes it first, and the next rehearsal removes it last. */
const markName = "REHEARSAL.txt";
const markTitle = "Files of a rehearsal.";
const mark = `${markTitle}

Terraform's files are in 'terraform', with its state and the private keys in the state: don't share this folder.
The next rehearsal that is given this folder empties it.
`;

/** File of the roots of the cloud's CA. */
export const bundleName = "trust-bundle.pem";
/** File of the roots of the previous provider's CA. */
export const previousBundleName = "previous-trust-bundle.pem";
/** File of the leaves and intermediates that the previous provider presents. */
export const previousCertificatesName = "previous-certificates.pem";
/**
 * File of the chains that the stack uploads, which clients of the rehearsal trust; empty for a stack without uploads.
 */
export const uploadedName = "uploaded.pem";
/** Files of the client certificate of a rehearsal with mutual TLS, and of its private key. */
export const clientNames = { certificate: "client-certificate.pem", key: "client-key.pem" } as const;
/** Subfolder in which Terraform works. */
export const terraformFolder = "terraform";
/** File of the verdict, as JSON. */
export const resultName = "result.json";
/** File that describes the evidence and how to check it. It is written first. */
export const readMeName = "EVIDENCE.txt";
/** File of the SHA-256 digests of all other files, in the format of `sha256sum`. */
export const digestsName = "SHA256SUMS";
/** First line of {@link readMeName}, which identifies the file. */
export const readMeTitle = "Evidence of a rehearsal.";
/** Files of recorded events, as JSON lines. */
export const lineNames = {
  probes: "probes.jsonl",
  answers: "answers.jsonl",
  requests: "requests.jsonl",
  certificates: "certificates.jsonl",
  discarded: "discarded.jsonl",
} as const;

/** Names of all files and folders that a rehearsal or its evidence creates in its folder, and that it created. */
const ownNames: ReadonlySet<string> = new Set([
  markName,
  bundleName,
  previousBundleName,
  previousCertificatesName,
  "old-trust-bundle.pem",
  "old-certificates.pem",
  uploadedName,
  clientNames.certificate,
  clientNames.key,
  terraformFolder,
  readMeName,
  resultName,
  digestsName,
  ...Object.values(lineNames),
]);

/**
 * Checks that a rehearsal can use a folder, and changes nothing.
 *
 * @param option option that names the folder, for example `--evidence`
 * @throws InputError `rehearsal-folder` for a folder with content other than an earlier rehearsal, and for a folder
 * that can't be created or written to
 */
export function checkFolder(folder: string, option: string): void {
  let nearest = resolve(folder);
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  attempt(folder, option, () => {
    rmdirSync(mkdtempSync(join(nearest, ".cert-migration-")));
    if (nearest === resolve(folder)) refuseOthers(folder, readdirSync(folder), option);
  });
}

/**
 * Creates a folder for a rehearsal. Removes the content of an earlier rehearsal, because its state and evidence would
 * be mixed with the new files.
 *
 * @throws InputError as {@link checkFolder}
 */
export function openFolder(folder: string, option: string): void {
  attempt(folder, option, () => {
    makeFolder(folder);
    const names = readdirSync(folder);
    refuseOthers(folder, names, option);
    // Files with a title are removed last, so that an interrupted removal leaves a folder that is still recognized.
    const inOrder = [...names.filter((name) => !titles.has(name)), ...names.filter((name) => titles.has(name))];
    for (const name of inOrder) rmSync(join(folder, name), { recursive: true });
  });
}

/**
 * Creates the working folder of a rehearsal if it does not exist, and writes the file that identifies it.
 *
 * @throws InputError `rehearsal-folder`
 */
export function markFolder(folder: string): void {
  makeFolder(folder);
  writeOwn(join(folder, markName), mark);
}

/**
 * Writes a file of a rehearsal, or appends to it.
 *
 * @throws InputError `rehearsal-folder`, for example if the disk is full
 */
export function writeOwn(file: string, text: string, how?: "added"): void {
  try {
    (how === "added" ? appendFileSync : writeFileSync)(file, text);
  } catch (error) {
    const message = `the rehearsal's file ${quote(file)} can't be written: ${fileReason(error)}; make room there, or name another folder with --keep`;
    throw new InputError("rehearsal-folder", message);
  }
}

/** First lines of the files that identify a folder, by file name. */
const titles: ReadonlyMap<string, string> = new Map([
  [markName, markTitle],
  [readMeName, readMeTitle],
]);

/**
 * Refuses a folder with other content. A folder is emptied only if a title identifies it; matching file names are not
 * sufficient.
 */
function refuseOthers(folder: string, names: readonly string[], option: string): void {
  if (names.length === 0) return;
  const unknown = names.filter((name) => !ownNames.has(name));
  const isRehearsal = names.some((name) => isTitled(folder, name, { isAlone: names.length === 1 }));
  if (isRehearsal && unknown.length === 0) return;
  const strange = isRehearsal ? unknown : names;
  const listed = strange.slice(0, 3).map(quote).join(", ");
  const more = strange.length > 3 ? " and more" : "";
  const message = `${option}: the folder ${quote(folder)} has other things in it (${listed}${more}), and nothing was removed; name an empty one, or that of an earlier rehearsal`;
  throw new InputError("rehearsal-folder", message);
}

/**
 * Returns whether a file identifies its folder as a rehearsal's. If the file is the only one, an incomplete title, left
 * by an interrupted write, also counts.
 */
function isTitled(folder: string, name: string, { isAlone }: { readonly isAlone: boolean }): boolean {
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
