import { hostnameOf } from "./kinds";
import { isSame, type ResourceName, serves, wildcardAbove } from "./names";
import type { Held } from "./plan-json";

/** The names in each certificate of an entry or a proxy; undefined if they are unknown. */
export type Domains = readonly (readonly string[] | undefined)[];

/** Returns whether a certificate is for a name; undefined if this is unknown. Every certificate can serve PRIMARY. */
export function coverName(certificates: Domains, name: string): boolean | undefined {
  if (name === "PRIMARY") return certificates.length > 0;
  if (certificates.some((domains) => domains?.some((domain) => serves(domain, name)))) return true;
  return certificates.includes(undefined) ? undefined : false;
}

/** The hostnames that certificate maps serve, before or after the apply. */
export class ServedMaps {
  readonly #entries: EntryIndex;
  readonly #domainsOf: (entry: Held) => Domains;

  constructor(entries: EntryIndex, domainsOf: (entry: Held) => Domains) {
    this.#entries = entries;
    this.#domainsOf = domainsOf;
  }

  /** Returns the entry that the load balancer chooses for a name: its own entry, else the wildcard's, else PRIMARY. */
  chosen(map: ResourceName, name: string): Held | undefined {
    return this.#entries.find(map, name) ?? this.#entries.exact(map, "PRIMARY");
  }

  /** Returns whether clients of a name get a certificate for the name; undefined if the certificate's names are unknown. */
  isServed(map: ResourceName, name: string): boolean | undefined {
    const entry = this.chosen(map, name);
    return entry === undefined ? false : this.isFor(entry, name);
  }

  /** Returns whether an entry has a certificate for a name; undefined if this is unknown. */
  isFor(entry: Held, name: string): boolean | undefined {
    return coverName(this.#domainsOf(entry), name);
  }

  /** Returns the known names in the certificates of an entry. */
  domainsOf(entry: Held): readonly string[] {
    return this.#domainsOf(entry).flatMap((domains) => domains ?? []);
  }

  /** Returns the hostname of an entry, and for a wildcard or PRIMARY also the names without an own entry that it serves. */
  namesBy(map: ResourceName, entry: Held): readonly string[] {
    const hostname = hostnameOf(entry.values);
    if (hostname !== "PRIMARY" && !hostname.startsWith("*.")) return [hostname];
    const others = this.domainsOf(entry).filter((name) => this.chosen(map, name)?.address === entry.address);
    return [...new Set([hostname, ...others])];
  }

  /** Returns all names that a map serves. */
  namesOf(map: ResourceName): readonly string[] {
    return [...new Set(this.#entries.of(map).flatMap((entry) => this.namesBy(map, entry)))];
  }
}

/** Finds entries of certificate maps by map and hostname. */
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

  /** Returns the entry for exactly this hostname. */
  exact(map: ResourceName, hostname: string): Held | undefined {
    return this.#hostnames.get(`${map.path} ${hostname}`)?.find((one) => isSame(one.map, map))?.held;
  }

  /** Returns an entry of any map for a hostname: its own entry, else the wildcard's, else PRIMARY. */
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
