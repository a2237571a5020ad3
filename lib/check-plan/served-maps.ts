import { groupBy } from "../json/group-by";
import { hostnameOf } from "./kinds";
import { isSame, type ResourceName, serves, wildcardAbove } from "./names";
import type { Resource } from "./plan-json";

/** The names in each certificate of an entry or a proxy; undefined if they are unknown. */
export type Domains = readonly (readonly string[] | undefined)[];

/** Returns whether a certificate is for a name; undefined if this is unknown. Every certificate can serve PRIMARY. */
export function coverName(certificates: Domains, name: string): boolean | undefined {
  if (name === "PRIMARY") return certificates.length > 0;
  if (certificates.some((domains) => domains?.some((domain) => serves(domain, name)))) return true;
  return certificates.includes(undefined) ? undefined : false;
}

interface MapEntry {
  readonly map: ResourceName;
  readonly hostname: string;
  readonly held: Resource;
}

/** The hostnames that certificate maps serve, before or after the apply. */
export class ServedMaps {
  readonly #byMap: ReadonlyMap<string, readonly MapEntry[]>;
  readonly #byMapAndHostname: ReadonlyMap<string, readonly MapEntry[]>;
  readonly #byHostname: ReadonlyMap<string, readonly MapEntry[]>;
  readonly #domainsOf: (entry: Resource) => Domains;

  /** @param mapOf the map of an entry; undefined if it is unknown */
  constructor(
    entries: readonly Resource[],
    mapOf: (entry: Resource) => ResourceName | undefined,
    domainsOf: (entry: Resource) => Domains,
  ) {
    const all = entries.flatMap((held): readonly MapEntry[] => {
      const map = mapOf(held);
      return map === undefined ? [] : [{ map, hostname: hostnameOf(held.values), held }];
    });
    this.#byMap = groupBy(all, ({ map }) => map.path);
    this.#byMapAndHostname = groupBy(all, ({ map, hostname }) => `${map.path} ${hostname}`);
    this.#byHostname = groupBy(all, ({ hostname }) => hostname);
    this.#domainsOf = domainsOf;
  }

  entriesOf(map: ResourceName): readonly Resource[] {
    return (this.#byMap.get(map.path) ?? []).filter((entry) => isSame(entry.map, map)).map(({ held }) => held);
  }

  /** Returns the entry that the load balancer chooses for a name: its own entry, else the wildcard's, else PRIMARY. */
  chosen(map: ResourceName, name: string): Resource | undefined {
    return firstFor(name, (hostname) => {
      return this.#byMapAndHostname.get(`${map.path} ${hostname}`)?.find((entry) => isSame(entry.map, map));
    });
  }

  /** Returns an entry of any map for a name: its own entry, else the wildcard's, else PRIMARY. */
  chosenFromAnyMap(name: string): Resource | undefined {
    return firstFor(name, (hostname) => this.#byHostname.get(hostname)?.[0]);
  }

  /** Returns whether clients of a name get a certificate for the name; undefined if this is unknown. */
  isServed(map: ResourceName, name: string): boolean | undefined {
    const entry = this.chosen(map, name);
    return entry === undefined ? false : this.isFor(entry, name);
  }

  /** Returns whether an entry has a certificate for a name; undefined if this is unknown. */
  isFor(entry: Resource, name: string): boolean | undefined {
    return coverName(this.#domainsOf(entry), name);
  }

  /** Returns the known names in the certificates of an entry. */
  domainsOf(entry: Resource): readonly string[] {
    return this.#domainsOf(entry).flatMap((domains) => domains ?? []);
  }

  /** Returns the hostname of an entry, for a wildcard or PRIMARY also the names that it serves without an own entry. */
  namesBy(map: ResourceName, entry: Resource): readonly string[] {
    const hostname = hostnameOf(entry.values);
    if (hostname !== "PRIMARY" && !hostname.startsWith("*.")) return [hostname];
    const others = this.domainsOf(entry).filter((name) => this.chosen(map, name)?.address === entry.address);
    return [...new Set([hostname, ...others])];
  }

  /** Returns all names that a map serves. */
  namesOf(map: ResourceName): readonly string[] {
    return [...new Set(this.entriesOf(map).flatMap((entry) => this.namesBy(map, entry)))];
  }
}

function firstFor(name: string, find: (hostname: string) => MapEntry | undefined): Resource | undefined {
  return (find(name) ?? find(wildcardAbove(name) ?? "") ?? find("PRIMARY"))?.held;
}
