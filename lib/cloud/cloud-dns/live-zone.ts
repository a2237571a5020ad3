import { parentName, type RecordSet, type Zone } from "../name-server";

/** A zone from which the name server answers; follows every change. */
export class LiveZone implements Zone {
  readonly dnsName: string;
  readonly #recordSets = new Map<string, readonly RecordSet[]>();
  /** Number of names with records at or below a name. */
  readonly #below = new Map<string, number>();
  readonly #changed: () => void;

  /** @param changed called after every change of the record sets */
  constructor(dnsName: string, changed: () => void) {
    this.dnsName = dnsName.toLowerCase();
    this.#changed = changed;
  }

  /** Adds a record set, or replaces the one of the same name and type. */
  put(recordSet: RecordSet): void {
    const name = recordSet.name.toLowerCase();
    const there = this.#recordSets.get(name) ?? [];
    if (there.length === 0) this.#count(name, 1);
    this.#recordSets.set(name, [...there.filter(({ type }) => type !== recordSet.type), recordSet]);
    this.#changed();
  }

  remove(name: string, type: string): void {
    const key = name.toLowerCase();
    const left = (this.#recordSets.get(key) ?? []).filter((recordSet) => recordSet.type !== type);
    if (left.length > 0) {
      this.#recordSets.set(key, left);
    } else if (this.#recordSets.delete(key)) {
      this.#count(key, -1);
    }
    this.#changed();
  }

  readonly recordSets = (name: string): readonly RecordSet[] => this.#recordSets.get(name) ?? [];
  readonly hasName = (name: string): boolean => name === this.dnsName || this.#below.has(name);

  #count(name: string, change: 1 | -1): void {
    for (let at: string | undefined = name; at !== undefined; at = parentName(at)) {
      const count = (this.#below.get(at) ?? 0) + change;
      if (count === 0) this.#below.delete(at);
      else this.#below.set(at, count);
      if (at === this.dnsName) return;
    }
  }
}
