import { defined } from "../json/defined";
import { asText, type Fields } from "../json/fields";
import { groupBy } from "../json/group-by";
import { lastPart, writeLocatedPath } from "../resource-names";
import { classicTypes, domainsOf, isCertificateType, types } from "./kinds";
import { bareName, isSame, type ResourceName, resourceName } from "./names";
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
