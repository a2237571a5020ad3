import { defined } from "../../json/defined";
import { type Fields, fieldsOf, listOf, textsOf } from "../../json/fields";
import type {
  ProjectCertificate,
  ProjectCertificateMapEntry,
  ProjectDomainStatus,
  ProjectProvisioningIssue,
  ProjectZone,
} from "../../project-inventory";
import { lastPart, writeZoneName } from "../../resource-names";
import { type CertificateFacts, readCertificateChain } from "../../x509";
import { commonOf, optionalText } from "./describe-balancers";

type DescribedCertificate = Omit<ProjectCertificate, "proxyIds">;

/** A certificate with the fingerprint of its leaf, by which a probe recognizes it. */
export interface CertificateDescription {
  readonly certificate: DescribedCertificate;
  /** Lower-case hexadecimal. @default - not issued yet */
  readonly fingerprintSha256?: string;
}

/**
 * Reasons in the words of Certificate Manager, by the states of a domain in Compute that are failures.
 *
 * @see https://cloud.google.com/load-balancing/docs/ssl-certificates/troubleshooting
 */
const failureReasons: Readonly<Record<string, string>> = {
  FAILED_NOT_VISIBLE: "CONFIG",
  FAILED_CAA_CHECKING: "CAA",
  FAILED_CAA_FORBIDDEN: "CAA",
  FAILED_RATE_LIMITED: "RATE_LIMITED",
};

export function describeSslCertificate(given: Fields): CertificateDescription {
  const managed = fieldsOf(given.managed);
  const isManaged = given.type === "MANAGED" || textsOf(managed.domains).length > 0;
  const states = fieldsOf(managed.domainStatus);
  const pem = optionalText(given.certificate) ?? optionalText(fieldsOf(given.selfManaged).certificate);
  const { described, ...common } = commonOf(given);
  return describe({
    common: { ...common, kind: isManaged ? "computeManaged" : "computeUploaded", ...described },
    pem,
    domains: isManaged ? textsOf(managed.domains) : textsOf(given.subjectAlternativeNames),
    managed: isManaged
      ? {
          validation: "loadBalancer",
          status: optionalText(managed.status) ?? "PROVISIONING",
          domainStatuses: Object.entries(states).map(([domain, status]) => ({
            domain,
            status: String(status),
            ...defined({ failureReason: failureReasons[String(status)] }),
          })),
        }
      : undefined,
    expires: optionalText(given.expireTime),
  });
}

export function describeManagerCertificate(given: Fields): CertificateDescription {
  const isManaged = given.managed !== undefined;
  const managed = fieldsOf(given.managed);
  const authorizations = textsOf(managed.dnsAuthorizations);
  const scope = optionalText(given.scope);
  const { described, ...common } = commonOf({
    ...given,
    selfLink: given.name,
    name: lastPart(optionalText(given.name) ?? ""),
  });
  return describe({
    common: { ...common, kind: isManaged ? "managerManaged" : "managerUploaded", ...described },
    pem: optionalText(given.pemCertificate),
    domains: isManaged ? textsOf(managed.domains) : textsOf(given.sanDnsnames),
    managed: isManaged
      ? {
          validation:
            optionalText(managed.issuanceConfig) !== undefined
              ? "privateCa"
              : authorizations.length > 0
                ? "dns"
                : "loadBalancer",
          status: optionalText(managed.state) ?? "PROVISIONING",
          domainStatuses: listOf(managed.authorizationAttemptInfo).map((attempt) => {
            const { domain, state, failureReason, details } = fieldsOf(attempt);
            return {
              domain: optionalText(domain) ?? "",
              status: optionalText(state) ?? "AUTHORIZING",
              ...defined({ failureReason: optionalText(failureReason), details: optionalText(details) }),
            };
          }),
          ...defined({ provisioningIssue: provisioningIssueOf(managed) }),
        }
      : undefined,
    expires: optionalText(given.expireTime),
    authorizations,
    ...defined({
      issuanceConfigId: optionalText(managed.issuanceConfig),
      scope: scope === "DEFAULT" ? undefined : scope,
    }),
  });
}

function provisioningIssueOf(managed: Fields): ProjectProvisioningIssue | undefined {
  if (managed.provisioningIssue === undefined) return undefined;
  const { reason, details } = fieldsOf(managed.provisioningIssue);
  return { reason: optionalText(reason) ?? "REASON_UNSPECIFIED", details: optionalText(details) ?? "" };
}

interface Parts {
  readonly common: Pick<ProjectCertificate, "id" | "name" | "kind" | "region" | "description">;
  readonly pem: string | undefined;
  readonly domains: readonly string[];
  /** Undefined for an uploaded certificate. */
  readonly managed:
    | (Pick<ProjectCertificate, "status" | "domainStatuses" | "provisioningIssue" | "validation"> & object)
    | undefined;
  /** End of validity as the service reports it; the certificate itself takes precedence. */
  readonly expires: string | undefined;
  readonly authorizations?: readonly string[];
  readonly issuanceConfigId?: string;
  readonly scope?: string;
}

function describe(parts: Parts): CertificateDescription {
  const { pem, domains, managed, expires, authorizations = [], issuanceConfigId, scope } = parts;
  const { description, ...common } = parts.common;
  const leaf = pem === undefined ? undefined : leafOf(pem);
  const known = managed === undefined && leaf !== undefined ? leaf.dnsNames : domains;
  const certificate: DescribedCertificate = {
    ...common,
    domains: [...new Set(known.map(bare))].sort(),
    renewedBy: managed === undefined ? "you" : "google",
    ...defined({ validation: managed?.validation }),
    status: managed?.status ?? "ACTIVE",
    domainStatuses: sortedByDomain(managed?.domainStatuses ?? []),
    ...defined({ provisioningIssue: managed?.provisioningIssue }),
    ...issued(leaf, expires),
    ...defined({ scope }),
    dnsAuthorizationIds: authorizations,
    ...defined({ issuanceConfigId }),
    ...defined({ description }),
  };
  return { certificate, ...defined({ fingerprintSha256: leaf?.fingerprintSha256 }) };
}

function leafOf(pem: string): CertificateFacts | undefined {
  const end = "-----END CERTIFICATE-----";
  const first = pem.slice(0, pem.indexOf(end) + end.length);
  const { leaf } = readCertificateChain(first);
  return leaf?.isAuthority === false ? leaf : readCertificateChain(pem).leaf;
}

function issued(leaf: CertificateFacts | undefined, expires: string | undefined) {
  if (leaf !== undefined) {
    const { issuer, serialNumber, notBefore, notAfter } = leaf;
    return { issuer, serialNumber, notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() };
  }
  const time = Date.parse(expires ?? "");
  return Number.isNaN(time) ? {} : { notAfter: new Date(time).toISOString() };
}

function sortedByDomain(statuses: readonly ProjectDomainStatus[]): readonly ProjectDomainStatus[] {
  return [...statuses].sort((a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0));
}

export function describeEntry(entry: Fields): ProjectCertificateMapEntry {
  return {
    id: optionalText(entry.name) ?? "",
    name: lastPart(optionalText(entry.name) ?? ""),
    hostname: bare(optionalText(entry.hostname) ?? "") || "PRIMARY",
    state: optionalText(entry.state) ?? "PENDING",
    certificateIds: textsOf(entry.certificates),
  };
}

export function describeZone(zone: Fields, project: string): ProjectZone {
  const name = optionalText(zone.name) ?? "";
  return {
    id: writeZoneName({ project, zone: name }),
    name,
    project,
    dnsName: bare(optionalText(zone.dnsName) ?? ""),
    visibility: zone.visibility === "private" ? "private" : "public",
  };
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
