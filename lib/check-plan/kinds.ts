import { type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { type CertificateFacts, readCertificateChain } from "../x509";
import { bareName } from "./names";
import type { Change } from "./plan-json";
import { classicTypes, types } from "./resource-types";

export { addressTypes, classicTypes, forwardingRuleTypes, proxyTypes, sslPolicyTypes, types } from "./resource-types";

export function isCertificateType(type: string): boolean {
  return type === types.certificate || classicTypes.has(type);
}

/** Returns whether the apply creates the resource, as a new one or as a replacement. */
export function isCreated({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "createThenDelete" || action === "deleteThenCreate";
}

/** Returns whether a resource does not exist after the apply, or for a time during the apply. */
export function isDeleted({ action, deposed }: Change): boolean {
  return !deposed && (action === "delete" || action === "deleteThenCreate");
}

/** Returns whether the apply deletes a resource, also to replace it. */
export function isDestroyed({ action }: Change): boolean {
  return action === "delete" || action === "deleteThenCreate" || action === "createThenDelete";
}

/** Returns whether a resource is updated in place, or replaced after its successor was created. */
export function isChangedWithoutGap({ action, deposed }: Change): boolean {
  return !deposed && (action === "update" || action === "createThenDelete");
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
  const { pem_certificate: pem, certificate_pem: old } = fieldsOf(listOf(uploaded)[0]);
  return [certificate, pem, old].find((text): text is string => typeof text === "string" && text !== "");
}

const leavesKnown = new WeakMap<Fields, CertificateFacts | "none">();

/** Returns the first certificate of an uploaded chain; undefined if it cannot be read. */
export function uploadedLeaf(values: Fields): CertificateFacts | undefined {
  const known = leavesKnown.get(values);
  if (known !== undefined) return known === "none" ? undefined : known;
  const pem = uploadedPem(values);
  const leaf = pem === undefined ? undefined : readCertificateChain(pem).leaf;
  leavesKnown.set(values, leaf ?? "none");
  return leaf;
}
