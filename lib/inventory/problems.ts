import { type CodeTable, error, info, warning } from "../findings/codes";
import { findingsOf } from "../findings/finding";

/** Lists the problems and unusual properties of a certificate itself, wherever it was found. */
export const certificateProblems = {
  expired: error(
    "the certificate has expired",
    "if a server still presents it, renew it there or move its names first; otherwise delete the file. A managed certificate for its names can still be issued",
  ),
  "expires-soon": warning(
    "the certificate expires within 30 days",
    "finish the migration before that, or have it renewed first",
  ),
  "not-yet-valid": error(
    "the certificate is not valid yet",
    "check the clock of this machine; if it is right, serve the previous certificate until this certificate is valid, and leave this file out until then",
  ),
  "ip-address": warning(
    "the certificate is for an IP address, which managed certificates don't support",
    "change its clients to a name, or upload a certificate with the address",
  ),
  "no-domains": warning("the certificate has no hostname", "leave the file out: it has nothing to migrate"),
  "name-not-ascii": warning(
    "a name of the certificate is not in ASCII, and no client accepts the certificate for it",
    "if the name is in use, add its A-label to the domains",
  ),
  "common-name-apart": warning(
    "the certificate's common name is not among its subject alternative names, and clients ignore the common name",
    "if the name is in use, add it to the domains",
  ),
  "must-staple": info(
    "the certificate requires a stapled OCSP response, which the load balancer does not send",
    "replace it with a managed certificate, which needs no OCSP response, instead of uploading it",
  ),
  "self-signed": warning(
    "the certificate is self-signed: its clients trust only this certificate",
    "configure these clients to trust Google's certificate authorities before traffic moves",
  ),
  "validation-lost": info(
    "the certificate names its owner (OV, IV or EV); a managed certificate contains only the domain",
    "upload an OV, IV or EV certificate if it is required",
  ),
  "weak-key": warning(
    "the certificate's key is too weak to be uploaded",
    "replace it with a managed certificate, or request a certificate with a stronger key",
  ),
} as const satisfies CodeTable;

export type CertificateProblemCode = keyof typeof certificateProblems;

export const problem = findingsOf(certificateProblems);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof certificateProblems, true> {}
}
