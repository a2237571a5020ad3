import { error, info, warning } from "../../findings/codes";

/**
 * Reasons why a certificate or a map entry is not ACTIVE, by code. Reasons without severity `error` resolve on their
 * own, so the wait continues.
 */
export const waitCodes = {
  "certificate-not-there": warning(
    "there is no certificate of that name, or not yet",
    "apply what makes it; where it was applied, look at the project, the location and the spelling of the name",
  ),
  "certificate-provisioning": info(
    "the certificate is being issued or renewed; one that was ACTIVE before goes on serving meanwhile",
    "wait: it takes minutes, and up to an hour after the CNAMEs are seen everywhere",
  ),
  "certificate-failed": error(
    "the certificate has failed, and never recovers by itself",
    "mend the cause, then raise the certificate's 'generation' and apply, so that it is issued anew",
  ),
  "domain-authorizing": info(
    "control over the domain is being checked",
    "see that its CNAME is published: cert-migration records --check; then wait",
  ),
  "domain-config": error(
    "the CNAME of the domain's authorization is missing or wrong",
    "publish it as 'cert-migration records' shows it, dots and all",
  ),
  "domain-caa": error(
    "a CAA record forbids the certificate, or could not be looked up",
    'allow pki.goog, as in: CAA 0 issue "pki.goog", at the domain or the nearest parent that has CAA records',
  ),
  "domain-rate-limited": warning(
    "too many certificates were asked for the domain lately",
    "wait: it is tried again by itself; ask for no others meanwhile",
  ),
  "domain-failed": error(
    "control over the domain could not be checked, for a reason that is not among the known ones",
    "look at what the service says beside it, and at the domain's CNAME: cert-migration records --check",
  ),
  "issuance-authorization": error(
    "the certificate can't be issued because of a domain's authorization",
    "mend the domains that are named",
  ),
  "issuance-rate-limited": warning(
    "the certificate can't be issued now: too many were asked for",
    "wait: it is tried again by itself",
  ),
  "issuance-failed": error(
    "the certificate can't be issued, for a reason that is not among the known ones",
    "look at what the service says beside it",
  ),
  "entry-not-there": warning(
    "there is no map entry of that name, or not yet",
    "apply what makes it; where it was applied, look at the project, the map and the spelling of the name",
  ),
  "entry-pending": info(
    "the map entry is not on every front end yet, so that some clients get no certificate, or the old one",
    "wait: it takes minutes; move no traffic before",
  ),
} as const;

export type WaitCode = keyof typeof waitCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof waitCodes, true> {}
}
