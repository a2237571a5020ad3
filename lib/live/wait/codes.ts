import { error, info, warning } from "../../findings/codes";

/**
 * Reasons why a certificate or a map entry is not ACTIVE, by code. Reasons without severity `error` resolve on their
 * own, so the wait continues.
 */
export const waitCodes = {
  "certificate-not-there": warning(
    "the certificate does not exist, or not yet",
    "apply the configuration that creates it; if it was applied, check the project, the location and the spelling of the name",
  ),
  "certificate-provisioning": info(
    "the certificate is being issued or renewed; a certificate that was ACTIVE before still serves",
    "wait: issuance takes minutes, up to an hour after the CNAMEs are visible everywhere",
  ),
  "certificate-failed": error(
    "the certificate has failed, and never recovers on its own",
    "fix the cause, then increase the certificate's 'generation' and apply, so that Terraform creates a new certificate",
  ),
  "domain-authorizing": info(
    "control over the domain is being checked",
    "check that its CNAME is published: cert-migration records --check; then wait",
  ),
  "domain-awaits-traffic": warning(
    "the certificate has no DNS authorization: it is issued only after the domain leads to a load balancer that has it on port 443",
    "create a certificate with DNS authorizations instead: moving traffic to this certificate interrupts it until the certificate is ACTIVE",
  ),
  "domain-config": error(
    "the CNAME of the domain's authorization is missing or wrong",
    "publish it exactly as 'cert-migration records' shows it, with its trailing dots",
  ),
  "domain-caa": error(
    "a CAA record forbids the certificate, or could not be looked up",
    'allow pki.goog, as in: CAA 0 issue "pki.goog", at the domain or the nearest parent that has CAA records',
  ),
  "domain-rate-limited": warning(
    "too many certificates were requested for the domain recently",
    "wait: Certificate Manager retries automatically; don't request more certificates in the meantime",
  ),
  "domain-failed": error(
    "control over the domain could not be checked, for an unknown reason",
    "read the details of the service, and check the domain's CNAME: cert-migration records --check",
  ),
  "issuance-authorization": error(
    "the certificate can't be issued because of a domain's authorization",
    "fix the domains that the message lists",
  ),
  "issuance-rate-limited": warning(
    "the certificate can't be issued now: too many certificates were requested",
    "wait: Certificate Manager retries automatically",
  ),
  "issuance-failed": error("the certificate can't be issued, for an unknown reason", "read the details of the service"),
  "entry-not-there": warning(
    "the map entry does not exist, or not yet",
    "apply the configuration that creates it; if it was applied, check the project, the map and the spelling of the name",
  ),
  "entry-pending": info(
    "the map entry has not reached every front end yet: some clients get no certificate, or the previous certificate",
    "wait: it takes minutes; don't move traffic before",
  ),
} as const;

/** A code of {@link waitCodes}. */
export type WaitCode = keyof typeof waitCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof waitCodes, true> {}
}
