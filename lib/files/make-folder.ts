import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it that are missing, one after the other. Node's own `recursive` never ends where the kernel says of a new name in a folder
 * that is there that it does not exist, as under `/proc`, and can't be interrupted.
 *
 * @param mode of those that are made, in octal as in `0o700`. @default 0o777, less the process's mask
 * @throws the file system's error, of the first that can't be made
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  let at = resolve(path);
  while (!existsSync(at) && dirname(at) !== at) {
    missing.push(at);
    at = dirname(at);
  }
  // What is there, but is no folder, is refused by the file system in its own words.
  if (missing.length === 0 && !statSync(at).isDirectory()) mkdirSync(at);
  for (const folder of missing.reverse()) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
