import { existsSync } from "node:fs";
import { open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../file-reason";
import { quote } from "../quote";
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
 * Text of a file that the command line names.
 *
 * @throws InputError `file-unreadable`; `input-too-large`, where a device or a pipe never ends too; what the signal was aborted with
 */
export async function readTextFile(path: string, option: string, reading: Reading): Promise<string> {
  return readOrRefuse(path, option, reading, (error) => unreadable(path, option, error));
}

/** Text of a synthesized stack. */
export async function readStackFile(path: string, signal: AbortSignal): Promise<string> {
  return readOrRefuse(path, "--stack", { signal }, (error) => {
    const { code, message } = unreadable(path, "--stack", error);
    return new InputError(code, `${message}; 'cdktf synth' makes it`);
  });
}

async function readOrRefuse(
  path: string,
  option: string,
  { most = mostBytes, signal }: Reading,
  refused: (error: unknown) => InputError,
): Promise<string> {
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
  return bytes.toString("utf8");
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
};

/**
 * Writes a file whole or not at all: beside its place first, then moved there. A device, a pipe or a link stays what it is, and is written to.
 *
 * @throws InputError `file-exists` where there is one already and it may not be replaced; `file-unwritable`
 */
export async function writeWhole(path: string, text: string, { force }: { readonly force: boolean }): Promise<void> {
  const kind = await kindOf(path);
  if (!force && kind !== "none") {
    throw new InputError("file-exists", `'${path}' exists and is not replaced; give another name, or --force`);
  }
  if (kind === "device") {
    await writeFile(path, text).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return;
  }
  const place = await placeOf(path);
  const draft = draftBeside(place);
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw unwritable(path, error);
  }
}

/** Looks whether {@link writeWhole} can write there, and leaves everything as it was. @throws InputError `file-unwritable` where it can't */
export async function checkWritable(path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "folder") throw unwritable(path, { code: "EISDIR" });
  if (kind === "device") return;
  const draft = draftBeside(await placeOf(path));
  try {
    await (await open(draft, "wx")).close();
    await rm(draft);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Where a file lies that links lead to; a path by which nothing is there yet is the place itself. */
async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function draftBeside(path: string): string {
  const { randomUUID } = require("node:crypto") as typeof import("node:crypto");
  return join(dirname(path), `.${randomUUID()}.tmp`);
}

function unwritable(path: string, error: unknown): InputError {
  const { code } = error as NodeJS.ErrnoException;
  const folder = quote(dirname(path));
  // Folders of the kernel, as /proc, are there and say the same of every new name.
  const missing = existsSync(dirname(path))
    ? `the folder ${folder} takes no new files; name another one`
    : `there is no folder ${folder}; make it, or name another file`;
  const other = `${fileReason(error)}; name ${code === "EISDIR" ? "a" : "another"} file`;
  const reason = code === "ENOENT" ? missing : other;
  return new InputError("file-unwritable", `${quote(path)} can't be written: ${reason}`);
}

async function kindOf(path: string): Promise<"none" | "file" | "folder" | "device"> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return "none";
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "device";
}
