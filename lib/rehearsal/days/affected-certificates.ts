import { fieldsOf, listOf } from "../../json/fields";
import { resourcesOf, type StackJson } from "../stack";

/** Certificates of a stack that a failure can affect. */
export type AffectedCertificates = keyof typeof affected;

interface CertificateTraits {
  /** Whether DNS authorizations validate the domains. */
  readonly isDnsAuthorized: boolean;
  readonly isOfPrivateCa: boolean;
  readonly isUploaded: boolean;
}

/** Each with what a migration without these certificates lacks, and which of the created certificates count. */
const affected = {
  dnsAuthorized: {
    lacked: "managed certificate with a DNS authorization ('kind: managed')",
    includes: ({ isDnsAuthorized }: CertificateTraits) => isDnsAuthorized,
  },
  publicCa: {
    lacked: "managed certificate of a public CA ('kind: managed')",
    includes: ({ isOfPrivateCa, isUploaded }: CertificateTraits) => !isOfPrivateCa && !isUploaded,
  },
  privateCa: {
    lacked: "certificate of a CA pool ('kind: privateCa')",
    includes: ({ isOfPrivateCa }: CertificateTraits) => isOfPrivateCa,
  },
  uploaded: {
    lacked: "uploaded certificate ('kind: selfManaged')",
    includes: ({ isUploaded }: CertificateTraits) => isUploaded,
  },
  created: { lacked: "certificate of its own: all certificates exist already", includes: () => true },
} as const;

/** Returns the certificates that a stack lacks for a failure, in words; undefined if the failure affects one. */
export function lackedCertificates(affects: AffectedCertificates, stack: StackJson): string | undefined {
  const { lacked, includes } = affected[affects];
  const created = Object.values(resourcesOf(stack, "google_certificate_manager_certificate")).map(traitsOf);
  return created.some(includes) ? undefined : lacked;
}

/** Returns whether a stack has an alert policy, whose first incident begins the repair of a failure. */
export function hasAlerts(stack: StackJson): boolean {
  return Object.keys(resourcesOf(stack, "google_monitoring_alert_policy")).length > 0;
}

/** Blocks are objects or lists. */
function traitsOf({ managed: blocks, self_managed: uploaded }: Readonly<Record<string, unknown>>): CertificateTraits {
  const managed = fieldsOf(Array.isArray(blocks) ? blocks[0] : blocks);
  const { dns_authorizations: authorizations, issuance_config: issuanceConfig } = managed;
  return {
    isDnsAuthorized: listOf(authorizations).length > 0,
    isOfPrivateCa: issuanceConfig !== undefined,
    isUploaded: uploaded !== undefined,
  };
}
