import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its missing parents, one after the other. Under `/proc`, the kernel reports ENOENT for a new
 * name in an existing folder. Node's own `recursive` option then loops forever, and cannot be interrupted.
 *
 * @param mode mode of the new folders, in octal as in `0o700`. @default 0o777, less the process's umask
 * @throws the file system's error for the first folder that cannot be created
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  let at = resolve(path);
  while (!existsSync(at) && dirname(at) !== at) {
    missing.push(at);
    at = dirname(at);
  }
  // For an existing path that is not a folder, this call throws the file system's own error.
  if (missing.length === 0 && !statSync(at).isDirectory()) mkdirSync(at);
  for (const folder of missing.reverse()) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
