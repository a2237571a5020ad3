import { error, warning } from "../findings/codes";

/** Findings of certificates that serve traffic, about their next renewal or their end, by code. */
export const renewalCodes = {
  "renewal-failing": error(
    "the renewal of a certificate is due, and the CA can't validate its domains: clients are refused after its end",
    "fix the named cause: cert-migration records --check shows the CNAME of each authorization; the service retries by itself",
  ),
  "renewal-at-risk": warning(
    "the CA could not validate a domain of a certificate, or its CNAME is not published: its next renewal would fail",
    "fix the named cause before the renewal is due: cert-migration records --check shows the CNAME of each authorization",
  ),
  "renewal-overdue": warning(
    "the service should have renewed the certificate by now, and reports no reason",
    "check its CNAMEs and CAA records: cert-migration records --check and cert-migration doctor",
  ),
  "uploaded-expires": warning(
    "an uploaded certificate has used two thirds of its lifetime; only its owner can renew it",
    "upload its successor, or let Google issue and renew the certificate",
  ),
  "uploaded-expires-soon": error(
    "an uploaded certificate has used nine tenths of its lifetime; only its owner can renew it",
    "upload its successor now, or let Google issue and renew the certificate",
  ),
  "certificate-ended": error(
    "a certificate has expired: clients refuse it",
    "upload or issue a valid certificate, and let the entries or proxies use it",
  ),
};

export type RenewalCode = keyof typeof renewalCodes;

declare module "../findings/codes" {
  interface Codes extends Record<RenewalCode, true> {}
}
