import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../errors";
import { quote } from "../quote";

/** More than anything that is read has; less than a text may have. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Text of a file that the command line names.
 *
 * @param most bytes that are taken. @default 256 MiB
 * @throws InputError `file-unreadable`; `input-too-large`, where a device or a pipe never ends too
 */
export async function readTextFile(path: string, option: string, most = mostBytes): Promise<string> {
  return readAtMost(path, most, (error) => unreadable(path, option, error), option);
}

async function readAtMost(path: string, most: number, refused: (error: unknown) => InputError, option: string) {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > most) break;
      chunks.push(bytes);
    }
  } catch (error) {
    throw refused(error);
  }
  if (length > most) throw new InputError("input-too-large", `${option}: ${quote(path)} has more than ${most} bytes`);
  return Buffer.concat(chunks).toString("utf8");
}

/** Text of a synthesized stack. */
export async function readStackFile(path: string): Promise<string> {
  const refused = (error: unknown) => {
    const { code, message } = unreadable(path, "--stack", error);
    return new InputError(code, `${message}; 'cdktf synth' makes it`);
  };
  return readAtMost(path, mostBytes, refused, "--stack");
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
 * Writes a file whole or not at all: beside its place first, then moved there.
 *
 * @throws InputError `file-exists` where there is one already and it may not be replaced
 */
export async function writeWhole(path: string, text: string, { force }: { readonly force: boolean }): Promise<void> {
  if (!force && (await exists(path))) {
    throw new InputError("file-exists", `'${path}' exists and is not replaced; give another name, or --force`);
  }
  const draft = draftBeside(path);
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw unwritable(path, error);
  }
}

/** Makes a file beside the path and takes it away again. @throws InputError `file-unwritable` where no file can be made there */
export async function checkFolder(path: string): Promise<void> {
  const draft = draftBeside(path);
  try {
    await (await open(draft, "wx")).close();
    await rm(draft);
  } catch (error) {
    throw unwritable(path, error);
  }
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
  const reason = code === "ENOENT" ? missing : reasons[code ?? ""];
  return new InputError(
    "file-unwritable",
    `${quote(path)} can't be written: ${reason ?? `${code}; name another file`}`,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
