import { error, info, warning } from "../../findings/codes";

/**
 * Reasons why a step of a hostname is not done, by code. Failed records, certificates, entries and handshakes have the
 * codes of the commands that examine them in detail: `records`, `wait` and `verify`.
 */
export const statusCodes = {
  "certificate-id-unknown": warning(
    "the certificate is unknown: the migration has no project",
    "add --project, or read the migration from --outputs",
  ),
  "certificate-not-made": info("the certificate does not exist yet", "terraform apply"),
  "authorization-not-made": info("the DNS authorization of the domain does not exist yet", "terraform apply"),
  "phase-issue": info(
    "the migration is in its first phase, which creates certificates and no entries",
    "once the certificates are active, set phase to serve and apply",
  ),
  "map-not-made": info("the certificate map does not exist yet", "terraform apply"),
  "entry-not-made": info("the map has no entry for the hostname yet", "terraform apply"),
  "entry-foreign": error(
    "an entry that is not part of this migration has the hostname",
    "import that entry, or delete it if it serves no clients",
  ),
  "entry-other-certificate": warning(
    "the entry of the hostname has another certificate than the plan",
    "terraform apply: Terraform replaces the previous certificate when the new certificate is active",
  ),
  "map-not-attached": info(
    "the map is not attached to every target proxy of the plan",
    "attach the map to the target proxy: terraform apply, or set certificate_map in the configuration of the proxy",
  ),
  "attachment-unseen": info(
    "Certificate Manager does not list the proxies of certificates without a map",
    "verify: cert-migration verify",
  ),
  "not-verified": info(
    "the hostname is not verified: only a handshake shows whether it is served",
    "use --verify-now, or pass the result of 'cert-migration verify --json' with --verify",
  ),
  "not-verified-everywhere": warning(
    "the hostname was not verified at every address of the load balancer",
    "verify the addresses that the message lists",
  ),
  "verification-outdated": warning(
    "the map entry was changed after the hostname was verified",
    "verify again: cert-migration verify",
  ),
  "addresses-unknown": info(
    "the addresses of the load balancer are unknown",
    "read the migration from --outputs, or add the addresses to it",
  ),
  "address-unanswered": warning(
    "the DNS look-up of the hostname failed",
    "retry; if the look-up still fails, fix the zone's delegation or name servers",
  ),
  "address-missing": warning(
    "the hostname has no address",
    "publish an address, or remove the hostname from the migration",
  ),
  "traffic-elsewhere": info(
    "the hostname does not point to the load balancer",
    "verify, then set traffic.to to loadBalancer and apply",
  ),
  "traffic-split": error(
    "the hostname points to the load balancer and to another server",
    "point all of its A and AAAA records to the same destination: clients use any of the addresses",
  ),
} as const;

/** A code of {@link statusCodes}. */
export type StatusOwnCode = keyof typeof statusCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof statusCodes, true> {}
}
