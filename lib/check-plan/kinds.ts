import { type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { type CertificateFacts, readCertificateChain } from "../x509";
import { bareName } from "./names";
import type { Change } from "./plan-json";

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

/** Certificates of Compute Engine, which proxies have directly. */
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

export function isCertificateType(type: string): boolean {
  return type === types.certificate || classicTypes.has(type);
}

/** Whether the resource is new, or put in another's place. */
export function isMade({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "createThenDelete" || action === "deleteThenCreate";
}

/** Reports whether a resource does not exist after the apply, or for a while during it. */
export function isDeleted({ action, deposed }: Change): boolean {
  return !deposed && (action === "delete" || action === "deleteThenCreate");
}

export function isUploaded(type: string, values: Fields): boolean {
  if (classicTypes.has(type)) return type !== "google_compute_managed_ssl_certificate";
  return listOf(values.self_managed).length > 0;
}

/** State of a certificate; one that is uploaded is active as soon as it is there. A managed one of Compute Engine shows it by its expiry. */
export function stateOf(type: string, values: Fields): string | undefined {
  if (isUploaded(type, values)) return "ACTIVE";
  if (classicTypes.has(type)) {
    if (typeof values.expire_time !== "string") return undefined;
    return values.expire_time === "" ? "PROVISIONING" : "ACTIVE";
  }
  const { state } = fieldsOf(listOf(values.managed)[0]);
  return typeof state === "string" && state !== "" ? state : "PROVISIONING";
}

/** The hostname of an entry, or `PRIMARY`. */
export function hostnameOf(values: Fields): string {
  return typeof values.hostname === "string" && values.hostname !== "" ? bareName(values.hostname) : "PRIMARY";
}

/** Whether a value, or a part of it, is known only in the apply. */
export function hasUnknown(unknown: unknown): boolean {
  return unknown === true || (Array.isArray(unknown) && unknown.some(hasUnknown));
}

const domainsKnown = new WeakMap<Fields, readonly string[]>();

/** Returns the domains of a certificate; for an uploaded certificate, the names in its PEM. */
export function domainsOf(values: Fields): readonly string[] {
  const known = domainsKnown.get(values);
  if (known !== undefined) return known;
  const { domains: managed } = fieldsOf(listOf(values.managed)[0]);
  const stated = [managed, values.san_dnsnames, values.subject_alternative_names].flatMap(textsOf).map(bareName);
  const found = stated.length > 0 ? stated : (uploadedLeaf(values)?.dnsNames ?? []);
  domainsKnown.set(values, found);
  return found;
}

/** What was uploaded as a certificate, in PEM; `undefined` where that is nothing, or not known yet. */
export function uploadedPem({ certificate, self_managed: uploaded }: Fields): string | undefined {
  const { pem_certificate: pem, certificate_pem: old } = fieldsOf(listOf(uploaded)[0]);
  return [certificate, pem, old].find((one): one is string => typeof one === "string" && one !== "");
}

const leavesKnown = new WeakMap<Fields, CertificateFacts | "none">();

/** The certificate that was uploaded, without those behind it; `undefined` where it can't be read. */
export function uploadedLeaf(values: Fields): CertificateFacts | undefined {
  const known = leavesKnown.get(values);
  if (known !== undefined) return known === "none" ? undefined : known;
  const pem = uploadedPem(values);
  const leaf = pem === undefined ? undefined : readCertificateChain(pem).leaf;
  leavesKnown.set(values, leaf ?? "none");
  return leaf;
}
