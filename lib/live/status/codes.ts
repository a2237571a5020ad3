import { error, info, warning } from "../../findings/codes";

/**
 * Reasons why a step of a hostname is not done, by code. Failed records, certificates, entries and handshakes have the
 * codes of the commands that examine them in detail: `records`, `wait` and `verify`.
 */
export const statusCodes = {
  "certificate-id-unknown": warning(
    "nothing says which certificate it is: the migration names no project",
    "give --project, or read the migration from --outputs",
  ),
  "certificate-not-made": info("the certificate is not there yet", "terraform apply"),
  "authorization-not-made": info("the DNS authorization of the domain is not there yet", "terraform apply"),
  "phase-issue": info(
    "the migration is in its first phase, which makes certificates and no entries",
    "once the certificates are active, set phase to serve and apply",
  ),
  "map-not-made": info("the certificate map is not there yet", "terraform apply"),
  "entry-not-made": info("the map has no entry for the hostname yet", "terraform apply"),
  "entry-foreign": error(
    "an entry that this migration has not made has the hostname",
    "import that entry, or delete it where nothing is served by it",
  ),
  "entry-other-certificate": warning(
    "the entry of the hostname names another certificate than the plan",
    "terraform apply: a new certificate takes the place of the old one once it is active",
  ),
  "map-not-attached": info(
    "no target proxy has the map, or one that the plan names has not",
    "attach the map to the target proxy: terraform apply, or set certificate_map where the proxy is made",
  ),
  "attachment-unseen": info(
    "Certificate Manager does not say which proxies have certificates without a map",
    "verify: cert-migration verify",
  ),
  "not-verified": info(
    "only a handshake tells whether the hostname is served, and none was made or told",
    "give --verify-now, or the result of 'cert-migration verify --json' by --verify",
  ),
  "not-verified-everywhere": warning(
    "the hostname was not verified at every address of the load balancer",
    "verify at those that are named",
  ),
  "verification-outdated": warning(
    "the map entry was changed after the hostname was verified",
    "verify again: cert-migration verify",
  ),
  "addresses-unknown": info(
    "nothing says where the load balancer answers",
    "read the migration from --outputs, or give the addresses in it",
  ),
  "address-unanswered": warning(
    "DNS did not say where the hostname leads",
    "ask again; where it stays so, mend the zone's delegation or name servers",
  ),
  "address-missing": warning(
    "the hostname has no address",
    "nobody reaches it: publish one, or take the hostname out of the migration",
  ),
  "traffic-elsewhere": info(
    "the hostname leads somewhere else than to the load balancer",
    "verify, then set traffic.to to loadBalancer and apply",
  ),
  "traffic-split": error(
    "the hostname leads to the load balancer and somewhere else at once",
    "let all of its A and AAAA records lead to one side: clients choose any of them",
  ),
} as const;

export type StatusOwnCode = keyof typeof statusCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof statusCodes, true> {}
}
