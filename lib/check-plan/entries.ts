import { hostnameOf } from "./kinds";
import { isSame, type ResourceName, wildcardAbove } from "./names";
import type { Held } from "./plan-json";

/** Entries of certificate maps by map and hostname. */
export class EntryIndex {
  readonly #maps = new Map<string, { readonly map: ResourceName; readonly held: Held }[]>();
  readonly #hostnames = new Map<string, { readonly map: ResourceName; readonly held: Held }[]>();
  readonly #anywhere = new Map<string, Held>();

  /** @param mapOf the map of an entry; undefined if it is unknown */
  constructor(entries: readonly Held[], mapOf: (entry: Held) => ResourceName | undefined) {
    for (const held of entries) {
      const map = mapOf(held);
      if (map === undefined) continue;
      add(this.#maps, map.path, { map, held });
      const hostname = hostnameOf(held.values);
      add(this.#hostnames, `${map.path} ${hostname}`, { map, held });
      if (!this.#anywhere.has(hostname)) this.#anywhere.set(hostname, held);
    }
  }

  of(map: ResourceName): readonly Held[] {
    return (this.#maps.get(map.path) ?? []).filter((one) => isSame(one.map, map)).map(({ held }) => held);
  }

  has(map: ResourceName): boolean {
    return this.#maps.get(map.path)?.some((one) => isSame(one.map, map)) === true;
  }

  /** The entry for exactly this hostname. */
  exact(map: ResourceName, hostname: string): Held | undefined {
    return this.#hostnames.get(`${map.path} ${hostname}`)?.find((one) => isSame(one.map, map))?.held;
  }

  /** An entry for a hostname, its own before that of a wildcard or PRIMARY, of whatever map. */
  anywhere(hostname: string): Held | undefined {
    const own = this.#anywhere;
    return own.get(hostname) ?? own.get(wildcardAbove(hostname) ?? "") ?? own.get("PRIMARY");
  }

  /** Returns the entry that serves a hostname: its own entry, else the entry of a wildcard, else the PRIMARY entry. */
  find(map: ResourceName, hostname: string): Held | undefined {
    const above = wildcardAbove(hostname);
    return this.exact(map, hostname) ?? (above === undefined ? undefined : this.exact(map, above));
  }
}

function add<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
