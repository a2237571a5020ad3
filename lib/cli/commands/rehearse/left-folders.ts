/** Working folders of rehearsals that were killed. */
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fieldsOf, parseJson } from "../../../json/fields";
import { hasEnded, type ProcessReader, processSpace, readProcess } from "../../processes";

/** Beginning of the name of each working folder. */
export const folderPrefix = "cert-migration-rehearsal-";

/** File that names the process of a working folder. A folder without it stays. */
const ownerName = "owner.json";

/** Notes in a working folder which process uses it. */
export function markOwner(folder: string, read: ProcessReader = readProcess): void {
  const self = read(process.pid);
  const owner = { pid: process.pid, startedAt: self?.startedAt, space: processSpace() };
  if (self !== undefined) writeFileSync(join(folder, ownerName), JSON.stringify(owner), { mode: 0o600 });
}

/**
 * Removes the working folders of this user whose processes no longer exist.
 *
 * @param place folder for temporary files
 * @returns the removed folders
 */
export function removeLeftFolders(place: string, read: ProcessReader = readProcess): readonly string[] {
  const names = readdirSync(place).filter((name) => name.startsWith(folderPrefix));
  return names.map((name) => join(place, name)).filter((folder) => isLeft(folder, read) && remove(folder));
}

function isLeft(folder: string, read: ProcessReader): boolean {
  try {
    const found = lstatSync(folder);
    const { uid } = userInfo();
    // In a folder that all users share, another user can create a folder or a link of any name.
    if (!found.isDirectory() || (uid !== -1 && found.uid !== uid)) return false;
    const { pid, startedAt, space } = fieldsOf(parseJson(readFileSync(join(folder, ownerName), "utf8")));
    if (typeof pid !== "number" || typeof startedAt !== "string" || space !== processSpace()) return false;
    return hasEnded({ pid, parent: 0, name: "", startedAt }, read);
  } catch {
    return false;
  }
}

function remove(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    return true;
  } catch {
    return false;
  }
}
