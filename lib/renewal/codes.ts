import { error, warning } from "../findings/codes";

/** Findings of certificates that serve traffic, about their next renewal or their end, by code. */
export const renewalCodes = {
  "renewal-failing": error(
    "the renewal of a certificate is due, and the CA does not issue it: clients are refused after its end",
    "fix the named cause: cert-migration doctor shows CNAMEs, CAA records and CA pools; the service retries by itself",
  ),
  "renewal-at-risk": warning(
    "the next renewal of a certificate would fail",
    "fix the named cause before the renewal is due: cert-migration doctor shows CNAMEs, CAA records and CA pools",
  ),
  "renewal-overdue": warning(
    "the service should have renewed the certificate by now, and reports no failed attempt",
    "fix the named cause; without a named cause, check its CNAMEs and CAA records: cert-migration records --check and cert-migration doctor",
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
