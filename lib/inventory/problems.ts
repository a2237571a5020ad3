import { type CodeTable, error, info, warning } from "../findings/codes";
import { findingsOf } from "../findings/finding";

/** Lists the problems and unusual properties of a certificate itself, wherever it was found. */
export const certificateProblems = {
  expired: error(
    "the certificate is not valid any more",
    "if a server still presents it, renew it there or move its names first; otherwise delete the file. A managed certificate for its names can be issued all the same",
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
    "the certificate is for an IP address, which no managed certificate is for",
    "let its clients use a name, or upload a certificate with the address",
  ),
  "no-domains": warning("the certificate names no host", "leave it out: there is nothing to migrate"),
  "name-not-ascii": warning(
    "a name of the certificate is not in ASCII, so that no client takes the certificate for it",
    "see whether anybody uses the name; if so, add it to the domains by its A-label",
  ),
  "common-name-apart": warning(
    "the certificate's common name is not among its names, and clients have not accepted it for years",
    "add the name to the domains where anybody relies on it",
  ),
  "must-staple": info(
    "clients want a stapled OCSP answer for the certificate, and the load balancer gives none",
    "replace it by a managed certificate, which needs none, rather than uploading it",
  ),
  "self-signed": warning(
    "the certificate signed itself: its clients trust it alone",
    "let those clients trust Google's authorities before traffic moves",
  ),
  "validation-lost": info(
    "the certificate shows who its owner is (OV, IV or EV), and a managed certificate shows the domain alone",
    "upload a certificate of that kind where somebody insists on it",
  ),
  "weak-key": warning(
    "the certificate's key is too weak to be uploaded",
    "replace it by a managed certificate, or have it issued with a stronger key",
  ),
} as const satisfies CodeTable;

export type CertificateProblemCode = keyof typeof certificateProblems;

export const problem = findingsOf(certificateProblems);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof certificateProblems, true> {}
}
