import { type Change, type Journal, readJournal, startJournal } from "./journal";
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
  /** Forgets everything, from the next commit on also in the file: what is set until then takes its place in one step. */
  reset(): void;
  /** Commits and lets go of the file. */
  close(): void;
}

/** A journal is begun anew when it is longer than this, and twice as long as what is left of it. */
const usualRewriteBytes = 64 * 1024 * 1024;

/**
 * Opens a store.
 *
 * @param path journal to go on with and to write; without it everything is gone with the process
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal, `state-unwritable` where none can be written, `state-in-use` where
 * another cloud goes on with it; whatever is there is left as it is
 */
export function openStore(path?: string, { rewriteBytes = usualRewriteBytes } = {}): Store {
  const collections = new Map<string, JournaledCollection<unknown>>();
  let pending: Change[] = [];
  const named = (name: string) => {
    const known =
      collections.get(name) ?? new JournaledCollection<unknown>(name, (change) => void pending.push(change));
    collections.set(name, known);
    return known;
  };
  const unlock = path === undefined ? undefined : lockState(path);
  let journal: Journal | undefined;
  try {
    if (path !== undefined) {
      readJournal(path, ({ c, k, v }) => {
        if (v === undefined) named(c).delete(k);
        else named(c).set(k, v);
      });
      journal = startJournal(path, () => contentOf(collections), rewriteBytes);
    }
  } catch (error) {
    unlock?.();
    throw error;
  }
  pending = [];
  const additions: (() => void)[] = [];
  return {
    collection: <Value>(name: string) => named(name) as Collection<unknown> as Collection<Value>,
    commit() {
      if (pending.length === 0) return;
      for (const add of additions) add();
      journal?.append(pending);
      pending = [];
    },
    beforeCommit(add) {
      additions.push(add);
    },
    reset() {
      for (const collection of collections.values()) collection.clear();
    },
    close() {
      this.commit();
      if (journal === undefined) return;
      journal.close();
      journal = undefined;
      unlock?.();
    },
  };
}

function* contentOf(collections: ReadonlyMap<string, Collection<unknown>>): Iterable<Change> {
  for (const [c, collection] of collections) for (const [k, v] of collection.entries()) yield { c, k, v };
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
