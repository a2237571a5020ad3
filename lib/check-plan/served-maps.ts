import type { EntryIndex } from "./entries";
import { hostnameOf } from "./kinds";
import { type ResourceName, serves } from "./names";
import type { Held } from "./plan-json";

/** The names that each certificate of an entry or a proxy is for; `undefined` where the plan does not know them. */
export type Domains = readonly (readonly string[] | undefined)[];

/** Whether a certificate is for a name; undefined if the plan does not show it. For clients that only get PRIMARY, every certificate counts. */
export function coverName(certificates: Domains, name: string): boolean | undefined {
  if (name === "PRIMARY") return certificates.length > 0;
  if (certificates.some((domains) => domains?.some((domain) => serves(domain, name)))) return true;
  return certificates.includes(undefined) ? undefined : false;
}

/** What certificate maps serve by hostname, at one time: before the apply, or after it. */
export class ServedMaps {
  readonly #entries: EntryIndex;
  readonly #domainsOf: (entry: Held) => Domains;

  constructor(entries: EntryIndex, domainsOf: (entry: Held) => Domains) {
    this.#entries = entries;
    this.#domainsOf = domainsOf;
  }

  /** The entry that the load balancer chooses for a name: its own, else the one of the wildcard above it, else PRIMARY. */
  chosen(map: ResourceName, name: string): Held | undefined {
    return this.#entries.find(map, name) ?? this.#entries.exact(map, "PRIMARY");
  }

  /** Whether clients of a name get a certificate that is for it; `undefined` where the plan does not know what the certificate is for. */
  isServed(map: ResourceName, name: string): boolean | undefined {
    const entry = this.chosen(map, name);
    return entry === undefined ? false : this.isFor(entry, name);
  }

  /** Whether an entry has a certificate for a name. */
  isFor(entry: Held, name: string): boolean | undefined {
    return coverName(this.#domainsOf(entry), name);
  }

  /** Names that the certificates of an entry are for, as far as the plan knows them. */
  domainsOf(entry: Held): readonly string[] {
    return this.#domainsOf(entry).flatMap((domains) => domains ?? []);
  }

  /** The hostname of an entry, and what else is served by it alone: a wildcard or PRIMARY stands in for names that have no entry. */
  namesBy(map: ResourceName, entry: Held): readonly string[] {
    const hostname = hostnameOf(entry.values);
    if (hostname !== "PRIMARY" && !hostname.startsWith("*.")) return [hostname];
    const others = this.domainsOf(entry).filter((name) => this.chosen(map, name)?.address === entry.address);
    return [...new Set([hostname, ...others])];
  }

  /** Every name that a map serves. */
  namesOf(map: ResourceName): readonly string[] {
    return [...new Set(this.#entries.of(map).flatMap((entry) => this.namesBy(map, entry)))];
  }
}
