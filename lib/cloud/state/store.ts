import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { InputError } from "../../errors";
import { quote } from "../../quote";
import { lockState } from "./state-lock";

/** Values by key, in the order in which the keys first came. */
export interface Collection<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
  delete(key: string): boolean;
  entries(): IterableIterator<[string, Value]>;
  values(): IterableIterator<Value>;
  readonly size: number;
  /** Tells of every change to come; a value is undefined where there was none, or is none any more. */
  watch(listener: (key: string, before: Value | undefined, after: Value | undefined) => void): void;
}

/**
 * Everything that the cloud knows. In memory; with a file also there, as a journal: each change of a request is one line, written before the
 * request is answered. The end of the process loses nothing that was acknowledged; the end of the machine may, as nothing waits for the disk.
 */
export interface Store {
  /** A collection by its name, which stands in the journal. Values are not copied: replace them, never change them. */
  collection<Value>(name: string): Collection<Value>;
  /** Writes what changed since the last time, as one line. */
  commit(): void;
  /** Asked before changes are written, so that what has to be kept beside every change is. */
  beforeCommit(add: () => void): void;
  /** Forgets everything. */
  reset(): void;
  /** Commits and lets go of the file. */
  close(): void;
}

interface Change {
  /** Collection, key and value; no value where it was deleted. */
  readonly c: string;
  readonly k: string;
  readonly v?: unknown;
}

/**
 * Opens a store.
 *
 * @param path journal to go on with and to write; without it everything is gone with the process
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal, `state-unwritable` where none can be written, `state-in-use` where
 * another cloud goes on with it; whatever is there is left as it is
 */
export function openStore(path?: string): Store {
  const collections = new Map<string, JournaledCollection<unknown>>();
  let pending: Change[] = [];
  const named = (name: string) => {
    const known =
      collections.get(name) ?? new JournaledCollection<unknown>(name, (change) => void pending.push(change));
    collections.set(name, known);
    return known;
  };
  const unlock = path === undefined ? undefined : lockState(path);
  let file: number | undefined;
  try {
    if (path !== undefined && existsSync(path)) load(path, named);
    file = path === undefined ? undefined : startJournal(path, collections);
  } catch (error) {
    unlock?.();
    throw error;
  }
  pending = [];
  const additions: (() => void)[] = [];
  return {
    collection: <Value>(name: string) => named(name) as unknown as Collection<Value>,
    commit() {
      if (pending.length === 0) return;
      for (const add of additions) add();
      if (file !== undefined) append(file, `${JSON.stringify(pending)}\n`);
      pending = [];
    },
    beforeCommit(add) {
      additions.push(add);
    },
    reset() {
      for (const collection of collections.values()) collection.clear();
      this.commit();
    },
    close() {
      this.commit();
      if (file === undefined) return;
      closeSync(file);
      file = undefined;
      unlock?.();
    },
  };
}

class JournaledCollection<Value> implements Collection<Value> {
  readonly #name: string;
  readonly #record: (change: Change) => void;
  readonly #values = new Map<string, Value>();
  readonly #listeners: ((key: string, before: Value | undefined, after: Value | undefined) => void)[] = [];

  constructor(name: string, record: (change: Change) => void) {
    this.#name = name;
    this.#record = record;
  }

  get size() {
    return this.#values.size;
  }
  get(key: string) {
    return this.#values.get(key);
  }
  has(key: string) {
    return this.#values.has(key);
  }
  set(key: string, value: Value) {
    const before = this.#values.get(key);
    this.#values.set(key, value);
    this.#record({ c: this.#name, k: key, v: value });
    for (const listener of this.#listeners) listener(key, before, value);
  }
  delete(key: string) {
    const before = this.#values.get(key);
    if (!this.#values.delete(key)) return false;
    this.#record({ c: this.#name, k: key });
    for (const listener of this.#listeners) listener(key, before, undefined);
    return true;
  }
  watch(listener: (key: string, before: Value | undefined, after: Value | undefined) => void) {
    this.#listeners.push(listener);
  }
  entries() {
    return this.#values.entries();
  }
  values() {
    return this.#values.values();
  }
  clear() {
    for (const key of [...this.#values.keys()]) this.delete(key);
  }
}

/** Where each line of a journal begins. */
const lineStart = '[{"c":"';

function load(path: string, named: (name: string) => JournaledCollection<unknown>): void {
  const lines = readText(path).split("\n");
  // Whatever stands behind the last line feed was never acknowledged; but a text without any may be somebody else's.
  const rest = lines.pop() ?? "";
  if (!rest.startsWith(lineStart) && !lineStart.startsWith(rest)) throw foreign(path, lines.length + 1);
  for (const [index, line] of lines.entries()) {
    for (const { c, k, v } of parseLine(line, path, index + 1)) {
      if (v === undefined) named(c).delete(k);
      else named(c).set(k, v);
    }
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError("state-unreadable", `${quote(path)} can't be read: ${reasonOf(error)}`);
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

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Writes what is left of the old journal into a new one, which takes its place in one step. */
function startJournal(path: string, collections: ReadonlyMap<string, Collection<unknown>>): number {
  const lines: string[] = [];
  for (const [c, collection] of collections) {
    for (const [k, v] of collection.entries()) lines.push(`${JSON.stringify([{ c, k, v }])}\n`);
  }
  const fresh = `${path}.new`;
  try {
    writeFileSync(fresh, lines.join(""), { mode: 0o600 });
    renameSync(fresh, path);
    return openSync(path, "a", 0o600);
  } catch (error) {
    throw new InputError("state-unwritable", `${quote(path)} can't be written: ${reasonOf(error)}; name another file`);
  }
}

/** Writes a line as a whole or not at all: half of one would spoil those that follow. */
function append(file: number, line: string): void {
  const bytes = Buffer.from(line);
  const { size } = fstatSync(file);
  try {
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(file, bytes, done);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}
