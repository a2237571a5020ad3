import { X509Certificate } from "node:crypto";
import { parseLocatedName } from "../../resource-names";
import { type CertificateFacts, keyMatches, readCertificateChain } from "../../x509";
import { CloudError } from "../cloud-error";
import { type Call, invalidField, type Json } from "../front";
import type { DnsAuthorizationResource } from "./dns-authorizations";
import { baseOf, isDomain, locationOf, locationPart } from "./names";

export interface AuthorizationAttemptInfo extends Json {
  readonly domain: string;
  readonly state: "AUTHORIZING" | "AUTHORIZED" | "FAILED";
  readonly failureReason?: "CONFIG" | "CAA" | "RATE_LIMITED";
  readonly details?: string;
  readonly attemptTime?: string;
}

export interface ManagedCertificate extends Json {
  readonly domains: readonly string[];
  /** Empty for a certificate of a private CA, and for load balancer authorization. */
  readonly dnsAuthorizations: readonly string[];
  readonly issuanceConfig?: string;
  readonly state: "PROVISIONING" | "ACTIVE" | "FAILED";
  readonly authorizationAttemptInfo?: readonly AuthorizationAttemptInfo[];
}

/** A certificate as the API returns it, but without `usedBy`. */
export interface CertificateResource extends Json {
  readonly name: string;
  readonly createTime: string;
  readonly scope?: string;
  readonly managed?: ManagedCertificate;
  readonly selfManaged?: Json;
  readonly pemCertificate?: string;
  readonly expireTime?: string;
  readonly sanDnsnames?: readonly string[];
}

/** Chain and key that a load balancer presents; the API never returns them. */
export interface KeyMaterial {
  /** Certificate chain, leaf first. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

const mostDomains = 100;
const scopes = new Set(["DEFAULT", "EDGE_CACHE", "ALL_REGIONS", "CLIENT_AUTH"]);

interface ManagedReferences {
  readonly authorization: (name: string) => DnsAuthorizationResource | undefined;
  readonly hasIssuanceConfig: (name: string) => boolean;
}

export function newCertificate(
  call: Call,
  name: string,
  references: ManagedReferences,
): { readonly certificate: Json; readonly keys?: KeyMaterial } {
  const { managed, selfManaged, managedIdentity } = call.body;
  const kinds = [managed, selfManaged, managedIdentity].filter((kind) => kind !== undefined && kind !== null);
  if (kinds.length !== 1) throw invalidField("certificate", "exactly one of managed and self_managed is required");
  if (managedIdentity !== undefined && managedIdentity !== null)
    throw new CloudError("UNIMPLEMENTED", "the rehearsal cloud does not emulate managed identity certificates");
  const { scope: given, ...rest } = call.body;
  const scope = scopeOf(given, name);
  // The service omits the first value of every enumeration.
  const common = { ...rest, name, ...(scope === "DEFAULT" ? {} : { scope }) };
  if (selfManaged !== undefined && selfManaged !== null) {
    const { facts, keys } = readUpload(selfManaged as Json);
    return { certificate: { ...common, selfManaged: {}, ...facts }, keys };
  }
  return {
    certificate: {
      ...common,
      managed: newManaged(managed as Json, name, scope, references),
      sanDnsnames: domainsOf(managed as Json),
    },
  };
}

function scopeOf(given: unknown, name: string): string {
  const scope = typeof given === "string" ? given : "DEFAULT";
  if (!scopes.has(scope)) throw invalidField("certificate.scope", `'${scope}' is not one of ${[...scopes].join(", ")}`);
  if (scope !== "DEFAULT" && locationOf(name).location !== "global")
    throw invalidField(
      "certificate.scope",
      `${scope} is for global certificates; a regional one has the scope DEFAULT`,
    );
  return scope;
}

function domainsOf(managed: Json): readonly string[] {
  return (managed.domains ?? []) as readonly string[];
}

function newManaged(
  managed: Json,
  name: string,
  scope: string,
  { authorization, hasIssuanceConfig }: ManagedReferences,
): ManagedCertificate {
  const domains = domainsOf(managed);
  const dnsAuthorizations = (managed.dnsAuthorizations ?? []) as readonly string[];
  const field = "certificate.managed.domains";
  if (domains.length === 0 || domains.length > mostDomains)
    throw invalidField(field, `has ${domains.length} domains; 1 to ${mostDomains} are allowed`);
  if (new Set(domains).size !== domains.length) throw invalidField(field, "names a domain twice");
  for (const domain of domains) {
    if (!isDomain(baseOf(domain)))
      throw invalidField(
        field,
        `'${domain.slice(0, 300)}' is not a fully qualified domain name, nor one with '*.' before it`,
      );
  }
  if (managed.issuanceConfig !== undefined) {
    if (dnsAuthorizations.length > 0)
      throw invalidField("certificate.managed", "has both dns_authorizations and issuance_config");
    checkIssuanceConfig(String(managed.issuanceConfig), name, hasIssuanceConfig);
    return { ...managed, domains, dnsAuthorizations, state: "PROVISIONING" };
  }
  if (dnsAuthorizations.length === 0) checkLoadBalancerAuthorization(domains, name, scope);
  else checkAuthorizations(domains, dnsAuthorizations, name, authorization);
  return {
    ...managed,
    domains,
    dnsAuthorizations,
    state: "PROVISIONING",
    authorizationAttemptInfo: domains.map((domain) => ({ domain, state: "AUTHORIZING" })),
  };
}

function checkIssuanceConfig(config: string, certificate: string, hasIssuanceConfig: (name: string) => boolean): void {
  const field = "certificate.managed.issuance_config";
  if (parseLocatedName(config)?.collection !== "certificateIssuanceConfigs") {
    const form = "projects/PROJECT/locations/LOCATION/certificateIssuanceConfigs/NAME";
    throw invalidField(field, `'${config.slice(0, 300)}' is not ${form}`);
  }
  const location = locationPart(certificate);
  if (!config.startsWith(`${location}/`)) throw invalidField(field, `'${config}' is not in ${location}`);
  if (!hasIssuanceConfig(config)) throw invalidField(field, `'${config}' does not exist`);
}

function checkLoadBalancerAuthorization(domains: readonly string[], certificate: string, scope: string): void {
  const field = "certificate.managed.dns_authorizations";
  const wildcard = domains.find((domain) => domain.startsWith("*."));
  if (wildcard !== undefined)
    throw invalidField(field, `the wildcard ${wildcard} needs a DNS authorization: a load balancer can't validate it`);
  if (locationOf(certificate).location !== "global" || scope === "ALL_REGIONS")
    throw invalidField(
      field,
      "load balancer authorization is for global certificates with the scope DEFAULT or EDGE_CACHE",
    );
}

function checkAuthorizations(
  domains: readonly string[],
  names: readonly string[],
  certificate: string,
  authorization: (name: string) => DnsAuthorizationResource | undefined,
): void {
  const field = "certificate.managed.dns_authorizations";
  const location = locationPart(certificate);
  const covered = new Set<string>();
  for (const name of names) {
    if (parseLocatedName(name)?.collection !== "dnsAuthorizations")
      throw invalidField(
        field,
        `'${name.slice(0, 300)}' is not projects/PROJECT/locations/LOCATION/dnsAuthorizations/NAME`,
      );
    if (!name.startsWith(`${location}/`)) throw invalidField(field, `'${name}' is not in ${location}`);
    const found = authorization(name);
    if (found === undefined) throw invalidField(field, `'${name}' does not exist`);
    if (covered.has(found.domain)) throw invalidField(field, `two authorizations are for '${found.domain}'`);
    covered.add(found.domain);
  }
  const missing = [...new Set(domains.map(baseOf))].filter((domain) => !covered.has(domain));
  if (missing.length > 0) throw invalidField(field, `no authorization is for ${missing.slice(0, 10).join(", ")}`);
}

export function readUpload(selfManaged: Json): { readonly facts: Json; readonly keys: KeyMaterial } {
  const { pemCertificate, pemPrivateKey } = selfManaged;
  const field = "certificate.self_managed";
  if (typeof pemCertificate !== "string" || pemCertificate === "")
    throw invalidField(`${field}.pem_certificate`, "is required");
  if (typeof pemPrivateKey !== "string" || pemPrivateKey === "")
    throw invalidField(`${field}.pem_private_key`, "is required");
  const { leaf, certificates, problems } = readCertificateChain(pemCertificate);
  const problem = problems[0];
  if (leaf === undefined || problem !== undefined)
    throw invalidField(
      `${field}.pem_certificate`,
      problem?.message ?? "holds no certificate that a server could present",
    );
  if (keyMatches(leaf.pem, pemPrivateKey) !== "matches")
    throw invalidField(`${field}.pem_private_key`, "is not the key of the certificate");
  const chain = chainFrom(leaf, certificates);
  const expireTime = leaf.notAfter.toISOString();
  const chainPem = chain.map((certificate) => certificate.toString()).join("");
  return {
    facts: { pemCertificate, expireTime, sanDnsnames: dnsNamesOf(chain[0]) },
    keys: { chainPem, privateKeyPem: pemPrivateKey },
  };
}

function dnsNamesOf(certificate: X509Certificate | undefined): readonly string[] {
  return [...(certificate?.subjectAltName ?? "").matchAll(/DNS:([^\s,]+)/g)].map((match) => match[1] ?? "");
}

/** Returns the chain, leaf first, then each issuer. Uploads may have any order and extra certificates. */
function chainFrom(leaf: CertificateFacts, certificates: readonly CertificateFacts[]): readonly X509Certificate[] {
  let left = certificates.map(({ pem }) => new X509Certificate(pem));
  const chain: X509Certificate[] = [];
  let next = left[certificates.findIndex(({ fingerprintSha256 }) => fingerprintSha256 === leaf.fingerprintSha256)];
  while (next !== undefined) {
    const current = next;
    chain.push(current);
    left = left.filter(({ fingerprint256 }) => fingerprint256 !== current.fingerprint256);
    next = left.find((issuer) => current.checkIssued(issuer));
  }
  return chain;
}
