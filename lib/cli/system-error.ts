import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";
import { quote } from "../text/quote";

/** Folder of this package. A file that is missing there is a mistake of the package. */
const ownFolder = resolve(__dirname, "..", "..");

const exhausted: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);
const full: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
/** Errors of a file or folder that the user or the machine has to fix. */
const ofFiles: ReadonlySet<string> = new Set([
  ...full,
  "EACCES",
  "EBUSY",
  "EFBIG",
  "EIO",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "ENXIO",
  "EPERM",
  "EROFS",
]);
/** Calls that are not about files; their errors have other causes. */
const ofOthers = /^(?:accept|bind|connect|getaddrinfo|kill|listen|query|send|shutdown|socket|spawn)/;
const ofReading = /^(?:access|fstat|lstat|opendir|read|readdir|readlink|realpath|scandir|stat|watch)$/;
/** Errors that an `open` reports only for a file that is to be written. */
const ofWriting: ReadonlySet<string> = new Set([...full, "EFBIG", "EROFS"]);

/**
 * Turns an error of the operating system that a command does not explain itself into the error that the user can fix.
 *
 * @param temporary value of TMPDIR. @default - the folder that the system uses without it
 * @returns undefined for any other error
 */
export function explainSystemError(error: unknown, temporary?: string): InputError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = "", syscall = "", path } = cause as NodeJS.ErrnoException;
    if (exhausted.has(code)) {
      const message = "too many files and connections are open; raise the limit, for example with 'ulimit -n 4096'";
      return new InputError("open-files-exhausted", message);
    }
    if (!ofFiles.has(code) || ofOthers.test(syscall)) continue;
    if (path !== undefined && isTemporary(path, temporary)) return explainTemporary(temporary, cause);
    if (code !== "ENOENT" || (path !== undefined && !isIn(path, ownFolder))) return explainFile(cause, syscall, path);
  }
  return undefined;
}

/** Returns the error for the folder for temporary files, in which nothing can be created. */
export function explainTemporary(temporary: string | undefined, error: unknown): InputError {
  const place = temporary || tmpdir();
  const what = `nothing can be made in ${quote(place)}, the folder for temporary files: ${fileReason(error)}`;
  const message = `${what}; free disk space there, or set TMPDIR to another folder`;
  return new InputError("temporary-folder-unwritable", message);
}

function explainFile(error: NodeJS.ErrnoException, syscall: string, path: string | undefined): InputError {
  const { code = "" } = error;
  const isRead = ofReading.test(syscall);
  const isWritten = !isRead && (syscall !== "open" || ofWriting.has(code));
  const action = isRead ? "read" : isWritten ? "written" : "opened";
  const place = path === undefined ? "for the output and in the folder for temporary files (TMPDIR)" : "there";
  const advice = full.has(code) ? `free disk space ${place}, or name another file` : "name another file or folder";
  const what = path === undefined ? "a file" : quote(path);
  // Not `fileReason` for a missing file: only a new file is missing because of its folder.
  const reason = code === "ENOENT" && !isWritten ? "it does not exist" : fileReason(error);
  const message = `${what} can't be ${action}: ${reason}; ${advice}`;
  return new InputError(isWritten ? "file-unwritable" : "file-unreadable", message);
}

function isTemporary(path: string, temporary: string | undefined): boolean {
  return isIn(dirname(path), temporary || tmpdir());
}

function isIn(path: string, folder: string): boolean {
  return `${resolve(path)}${sep}`.startsWith(join(resolve(folder), sep));
}
