import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { InputError } from "../../errors";
import { quote } from "../../quote";

/** What can be kept. */
export type Stored =
  | null
  | boolean
  | number
  | string
  | readonly Stored[]
  | { readonly [key: string]: Stored | undefined };

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
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal; it is left as it is
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
  if (path !== undefined && existsSync(path)) load(path, named);
  pending = [];
  let file = path === undefined ? undefined : startJournal(path, collections);
  return {
    collection: <Value>(name: string) => named(name) as unknown as Collection<Value>,
    commit() {
      if (pending.length === 0) return;
      if (file !== undefined) writeSync(file, `${JSON.stringify(pending)}\n`);
      pending = [];
    },
    reset() {
      for (const collection of collections.values()) collection.clear();
      this.commit();
    },
    close() {
      this.commit();
      if (file !== undefined) closeSync(file);
      file = undefined;
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

function load(path: string, named: (name: string) => JournaledCollection<unknown>): void {
  const lines = readFileSync(path, "utf8").split("\n");
  // Whatever stands behind the last line feed was never acknowledged.
  lines.pop();
  for (const [index, line] of lines.entries()) {
    for (const { c, k, v } of parseLine(line, path, index + 1)) {
      if (v === undefined) named(c).delete(k);
      else named(c).set(k, v);
    }
  }
}

function parseLine(line: string, path: string, number: number): readonly Change[] {
  const refuse = () => {
    const message = `${quote(path)}, line ${number}: this is not the state of a rehearsal cloud; name another file, or move this one away`;
    return new InputError("state-unreadable", message);
  };
  let changes: unknown;
  try {
    changes = JSON.parse(line);
  } catch {
    throw refuse();
  }
  const isChange = (change: unknown): change is Change =>
    typeof change === "object" && change !== null && "c" in change && "k" in change;
  if (!Array.isArray(changes) || !changes.every(isChange)) throw refuse();
  return changes;
}

/** Writes what is left of the old journal into a new one, which takes its place in one step. */
function startJournal(path: string, collections: ReadonlyMap<string, Collection<unknown>>): number {
  const lines: string[] = [];
  for (const [c, collection] of collections) {
    for (const [k, v] of collection.entries()) lines.push(`${JSON.stringify([{ c, k, v }])}\n`);
  }
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.join(""), { mode: 0o600 });
  renameSync(fresh, path);
  return openSync(path, "a", 0o600);
}
