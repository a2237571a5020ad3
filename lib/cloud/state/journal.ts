import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";

export interface StateChange {
  /** Collection, key and value; the value is absent after a deletion. */
  readonly c: string;
  readonly k: string;
  readonly v?: unknown;
}

export interface Journal {
  /** Writes changes as one line, atomically. */
  append(changes: readonly StateChange[]): void;
  close(): void;
}

/**
 * Reads a journal if the file exists.
 *
 * @param apply called for each change, in order
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal
 */
export function readJournal(path: string, apply: (change: StateChange) => void): void {
  if (!existsSync(path)) return;
  const lines = readText(path).split("\n");
  // Text after the last line feed was never acknowledged. A text without any line feed may be a different kind of file.
  const rest = lines.pop() ?? "";
  if (!rest.startsWith(lineStart) && !lineStart.startsWith(rest)) throw notAJournal(path, lines.length + 1);
  for (const [index, line] of lines.entries()) parseLine(line, path, index + 1).forEach(apply);
}

const lineStart = '[{"c":"';

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError("state-unreadable", `${quote(path)} can't be read: ${fileReason(error)}`);
  }
}

function parseLine(line: string, path: string, number: number): readonly StateChange[] {
  let changes: unknown;
  try {
    changes = JSON.parse(line);
  } catch {
    throw notAJournal(path, number);
  }
  if (!Array.isArray(changes) || changes.length === 0 || !changes.every(isChange)) throw notAJournal(path, number);
  return changes;
}

function isChange(value: unknown): value is StateChange {
  const { c, k } = (value ?? {}) as { readonly c?: unknown; readonly k?: unknown };
  return typeof c === "string" && typeof k === "string";
}

function notAJournal(path: string, line: number): InputError {
  return new InputError(
    "state-unreadable",
    `${quote(path)}, line ${line}: this is not the state of a rehearsal cloud; name another file, or move this one away`,
  );
}

/**
 * Replaces a journal with the present content, and again whenever its length has doubled. The file of a cloud that runs
 * for weeks thus stays short enough to be read.
 *
 * @param content returns the whole state, as changes
 * @param rewriteBytes minimum length, in bytes, at which a file is replaced
 * @throws {@link InputError} `state-unwritable`
 */
export function startJournal(path: string, content: () => Iterable<StateChange>, rewriteBytes: number): Journal {
  let file: number;
  try {
    file = writeSnapshot(path, content());
  } catch (error) {
    throw new InputError(
      "state-unwritable",
      `${quote(path)} can't be written: ${fileReason(error)}; name another file`,
    );
  }
  let bytes = fstatSync(file).size;
  let mostBytes = Math.max(rewriteBytes, 2 * bytes);
  const rewrite = () => {
    try {
      const fresh = writeSnapshot(path, content());
      closeSync(file);
      file = fresh;
      bytes = fstatSync(file).size;
    } catch {
      // The present file is complete; the next attempt follows when its length has doubled.
    }
    mostBytes = Math.max(rewriteBytes, 2 * bytes);
  };
  return {
    append(changes) {
      bytes = write(file, `${JSON.stringify(changes)}\n`);
      if (bytes > mostBytes) rewrite();
    },
    close: () => closeSync(file),
  };
}

const pieceCharacters = 1_000_000;

/** Writes a new journal and replaces the present one atomically. @returns file descriptor of the new journal */
function writeSnapshot(path: string, content: Iterable<StateChange>): number {
  const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const fresh = `${path}.new`;
  const file = openSync(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
  try {
    let piece = "";
    for (const change of content) {
      piece += `${JSON.stringify([change])}\n`;
      if (piece.length < pieceCharacters) continue;
      write(file, piece);
      piece = "";
    }
    write(file, piece);
    renameSync(fresh, path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Writes a text completely or not at all: a partial line would corrupt the next. @returns length of the file in bytes
 */
function write(file: number, text: string): number {
  const bytes = Buffer.from(text);
  const { size } = fstatSync(file);
  try {
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(file, bytes, done);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
  return size + bytes.byteLength;
}

/**
 * Locks a state file, so that two clouds never use it at the same time; each would lose changes that the other
 * acknowledged. The lock of a process that no longer runs is ignored.
 *
 * @returns a function that releases the lock
 * @throws {@link InputError} `state-in-use`, `state-unwritable`
 */
export function lockState(path: string): () => void {
  const lock = `${path}.lock`;
  const processId = String(process.pid);
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(lock, processId, { flag: "wx", mode: 0o600 });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new InputError(
          "state-unwritable",
          `${quote(path)} can't be written: ${fileReason(error)}; name another file`,
        );
    }
    const holder = holderOf(lock);
    if (attempt > 1 || isRunning(holder))
      throw new InputError(
        "state-in-use",
        `${quote(path)} is the state of a running cloud (process ${quote(holder)}); stop it, use another file, or remove ${quote(lock)} if no cloud is running`,
      );
    rmSync(lock, { force: true });
  }
}

function holderOf(lock: string): string {
  try {
    return readFileSync(lock, "utf8").slice(0, 20);
  } catch {
    return "";
  }
}

function isRunning(holder: string): boolean {
  const number = Number(holder);
  if (!Number.isSafeInteger(number) || number < 1) return false;
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
