import { type Journal, lockState, readJournal, type StateChange, startJournal } from "./journal";

/** Values by key, in the order in which the keys were first set. */
export interface Collection<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
  delete(key: string): boolean;
  entries(): IterableIterator<[string, Value]>;
  values(): IterableIterator<Value>;
  readonly size: number;
  /** Calls a listener for every later change; the value before a creation and after a deletion is undefined. */
  watch(listener: (key: string, before: Value | undefined, after: Value | undefined) => void): void;
}

/**
 * The whole state of the cloud, in memory and optionally in a file. The file is a journal: the changes of a request are
 * one line, written before the request is answered. If the process ends, no acknowledged change is lost. If the machine
 * fails, changes may be lost, because writes do not wait for the disk.
 */
export interface Store {
  /** Returns a collection by its name in the journal. Values are not copied: replace a value instead of changing it. */
  collection<Value>(name: string): Collection<Value>;
  /** Writes the changes since the last commit as one line. */
  commit(): void;
  /** Registers a function that is called before each write and may add changes. */
  beforeCommit(add: () => void): void;
  /**
   * Deletes everything. The file follows at the next commit, which writes the deletions and the values that were set
   * since then as one line.
   */
  reset(): void;
  close(): void;
}

/** Minimum length of a journal, in bytes, at which it is replaced; it must also be twice as long as its content. */
const usualRewriteBytes = 64 * 1024 * 1024;

/**
 * Opens a store.
 *
 * @param path journal to read and to write; without it, the state ends with the process
 * @throws {@link InputError} `state-unreadable` for a file that isn't a journal, `state-unwritable` if the file can't
 * be written, `state-in-use` if another cloud uses it; an existing file stays unchanged
 */
export function openStore(path?: string, { rewriteBytes = usualRewriteBytes } = {}): Store {
  const collections = new Map<string, JournaledCollection<unknown>>();
  let pending: StateChange[] = [];
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

function* contentOf(collections: ReadonlyMap<string, Collection<unknown>>): Iterable<StateChange> {
  for (const [c, collection] of collections) for (const [k, v] of collection.entries()) yield { c, k, v };
}

class JournaledCollection<Value> implements Collection<Value> {
  readonly #name: string;
  readonly #record: (change: StateChange) => void;
  readonly #values = new Map<string, Value>();
  readonly #listeners: ((key: string, before: Value | undefined, after: Value | undefined) => void)[] = [];

  constructor(name: string, record: (change: StateChange) => void) {
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

/**
 * Returns a function that finds the values of a group, in the order in which they joined it, without a scan of all
 * values. The groups are updated with the collection.
 */
export function indexBy<Value>(
  collection: Collection<Value>,
  groupsOf: (value: Value, key: string) => readonly string[],
): (group: string) => readonly Value[] {
  const keys = new Map<string, Set<string>>();
  const add = (group: string, key: string) => {
    const members = keys.get(group) ?? new Set();
    keys.set(group, members.add(key));
  };
  const remove = (group: string, key: string) => {
    const members = keys.get(group);
    members?.delete(key);
    if (members?.size === 0) keys.delete(group);
  };
  for (const [key, value] of collection.entries()) for (const group of groupsOf(value, key)) add(group, key);
  collection.watch((key, before, after) => {
    const left = before === undefined ? [] : groupsOf(before, key);
    const joined = after === undefined ? [] : groupsOf(after, key);
    for (const group of left) if (!joined.includes(group)) remove(group, key);
    for (const group of joined) add(group, key);
  });
  return (group) => [...(keys.get(group) ?? [])].map((key) => collection.get(key) as Value);
}
