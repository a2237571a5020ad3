import { existsSync } from "node:fs";
import { open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";
import { quote } from "../text/quote";
import { decodeText } from "./decode-text";
import { readAtMost } from "./read-at-most";

/** More than anything that is read has; less than a text may have. */
const mostBytes = 256 * 1024 * 1024;

interface Reading {
  /** Bytes that are taken. @default 256 MiB */
  readonly most?: number;
  /** Ends it, which may be waiting for somebody who writes to a pipe. */
  readonly signal: AbortSignal;
}

/**
 * Text of a file that the command line names; by its byte order mark UTF-16 too.
 *
 * @throws InputError `file-unreadable`; `input-too-large`, where a device or a pipe never ends too; what the signal was aborted with
 */
export async function readTextFile(path: string, option: string, reading: Reading): Promise<string> {
  return decodeText(await readFileBytes(path, option, reading));
}

/** Bytes of a file that the command line names; refuses as {@link readTextFile} does. */
export async function readFileBytes(path: string, option: string, reading: Reading): Promise<Buffer> {
  return readOrRefuse(path, option, reading, (error) => unreadable(path, option, error));
}

/** Text of a synthesized stack. */
export async function readStackFile(path: string, signal: AbortSignal): Promise<string> {
  const bytes = await readOrRefuse(path, "--stack", { signal }, (error) => {
    const { code, message } = unreadable(path, "--stack", error);
    return new InputError(code, `${message}; 'cdktf synth' makes it`);
  });
  return decodeText(bytes);
}

async function readOrRefuse(
  path: string,
  option: string,
  { most = mostBytes, signal }: Reading,
  refused: (error: unknown) => InputError,
): Promise<Buffer> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readAtMost(path, most, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw refused(error);
  }
  if (bytes === undefined) {
    throw new InputError("input-too-large", `${option}: ${quote(path)} has more than ${most} bytes`);
  }
  return bytes;
}

/** What is said of a file that can't be read: who named it, and why. */
export function unreadable(path: string, option: string | undefined, error: unknown): InputError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ""] ?? `${code}; name a file that can`;
  const who = option === undefined ? "" : `${option}: `;
  return new InputError("file-unreadable", `${who}${quote(path)} can't be read: ${reason}`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder; name a file",
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  ENOTDIR: "a part of its path is a file, and no folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

interface Writing {
  /** Whether what is there already is replaced. */
  readonly force: boolean;
}

/**
 * Writes a file whole or not at all: beside its place first, then moved there. A device, a pipe or a link stays what it is, and is written to, a link also where
 * nothing is there yet that it leads to.
 *
 * @throws InputError `file-exists` where there is one already and it may not be replaced; `file-unwritable`
 */
export async function writeWhole(path: string, text: string, { force }: Writing): Promise<void> {
  if ((await checkKind(path, force)) === "device") {
    await writeFile(path, text).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return;
  }
  const place = await placeOf(path);
  const draft = draftBeside(place);
  try {
    const before = await stat(place).catch(() => undefined);
    const file = await open(draft, "wx");
    try {
      // Who may read what is replaced may read what replaces it, and nobody else.
      if (before !== undefined) await file.chmod(before.mode & 0o777);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw unwritable(path, error, place);
  }
}

/** Looks whether {@link writeWhole} can write there, and leaves everything as it was. @throws InputError as that does, where it can't */
export async function checkWritable(path: string, { force }: Writing): Promise<void> {
  if ((await checkKind(path, force)) === "device") return;
  const place = await placeOf(path);
  const draft = draftBeside(place);
  try {
    await (await open(draft, "wx")).close();
    await rm(draft);
  } catch (error) {
    throw unwritable(path, error, place);
  }
}

/** As many links as the kernel follows. */
const mostLinks = 40;

/** Where the file lies, or is to lie, that a path leads to over links. @throws InputError `file-unwritable` for links in a circle */
async function placeOf(path: string): Promise<string> {
  let place = path;
  for (let links = 0; links <= mostLinks; links += 1) {
    const target = await readlink(place).catch(() => undefined);
    // The folder as it is: a ".." behind a link leads elsewhere than the text says.
    const folder = await realpath(dirname(place)).catch(() => dirname(place));
    if (target === undefined) return join(folder, basename(place));
    place = isAbsolute(target) ? target : `${folder}/${target}`;
  }
  throw unwritable(path, { code: "ELOOP" });
}

function draftBeside(path: string): string {
  const { randomUUID } = require("node:crypto") as typeof import("node:crypto");
  return join(dirname(path), `.${randomUUID()}.tmp`);
}

/** @param place where the path leads over links */
function unwritable(path: string, error: unknown, place = path): InputError {
  const { code } = error as NodeJS.ErrnoException;
  const folder = quote(dirname(place));
  // Folders of the kernel, as /proc, are there and say the same of every new name.
  const missing = existsSync(dirname(place))
    ? `the folder ${folder} takes no new files; name another one`
    : `there is no folder ${folder}; make it, or name another file`;
  const other = `${fileReason(error)}; name ${code === "EISDIR" ? "a" : "another"} file`;
  const reason = code === "ENOENT" ? missing : other;
  return new InputError("file-unwritable", `${quote(path)} can't be written: ${reason}`);
}

/** What is there already. @throws InputError where it can't be replaced, or may not be */
async function checkKind(path: string, force: boolean): Promise<"none" | "file" | "device"> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return "none";
  if (found.isDirectory()) throw unwritable(path, { code: "EISDIR" });
  if (!force) {
    throw new InputError("file-exists", `${quote(path)} exists and is not replaced; give another name, or --force`);
  }
  return found.isFile() ? "file" : "device";
}
