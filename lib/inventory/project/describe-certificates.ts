import { defined } from "../../json/defined";
import { type Fields, fieldsOf, listOf, textsOf } from "../../json/fields";
import { lastPart, writeZoneName } from "../../resource-names";
import { type CertificateFacts, readCertificateChain } from "../../x509";
import { commonOf, textOf } from "./describe-balancers";
import type { ProjectCertificate, ProjectCertificateMapEntry, ProjectDomainStatus, ProjectZone } from "./model";

type DescribedCertificate = Omit<ProjectCertificate, "proxyIds">;

/** A certificate with the fingerprint of its leaf, by which a probe recognizes it. */
export interface ReadCertificate {
  readonly certificate: DescribedCertificate;
  /** Lower-case hexadecimal. @default - not issued yet */
  readonly fingerprintSha256?: string;
}

export function describeSslCertificate(given: Fields): ReadCertificate {
  const managed = fieldsOf(given.managed);
  const isManaged = given.type === "MANAGED" || textsOf(managed.domains).length > 0;
  const states = fieldsOf(managed.domainStatus);
  const pem = textOf(given.certificate) ?? textOf(fieldsOf(given.selfManaged).certificate);
  const { described, ...common } = commonOf(given);
  return describe({
    common: { ...common, kind: isManaged ? "computeManaged" : "computeUploaded" },
    described,
    pem,
    domains: isManaged ? textsOf(managed.domains) : textsOf(given.subjectAlternativeNames),
    managed: isManaged
      ? {
          validation: "loadBalancer",
          status: textOf(managed.status) ?? "PROVISIONING",
          domainStatuses: Object.entries(states).map(([domain, status]) => ({ domain, status: String(status) })),
        }
      : undefined,
    expires: textOf(given.expireTime),
  });
}

export function describeManagerCertificate(given: Fields): ReadCertificate {
  const isManaged = given.managed !== undefined;
  const managed = fieldsOf(given.managed);
  const authorizations = textsOf(managed.dnsAuthorizations);
  const scope = textOf(given.scope);
  const { described, ...common } = commonOf({
    ...given,
    selfLink: given.name,
    name: lastPart(textOf(given.name) ?? ""),
  });
  return describe({
    common: { ...common, kind: isManaged ? "managerManaged" : "managerUploaded" },
    described,
    pem: textOf(given.pemCertificate),
    domains: isManaged ? textsOf(managed.domains) : textsOf(given.sanDnsnames),
    managed: isManaged
      ? {
          validation:
            textOf(managed.issuanceConfig) !== undefined
              ? "privateCa"
              : authorizations.length > 0
                ? "dns"
                : "loadBalancer",
          status: textOf(managed.state) ?? "PROVISIONING",
          domainStatuses: listOf(managed.authorizationAttemptInfo).map((attempt) => {
            const { domain, state } = fieldsOf(attempt);
            return { domain: textOf(domain) ?? "", status: textOf(state) ?? "AUTHORIZING" };
          }),
        }
      : undefined,
    expires: textOf(given.expireTime),
    authorizations,
    ...defined({ issuanceConfigId: textOf(managed.issuanceConfig), scope: scope === "DEFAULT" ? undefined : scope }),
  });
}

interface Parts {
  readonly common: Pick<ProjectCertificate, "id" | "name" | "kind" | "region">;
  readonly described: Pick<ProjectCertificate, "description">;
  readonly pem: string | undefined;
  readonly domains: readonly string[];
  /** Undefined for an uploaded certificate. */
  readonly managed: (Pick<ProjectCertificate, "status" | "domainStatuses" | "validation"> & object) | undefined;
  /** End of validity as the service reports it; the certificate itself takes precedence. */
  readonly expires: string | undefined;
  readonly authorizations?: readonly string[];
  readonly issuanceConfigId?: string;
  readonly scope?: string;
}

function describe(parts: Parts): ReadCertificate {
  const { common, described, pem, domains, managed, expires, authorizations = [], issuanceConfigId, scope } = parts;
  const leaf = pem === undefined ? undefined : leafOf(pem);
  const known = managed === undefined && leaf !== undefined ? leaf.dnsNames : domains;
  const certificate: DescribedCertificate = {
    ...common,
    domains: [...new Set(known.map(bare))].sort(),
    renewedBy: managed === undefined ? "you" : "google",
    ...defined({ validation: managed?.validation }),
    status: managed?.status ?? "ACTIVE",
    domainStatuses: sortedByDomain(managed?.domainStatuses ?? []),
    ...issued(leaf, expires),
    ...defined({ scope }),
    dnsAuthorizationIds: authorizations,
    ...defined({ issuanceConfigId }),
    ...described,
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
    id: textOf(entry.name) ?? "",
    name: lastPart(textOf(entry.name) ?? ""),
    hostname: bare(textOf(entry.hostname) ?? "") || "PRIMARY",
    state: textOf(entry.state) ?? "PENDING",
    certificateIds: textsOf(entry.certificates),
  };
}

export function describeZone(zone: Fields, project: string): ProjectZone {
  const name = textOf(zone.name) ?? "";
  return {
    id: writeZoneName({ project, zone: name }),
    name,
    project,
    dnsName: bare(textOf(zone.dnsName) ?? ""),
    visibility: zone.visibility === "private" ? "private" : "public",
  };
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
