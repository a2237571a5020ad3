import { randomUUID } from "node:crypto";
import { closeSync, constants, createReadStream, existsSync, openSync, statSync, writeSync } from "node:fs";
import { open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";
import { quote } from "../text/quote";
import { parseJsonInput } from "./text";

/** Default size limit: larger than any expected input, smaller than Node's maximum string length. */
const mostBytes = 256 * 1024 * 1024;

interface Reading {
  /** Maximum size in bytes. @default 256 MiB */
  readonly most?: number;
  /** Stops the read, which may be waiting for a writer of a pipe. */
  readonly signal: AbortSignal;
}

/** Reads the text of a file that the command line names; a byte order mark selects UTF-16. */
export async function readTextFile(path: string, option: string, reading: Reading): Promise<string> {
  return decodeText(await readFileBytes(path, option, reading));
}

/** Reads the bytes of a file that the command line names. Throws the same errors as {@link readTextFile}. */
export async function readFileBytes(
  path: string,
  option: string,
  { most = mostBytes, signal }: Reading,
): Promise<Buffer> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readAtMost(path, most, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, option, error);
  }
  if (bytes === undefined) {
    throw new InputError("input-too-large", `${option}: ${quote(path)} has more than ${most} bytes`);
  }
  return bytes;
}

/** File that `cdktf synth` writes into the folder of each stack. */
export const stackFile = "cdk.tf.json";

/** Returns the folder of a stack; also accepts the path of the file in the folder. */
export function stackFolder(named: string): string {
  return basename(named) === stackFile ? dirname(named) : named;
}

export async function readStackFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readTextFile(path, "--stack", { signal });
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "file-unreadable") throw error;
    throw new InputError(error.code, `${error.message}; create it with 'cdktf synth' or 'cdktn synth'`);
  }
}

/**
 * Reads the JSON in a file that the command line names.
 *
 * @param advice what the file should be, as in `pass the output of ...`
 */
export async function readJsonFile(path: string, option: string, reading: Reading, advice: string): Promise<unknown> {
  return parseJsonInput(await readTextFile(path, option, reading), `${option}: ${quote(path)}`, advice);
}

/** Returns the code of an error of the operating system, as in `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  const code = error instanceof Object && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Returns the error for an unreadable file, with the option that names the file and the reason. */
export function unreadable(path: string, option: string | undefined, error: unknown): InputError {
  const code = errorCodeOf(error);
  const reason = reasons[code ?? ""] ?? `${code}; name a file that can`;
  const who = option === undefined ? "" : `${option}: `;
  return new InputError("file-unreadable", `${who}${quote(path)} can't be read: ${reason}`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the file does not exist",
  EISDIR: "it is a folder; name a file",
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  ENOTDIR: "a part of its path is a file, and no folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

interface Writing {
  readonly force: boolean;
}

/**
 * Writes a file completely or not at all: first beside its target, then by a rename. A device, a pipe or a link is kept
 * and written to. That includes a link whose target does not exist yet.
 */
export async function writeWhole(path: string, text: string, writing: Writing): Promise<void> {
  if ((await checkKind(path, writing)) === "device") {
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
      // The new file keeps the permissions of the previous file, so that no other user gains access.
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

/** Checks whether {@link writeWhole} can write to the path, and changes nothing. */
export async function checkWritable(path: string, writing: Writing): Promise<void> {
  if ((await checkKind(path, writing)) === "device") return;
  const place = await placeOf(path);
  const draft = draftBeside(place);
  try {
    await (await open(draft, "wx")).close();
    await rm(draft);
  } catch (error) {
    throw unwritable(path, error, place);
  }
}

/** Maximum number of links to follow; the same limit as in the kernel. */
const mostLinks = 40;

/** Returns the path of the file, existing or not, after following links. */
async function placeOf(path: string): Promise<string> {
  let place = path;
  for (let links = 0; links <= mostLinks; links += 1) {
    const target = await readlink(place).catch(() => undefined);
    // Resolve the folder first: a ".." after a link leads to another folder than the text of the path suggests.
    const folder = await realpath(dirname(place)).catch(() => dirname(place));
    if (target === undefined) return join(folder, basename(place));
    place = isAbsolute(target) ? target : `${folder}/${target}`;
  }
  throw unwritable(path, { code: "ELOOP" });
}

function draftBeside(path: string): string {
  return join(dirname(path), `.${randomUUID()}.tmp`);
}

/**
 * Returns the error for a path that cannot be written.
 *
 * @param place the path after following links
 */
function unwritable(path: string, error: unknown, place = path): InputError {
  const code = errorCodeOf(error);
  const folder = quote(dirname(place));
  // Kernel folders such as /proc exist, but report ENOENT for every new name.
  const missing = existsSync(dirname(place))
    ? `the folder ${folder} takes no new files; name another one`
    : `the folder ${folder} does not exist; create it, or use another file`;
  const otherReason = `${fileReason(error)}; name ${code === "EISDIR" ? "a" : "another"} file`;
  const reason = code === "ENOENT" ? missing : otherReason;
  return new InputError("file-unwritable", `${quote(path)} can't be written: ${reason}`);
}

/** Returns the kind of the existing file; `none` if the path does not exist. */
async function checkKind(path: string, { force }: Writing): Promise<"none" | "file" | "device"> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return "none";
  if (found.isDirectory()) throw unwritable(path, { code: "EISDIR" });
  if (!force) {
    throw new InputError("file-exists", `${quote(path)} exists and is not replaced; give another name, or --force`);
  }
  return found.isFile() ? "file" : "device";
}

/**
 * Decodes bytes by their byte order mark and drops the mark: PowerShell's `>` writes UTF-16, or UTF-8 with a byte order
 * mark. Bytes without a mark are UTF-8. Invalid sequences become U+FFFD.
 */
export function decodeText(bytes: Buffer): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decodeUtf16(bytes.subarray(2), "little");
  if (first === 0xfe && second === 0xff) return decodeUtf16(bytes.subarray(2), "big");
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  return bytes.toString("utf8", isMarked ? 3 : 0);
}

/** Decodes with `Buffer`, because a `TextDecoder` refuses UTF-16 of several hundred megabytes. */
function decodeUtf16(bytes: Buffer, endian: "little" | "big"): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const units = endian === "little" ? whole : Buffer.from(whole).swap16();
  return units.toString("utf16le") + (whole.length === bytes.length ? "" : "\uFFFD");
}

/** Interval in milliseconds between writes that unblock a pipe after a stop. */
const releaseEveryMs = 20;

/**
 * Reads a file, a device or a pipe that may be endless.
 *
 * @param most maximum size in bytes
 * @returns the bytes, or `undefined` if there are more
 */
export async function readAtMost(path: string, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
  signal.throwIfAborted();
  const stream = createReadStream(path);
  let releasing: NodeJS.Timeout | undefined;
  const stop = () => {
    stream.destroy(signal.reason as Error);
    release(path);
    // The stream may have been about to open the pipe; from then on it waits for a writer.
    releasing = setInterval(() => release(path), releaseEveryMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > most) return undefined;
      chunks.push(bytes);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    clearInterval(releasing);
  }
  return Buffer.concat(chunks);
}

/**
 * Ends a read of a pipe that has no writer. Node cannot cancel the read, and the process does not end before the read
 * does. The pipe therefore receives a byte, which is discarded with everything that was read.
 */
function release(path: string): void {
  try {
    if (!statSync(path).isFIFO()) return;
    const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      writeSync(pipe, "\n");
    } finally {
      closeSync(pipe);
    }
  } catch {
    // The pipe has no reader, or it is full: neither case blocks the stop.
  }
}
