import { parseLocatedName, withoutCertificateManager } from "../../resource-names";
import type { Json } from "../front";
import { serverTlsPolicyName } from "../network-security";
import { type ComputeCollection, pathOfLink } from "./links";

/** Data of Certificate Manager. Names have the form `projects/p1/locations/global/certificateMaps/m1`. */
export interface CertificateLookup {
  hasMap(name: string): boolean;
  hasCertificate(name: string): boolean;
  /** Returns the scope of a certificate; undefined means `DEFAULT`. */
  readonly certificateScope?: (name: string) => string | undefined;
}

/** Returns the name in a link `//certificatemanager.googleapis.com/…`, or in a URL of its API, as gcloud sends it. */
export function certificateManagerName(link: string): string | undefined {
  const name = withoutCertificateManager(link);
  const collection = parseLocatedName(name)?.collection;
  const isKnown = collection === "certificateMaps" || collection === "certificates";
  return name !== link && isKnown ? name : undefined;
}

interface CertificateManagerPlace {
  readonly location: string;
  readonly collection: "certificateMaps" | "certificates";
}

/** Returns the place of a map or certificate. @param name a result of {@link certificateManagerName} */
export function placeOfName(name: string): CertificateManagerPlace {
  const { location = "", collection } = parseLocatedName(name) ?? {};
  return { location, collection: collection === "certificates" ? "certificates" : "certificateMaps" };
}

/** Returns the paths, and names in other services, to which a resource refers. None of them can be deleted. */
export function referencesOf(collection: ComputeCollection, resource: Json): readonly string[] {
  switch (collection) {
    case "targetHttpsProxies":
    case "targetHttpProxies":
    case "targetSslProxies":
      return targets([
        resource.urlMap,
        resource.service,
        resource.certificateMap,
        resource.sslCertificates,
        resource.sslPolicy,
        resource.serverTlsPolicy,
      ]);
    case "forwardingRules":
      return targets([resource.target]);
    case "urlMaps":
      return servicesOf(resource).map(pathOfLink);
    case "backendServices":
      return targets([resource.healthChecks]);
    default:
      return [];
  }
}

function targets(values: readonly unknown[]): readonly string[] {
  return values
    .flat()
    .filter((value) => typeof value === "string")
    .map((link) => certificateManagerName(link) ?? serverTlsPolicyName(link) ?? pathOfLink(link));
}

const serviceMembers = ["defaultService", "service", "backendService"];

/** Returns the links to all services in a URL map, at any depth. */
export function servicesOf(urlMap: Json): readonly string[] {
  const found = new Set<string>();
  mapServices(urlMap, (link) => {
    found.add(link);
    return link;
  });
  return [...found];
}

/** Returns a URL map with changed links to its services. @param place for example `pathMatchers[0].defaultService` */
export function mapServices(urlMap: Json, change: (link: string, place: string) => string): Json {
  return mapMembers(urlMap, "", change) as Json;
}

function mapMembers(value: unknown, place: string, change: (link: string, place: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapMembers(item, `${place}[${index}]`, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const at = place === "" ? key : `${place}.${key}`;
    const isService = serviceMembers.includes(key) && typeof inner === "string";
    return [key, isService ? change(inner, at) : mapMembers(inner, at, change)];
  });
  return Object.fromEntries(entries);
}
