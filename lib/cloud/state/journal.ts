import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";

/** A value that was set or deleted. */
export interface Change {
  /** Collection, key and value; no value where it was deleted. */
  readonly c: string;
  readonly k: string;
  readonly v?: unknown;
}

export interface Journal {
  /** Writes changes as one line, which is there as a whole or not at all. */
  append(changes: readonly Change[]): void;
  close(): void;
}

/**
 * Reads a journal, if there is one.
 *
 * @param apply told of each change, in order
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal
 */
export function readJournal(path: string, apply: (change: Change) => void): void {
  if (!existsSync(path)) return;
  const lines = readText(path).split("\n");
  // Whatever stands behind the last line feed was never acknowledged; but a text without any may be somebody else's.
  const rest = lines.pop() ?? "";
  if (!rest.startsWith(lineStart) && !lineStart.startsWith(rest)) throw foreign(path, lines.length + 1);
  for (const [index, line] of lines.entries()) parseLine(line, path, index + 1).forEach(apply);
}

/** Where each line of a journal begins. */
const lineStart = '[{"c":"';

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError("state-unreadable", `${quote(path)} can't be read: ${fileReason(error)}`);
  }
}

function parseLine(line: string, path: string, number: number): readonly Change[] {
  let changes: unknown;
  try {
    changes = JSON.parse(line);
  } catch {
    throw foreign(path, number);
  }
  if (!Array.isArray(changes) || changes.length === 0 || !changes.every(isChange)) throw foreign(path, number);
  return changes;
}

function isChange(value: unknown): value is Change {
  const { c, k } = (value ?? {}) as { readonly c?: unknown; readonly k?: unknown };
  return typeof c === "string" && typeof k === "string";
}

function foreign(path: string, line: number): InputError {
  return new InputError(
    "state-unreadable",
    `${quote(path)}, line ${line}: this is not the state of a rehearsal cloud; name another file, or move this one away`,
  );
}

/**
 * Begins a journal anew with what there is, and again whenever it has become twice as long as that: a cloud that runs for weeks keeps a file that
 * the next one can read.
 *
 * @param content everything that is to be kept, as changes
 * @param rewriteBytes a shorter file is left as it is
 * @throws {@link InputError} `state-unwritable`
 */
export function startJournal(path: string, content: () => Iterable<Change>, rewriteBytes: number): Journal {
  let file: number;
  try {
    file = writeAnew(path, content());
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
      const fresh = writeAnew(path, content());
      closeSync(file);
      file = fresh;
      bytes = fstatSync(file).size;
    } catch {
      // Everything is in the file as it is: the next attempt is made when it has doubled.
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

/** So much is written at a time. */
const pieceCharacters = 1_000_000;

/** Writes a journal beside the present one, whose place it takes in one step. @returns what to write on in */
function writeAnew(path: string, content: Iterable<Change>): number {
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

/** Writes a text as a whole or not at all: half a line would spoil those that follow. @returns how long the file is then, in bytes */
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
