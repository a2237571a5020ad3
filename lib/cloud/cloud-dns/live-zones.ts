import { isPrivateDomain } from "../../hostnames";
import { parentName, type ServedRecordSet, type Zone, type ZoneSource } from "../name-server";
import type { ManagedZone } from "./zones";

/** A zone from which the name server answers; follows every change. */
export class ServedZone implements Zone {
  readonly dnsName: string;
  readonly #recordSets = new Map<string, readonly ServedRecordSet[]>();
  /** Number of names with records at or below a name. */
  readonly #below = new Map<string, number>();
  readonly #changed: () => void;

  /** @param changed called after every change of the record sets */
  constructor(dnsName: string, changed: () => void) {
    this.dnsName = dnsName.toLowerCase();
    this.#changed = changed;
  }

  /** Adds a record set, or replaces the one of the same name and type. */
  put(recordSet: ServedRecordSet): void {
    const name = recordSet.name.toLowerCase();
    const recordSets = this.#recordSets.get(name) ?? [];
    if (recordSets.length === 0) this.#count(name, 1);
    this.#recordSets.set(name, [...recordSets.filter(({ type }) => type !== recordSet.type), recordSet]);
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

  readonly recordSets = (name: string): readonly ServedRecordSet[] => this.#recordSets.get(name) ?? [];
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

/**
 * The zones of all projects that the name server answers from; each zone counts as delegated. These are public zones,
 * and private zones of domains that public DNS does not have, as clients in a VPC network see them.
 */
export class LiveZones implements ZoneSource {
  readonly #byId = new Map<string, ServedZone>();
  /** Ids of the zones of a domain, in order of creation; the first zone answers. */
  readonly #idsByDomain = new Map<string, readonly string[]>();
  #version = 0;

  get({ id }: ManagedZone): ServedZone | undefined {
    return this.#byId.get(id);
  }

  open({ id, dnsName, visibility }: ManagedZone): void {
    if (visibility !== "public" && !isPrivateDomain(dnsName)) return;
    this.#byId.set(id, new ServedZone(dnsName, this.#changed));
    this.#changed();
  }

  delegate({ id, dnsName }: ManagedZone): void {
    const ids = this.#idsByDomain.get(dnsName) ?? [];
    if (this.#byId.has(id) && !ids.includes(id)) this.#idsByDomain.set(dnsName, [...ids, id]);
    this.#changed();
  }

  close({ id, dnsName }: ManagedZone): void {
    this.#byId.delete(id);
    const left = (this.#idsByDomain.get(dnsName) ?? []).filter((zoneId) => zoneId !== id);
    if (left.length > 0) this.#idsByDomain.set(dnsName, left);
    else this.#idsByDomain.delete(dnsName);
    this.#changed();
  }

  readonly version = (): number => this.#version;

  readonly findZone = (name: string): Zone | undefined => {
    for (let at: string | undefined = name; at !== undefined; at = parentName(at)) {
      const [id] = this.#idsByDomain.get(at) ?? [];
      if (id !== undefined) return this.#byId.get(id);
    }
    return undefined;
  };

  readonly #changed = (): void => {
    this.#version += 1;
  };
}
