import { type CodeTable, error, warning } from "../findings/codes";

/** Codes for certificates, TLS settings and services that a plan changes beside maps, entries and proxies. */
export const servingDangerCodes = {
  "uploaded-certificate-loses-names": error(
    "an uploaded certificate is changed in place, and its new PEM is not for hostnames that it serves: clients refuse it",
    "upload a certificate for all of these hostnames; or add another certificate for them to the entry first",
  ),
  "uploaded-certificate-refused": error(
    "the PEM of an uploaded certificate has a fault because of which clients or the service refuse it",
    "write the certificate of the server first, then its intermediates in their order, as the CA delivers them; RSA keys need 2048 bits or more",
  ),
  "uploaded-certificate-unknown": warning(
    "an uploaded certificate that serves is changed in place, and the plan does not contain the new PEM",
    "check that the new certificate is valid and for the same hostnames; let the plan contain it, for example with file()",
  ),
  "map-switched-unchecked": warning(
    "a target proxy gets its first map, and the plan does not contain the names in its direct certificates",
    "pass what 'terraform output -json' prints for the migration with '--outputs FILE'; or check that the map has an ACTIVE entry for every name of these certificates",
  ),
  "primary-certificate-switched": warning(
    "clients without SNI get a certificate for other names",
    "check with the load balancer's log that no client connects without SNI, or keep a certificate with the previous names for them",
  ),
  "ssl-policy-excludes-key": error(
    "an SSL policy loses all ciphers for the key of a certificate that is served: clients with TLS 1.2 or older can't connect",
    "keep the ECDHE ciphers for both RSA and ECDSA keys in 'custom_features', or use a profile",
  ),
  "ssl-policy-excludes-clients": error(
    "an SSL policy of a proxy that serves no longer accepts TLS versions that it accepted before: clients with these versions can't connect",
    "check with the load balancer's log that no client uses these versions, then use --allow ssl-policy-excludes-clients",
  ),
  "service-disabled": error(
    "an API is disabled in a project whose resources serve traffic or renew certificates",
    "set 'disable_on_destroy' to false in an apply of its own, or keep the resource; remove it from the state with a 'removed' block",
  ),
  "project-deleted": error(
    "a project is deleted, and with it every load balancer, certificate and zone in the project",
    "move all traffic and zones to another project first; to remove only the resource from the state, use deletion_policy ABANDON or a 'removed' block",
  ),
  "billing-removed": error(
    "a project loses its billing account: its load balancers and zones stop serving",
    "keep 'billing_account'; to change the account, give the new account in the same change",
  ),
  "state-lost": warning(
    "the state has no resources, and the plan creates everything again: the state may be lost, or the wrong backend or workspace is selected",
    "compare 'terraform workspace show' and the backend with the last apply, and restore the state; if it is lost, import what exists ('cert-migration synth --import-all', page change-window.md#recover); continue only if this is the first apply",
  ),
} as const satisfies CodeTable;
