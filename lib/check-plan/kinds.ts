import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { splitProject } from "../resource-names";
import type { CertificateFacts } from "../x509";
/** Types of resources in plans. Other DNS providers have the types of Cloud DNS after `asCloudDns`. */
export const types = {
  authorization: "google_certificate_manager_dns_authorization",
  certificate: "google_certificate_manager_certificate",
  map: "google_certificate_manager_certificate_map",
  entry: "google_certificate_manager_certificate_map_entry",
  record: "google_dns_record_set",
  zone: "google_dns_managed_zone",
  issuanceConfig: "google_certificate_manager_certificate_issuance_config",
  trustConfig: "google_certificate_manager_trust_config",
  serverTlsPolicy: "google_network_security_server_tls_policy",
  backendAuthentication: "google_network_security_backend_authentication_config",
  edgeCacheService: "google_network_services_edge_cache_service",
} as const;

/** SSL policies: the TLS versions and ciphers of proxies. */
export const sslPolicyTypes = ["google_compute_ssl_policy", "google_compute_region_ssl_policy"] as const;

/** Certificates of Compute Engine, which proxies use without a map. */
export const classicTypes: ReadonlySet<string> = new Set([
  "google_compute_managed_ssl_certificate",
  "google_compute_ssl_certificate",
  "google_compute_region_ssl_certificate",
]);

export const proxyTypes: ReadonlySet<string> = new Set([
  "google_compute_target_https_proxy",
  "google_compute_target_ssl_proxy",
  "google_compute_region_target_https_proxy",
]);

export const forwardingRuleTypes: ReadonlySet<string> = new Set([
  "google_compute_global_forwarding_rule",
  "google_compute_forwarding_rule",
]);

export const addressTypes: ReadonlySet<string> = new Set(["google_compute_global_address", "google_compute_address"]);

/** Loads the reader of certificates: most plans have neither a PEM nor CAA records. */
export const x509 = (): typeof import("../x509") => require("../x509");

/** Returns a DNS name for comparisons: in lower case, without the final dot. */
export function bareName(name: unknown): string {
  return asText(name ?? "")
    .toLowerCase()
    .replace(/\.$/, "");
}

/** Returns whether an entry or certificate for a pattern serves a name: equal, or a wildcard for one label. */
export function serves(pattern: string, name: string): boolean {
  return pattern === name || pattern === wildcardAbove(name);
}

/** Returns the wildcard that matches a name; undefined for a wildcard. */
export function wildcardAbove(name: string): string | undefined {
  const dot = name.indexOf(".");
  return name.startsWith("*.") || dot === -1 ? undefined : `*${name.slice(dot)}`;
}

/** Returns a domain, without the `*.` of a wildcard, and all of its parent domains. */
export function domainsAbove(domain: string): readonly string[] {
  const labels = domain.replace(/^\*\./, "").split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The id of a resource of Google Cloud, for comparisons. */
export interface ResourceName {
  /** Absent if it is unknown, or a project number, which services write in place of the id. */
  readonly project?: string;
  /** The name without its project, as in `locations/global/certificates/c`. */
  readonly path: string;
}

/** @param id with or without the address of the service; a bare name is the path */
export function resourceName(id: string, project?: unknown): ResourceName {
  const named = splitProject(id);
  const owner = named?.project ?? (typeof project === "string" ? project : "");
  const path = named?.path ?? id;
  return owner === "" || /^\d+$/.test(owner) ? { path } : { project: owner, path };
}

/** Returns whether two ids may belong to the same resource. An unknown project matches any project. */
export function isSame(a: ResourceName, b: ResourceName): boolean {
  return a.path === b.path && (a.project === undefined || b.project === undefined || a.project === b.project);
}

export function hasId(ids: readonly string[], id: string): boolean {
  return ids.some((candidate) => isSame(resourceName(candidate), resourceName(id)));
}

export function isCertificateType(type: string): boolean {
  return type === types.certificate || classicTypes.has(type);
}

export function isUploaded(type: string, values: Fields): boolean {
  if (classicTypes.has(type)) return type !== "google_compute_managed_ssl_certificate";
  return listOf(values.self_managed).length > 0;
}

/**
 * Returns the state of a certificate. An uploaded certificate is always ACTIVE; a managed certificate of Compute Engine
 * is ACTIVE if it has an expiry.
 */
export function stateOf(type: string, values: Fields): string | undefined {
  if (isUploaded(type, values)) return "ACTIVE";
  if (classicTypes.has(type)) {
    if (typeof values.expire_time !== "string") return undefined;
    return values.expire_time === "" ? "PROVISIONING" : "ACTIVE";
  }
  const { state } = managedOf(values);
  return typeof state === "string" && state !== "" ? state : "PROVISIONING";
}

/** Returns the hostname of an entry, or `PRIMARY`. */
export function hostnameOf(values: Fields): string {
  return typeof values.hostname === "string" && values.hostname !== "" ? bareName(values.hostname) : "PRIMARY";
}

/** Returns whether a value, or a part of it, is unknown before the apply. */
export function hasUnknown(unknown: unknown): boolean {
  return unknown === true || (Array.isArray(unknown) && unknown.some(hasUnknown));
}

/** Returns the block of a managed certificate; empty for other certificates. */
export function managedOf({ managed }: Fields): Fields {
  return fieldsOf(listOf(managed)[0]);
}

/** Returns the issuance config of a certificate of a private CA; undefined without one, or if it is unknown. */
export function issuanceConfigOf(values: Fields): string | undefined {
  const { issuance_config: config } = managedOf(values);
  return typeof config === "string" && config !== "" ? config : undefined;
}

const domainsKnown = new WeakMap<Fields, readonly string[]>();

/** Returns the domains of a certificate; for an uploaded certificate, the names in its PEM. */
export function domainsOf(values: Fields): readonly string[] {
  const known = domainsKnown.get(values);
  if (known !== undefined) return known;
  const { domains: managed } = managedOf(values);
  // The state can have the names of the previous PEM until the apply of an update in place.
  const uploaded = uploadedLeaf(values)?.dnsNames ?? [];
  const stated = [managed, values.san_dnsnames, values.subject_alternative_names].flatMap(textsOf).map(bareName);
  const found = uploaded.length > 0 ? uploaded : [...new Set(stated)];
  domainsKnown.set(values, found);
  return found;
}

/** Returns the PEM of an uploaded certificate; undefined for other certificates, or if it is unknown. */
export function uploadedPem({ certificate, self_managed: uploaded }: Fields): string | undefined {
  const { pem_certificate: pem, certificate_pem: former } = fieldsOf(listOf(uploaded)[0]);
  return [certificate, pem, former].find((text): text is string => typeof text === "string" && text !== "");
}

const leavesKnown = new WeakMap<Fields, CertificateFacts | "none">();

/** Returns the first certificate of an uploaded chain; undefined if it cannot be read. */
export function uploadedLeaf(values: Fields): CertificateFacts | undefined {
  const known = leavesKnown.get(values);
  if (known !== undefined) return known === "none" ? undefined : known;
  const pem = uploadedPem(values);
  const leaf = pem === undefined ? undefined : x509().readCertificateChain(pem).leaf;
  leavesKnown.set(values, leaf ?? "none");
  return leaf;
}

/** `["a"]` or `[0]` after a name. */
const key = /\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/;
const keys = new RegExp(key.source, "g");
const part = new RegExp(`^(?:module\\.[^.[]+|(?:data\\.)?[^.[]+\\.[^.[]+)(${key.source})?(?:\\.|$)`);
const named = new RegExp(`^([^.[]+)(${key.source})?(?:\\[[^\\]]*\\])*(?:\\.|$)`);

/** Returns an address without instance keys, as configurations contain it: `a.b` for `a.b[0]`. */
export function withoutKeys(address: string): string {
  return address.includes("[") ? address.replace(keys, "") : address;
}

/** Returns the resource type in an address without keys. */
export function typeOf(bare: string): string {
  return bare.replace(/^(?:module\.[^.]+\.)*(?:data\.)?/, "").replace(/\..*$/, "");
}

/**
 * Returns the instance keys in an address, with their brackets: the keys of the modules, outermost first, then the key
 * of the resource. A missing key is an empty string.
 */
export function keysOf(address: string): readonly string[] {
  const found: string[] = [];
  for (let rest = address; rest !== ""; ) {
    const match = part.exec(rest);
    if (match === null) return found;
    found.push(match[1] ?? "");
    rest = rest.slice(match[0].length);
  }
  return found;
}

/** Matches the first name of a path, its key in brackets (or an empty string), and the rest. */
export function nameWithKey(
  path: string,
): { readonly name: string; readonly key: string; readonly rest: string } | undefined {
  const match = named.exec(path);
  return match === null ? undefined : { name: match[1] ?? "", key: match[2] ?? "", rest: path.slice(match[0].length) };
}
