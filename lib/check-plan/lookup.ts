import { defined } from "../json/defined";
import { asText, type Fields } from "../json/fields";
import { groupBy } from "../json/group-by";
import { lastPart, writeLocatedPath } from "../resource-names";
import {
  bareName,
  classicTypes,
  domainsOf,
  hostnameOf,
  isCertificateType,
  isSame,
  type ResourceName,
  resourceName,
  serves,
  types,
  wildcardAbove,
} from "./kinds";
import type { Resource } from "./plan-json";

interface DomainOf {
  readonly name: string;
  readonly held: Resource;
}

/** Finds resources by type, address, certificate id and domain. */
export class Lookup {
  readonly #types: ReadonlyMap<string, readonly Resource[]>;
  readonly #addresses: ReadonlyMap<string, Resource>;
  readonly #certificates: ReadonlyMap<string, readonly Resource[]>;
  #byDomain: ReadonlyMap<string, readonly DomainOf[]> | undefined;
  #authorizations: ReadonlyMap<string, readonly Resource[]> | undefined;

  constructor(held: readonly Resource[]) {
    this.#types = groupBy(held, ({ type }) => type);
    this.#addresses = new Map(held.map((resource) => [resource.address, resource]));
    const certificates = held.filter(({ type }) => isCertificateType(type));
    this.#certificates = groupBy(certificates, (resource) => nameOfCertificate(resource).path);
  }

  certificatesFor(domain: string): readonly Resource[] {
    this.#byDomain ??= groupBy(this.of(types.certificate).flatMap(domainsWithoutWildcard), ({ name }) => name);
    return this.#byDomain.get(domain)?.map(({ held }) => held) ?? [];
  }

  authorizationsFor(domain: string): readonly Resource[] {
    this.#authorizations ??= groupBy(this.of(types.authorization), ({ values }) => bareName(values.domain));
    return this.#authorizations.get(domain) ?? [];
  }

  of(type: string): readonly Resource[] {
    return this.#types.get(type) ?? [];
  }

  at(address: string): Resource | undefined {
    return this.#addresses.get(address);
  }

  certificate(id: string): Resource | undefined {
    const name = resourceName(id);
    const found = this.#certificates.get(name.path)?.find((held) => isSame(nameOfCertificate(held), name));
    // A certificate of Compute Engine that does not exist yet has no link, only a name.
    return found ?? this.#certificates.get(lastPart(id))?.find(({ type }) => classicTypes.has(type));
  }
}

function domainsWithoutWildcard(held: Resource): DomainOf[] {
  const names = new Set(domainsOf(held.values).map((name) => name.replace(/^\*\./, "")));
  return [...names].map((name) => ({ name, held }));
}

/** Returns the link or id of a certificate, else the id that its fields make up; for Compute Engine, its name. */
export function nameOfCertificate({ type, values }: Pick<Resource, "type" | "values">): ResourceName {
  const { name, project, location } = values;
  const isClassic = classicTypes.has(type);
  const id = isClassic ? (values.self_link ?? values.id) : values.id;
  if (typeof id === "string") return resourceName(id);
  if (typeof name !== "string") return resourceName("");
  const place = typeof location === "string" && location !== "" ? location : "global";
  if (isClassic) return resourceName(name);
  return resourceName(writeLocatedPath({ location: place, collection: "certificates", name }), project);
}

/** Returns the name of a map, or its address if the name is unknown. */
export function nameOfMap({ address, values }: Pick<Resource, "address" | "values">): ResourceName {
  return mapNamed(typeof values.name === "string" ? values.name : address, values);
}

/** Reads a reference to a map: entries contain its name, proxies its id. Maps are always global. */
export function mapNamed(text: unknown, values: Fields): ResourceName {
  const id = asText(text ?? "");
  const { project } = resourceName(id, values.project);
  return { ...defined({ project }), path: lastPart(id) };
}

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
