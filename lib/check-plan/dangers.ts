import { type CodeTable, error, warning } from "../findings/codes";
import { type CodedFinding, findingsOf } from "../findings/finding";

/** Codes for the effects of a plan that interrupt traffic, or may do so. */
export const planDangers = {
  "plan-incomplete": error(
    "the plan is incomplete: Terraform stopped with an error",
    "fix the error of 'terraform plan', and plan again: check-plan can't check changes that are not planned",
  ),
  "plan-unknown-action": error(
    "the plan contains an action that this version does not know",
    "use a newer version of cert-migration, or check the action manually",
  ),
  "plan-partial": warning(
    "the plan contains only a part of the configuration's changes: it was made with -target, or Terraform defers changes",
    "plan without -target, and check every later plan as well",
  ),
  "entry-deleted": error(
    "a hostname that is served by the map loses its entry, and every handshake for it fails",
    "move the hostname's traffic away first, or keep the entry; if no client uses the hostname, use --allow entry-deleted=HOST",
  ),
  "entry-deleted-covered": warning(
    "a hostname loses its own entry, and the entry of a wildcard or PRIMARY serves it after the apply",
    "check that the certificate of the other entry is the one that clients should get",
  ),
  "entry-replaced": error(
    "an entry is deleted and another one is created for its hostname; until that is active every handshake for the hostname fails",
    "keep the address, name, map and hostname of the entry: use 'for_each' with the hostname as its key, not 'count'; change only its certificates",
  ),
  "entry-certificate-mismatch": error(
    "an entry gets a certificate that is not for a hostname that the entry serves: clients refuse it",
    "name a certificate that is for the hostname, or for the wildcard above it",
  ),
  "entry-emptied": error(
    "an entry is left without any certificate, and every handshake that it serves fails",
    "name the next certificate in the same change that removes the previous certificate",
  ),
  "map-deleted": error(
    "a map is deleted that a target proxy uses",
    "attach another map with the same hostnames first, in an apply of its own",
  ),
  "map-detached": error(
    "a target proxy loses its map, and with it every certificate",
    "leave certificate_map as it is until traffic is elsewhere, or put another map with the same hostnames in its place",
  ),
  "map-switched-incomplete": error(
    "a target proxy gets another map, which has no entry for some of the hostnames that are served now",
    "add an entry for each hostname to the new map, wait for it, then switch",
  ),
  "map-switched-early": error(
    "a target proxy gets a map with an entry that can't serve yet, or that Terraform may create later: a proxy uses its map instead of its certificates",
    "let the proxy depend on every entry of the map ('depends_on'), and each entry on 'cert-migration wait' for its certificate; or attach the map in a later apply",
  ),
  "map-switched-to-unknown": warning(
    "a target proxy gets a map whose entries the plan does not contain",
    "pass what 'terraform output -json' prints for the configuration of the map with '--outputs FILE'; or check that the map has an ACTIVE entry for each hostname that the proxy serves now",
  ),
  "certificate-detached": error(
    "a target proxy loses a direct certificate, and no other certificate of the proxy is for some of its names",
    "add a certificate for these names to the list first; the proxy presents the certificate that matches",
  ),
  "certificate-detached-unmapped": error(
    "a target proxy loses a certificate beside its map, and the map does not serve all names of the certificate",
    "add an ACTIVE entry for each name first; keep the certificate until then, so that the map can be detached again",
  ),
  "certificate-detached-unchecked": error(
    "a target proxy loses a certificate beside its map, and the plan does not contain the map, or the names of the certificate",
    "pass what 'terraform output -json' prints for the migration of the map with '--outputs FILE'; without a migration, run 'cert-migration verify' and use --allow certificate-detached-unchecked",
  ),
  "certificate-detached-with-switch": error(
    "a target proxy gets a map and loses its direct certificates in one apply, so that no rollback is possible",
    "attach the map in an apply of its own; detach the certificates in a later one, after 'cert-migration verify' has passed",
  ),
  "certificate-deleted-with-detachment": error(
    "a certificate is deleted in the apply that detaches it from a target proxy with a map, so that no rollback is possible",
    "detach the certificate in an apply of its own, and delete it in a later one, after 'cert-migration verify' has passed for some days",
  ),
  "certificate-deleted-unverified": error(
    "a certificate that a proxy served before the migration is deleted before 'cert-migration verify' has passed long enough for its names; a rollback needs it",
    "run 'cert-migration verify --log FILE' at least twice a day until it has passed for the time of '--verified-for' (3 days), then pass the log with '--verified FILE'",
  ),
  "certificate-deleted-unchecked": warning(
    "a certificate of Compute Engine is deleted while a certificate map serves its names, and the plan does not show for how long 'cert-migration verify' has passed",
    "pass the log of 'cert-migration verify --log FILE' with '--verified FILE', and the migration's outputs with '--outputs FILE'",
  ),
  "map-detached-to-unknown": error(
    "a target proxy loses its map for direct certificates, and the plan does not contain the names in these certificates, or the map",
    "pass what 'terraform output -json' prints for the migration of the map with '--outputs FILE'; or check that the direct certificates are valid and for every hostname of the map, then use --allow map-detached-to-unknown",
  ),
  "certificate-detached-unknown": warning(
    "a target proxy loses a direct certificate, and the plan does not show whether other certificates are for its names",
    "check that the certificates that the proxy keeps are for every name that is served",
  ),
  "alert-removed": warning(
    "an alert about certificates is deleted, disabled, weakened or left without a notification channel, while certificates remain",
    "keep it, or check that another alert or 'cert-migration monitor' watches the same hostnames",
  ),
  "proxy-deleted": error(
    "a target proxy is deleted: connections are refused",
    "move traffic to another load balancer first",
  ),
  "proxy-replaced": error(
    "a target proxy is replaced: until the new proxy exists, connections are refused",
    "change only what can be changed in place, or set create_before_destroy and another name",
  ),
  "forwarding-rule-deleted": error(
    "no forwarding rule listens at an address of the load balancer after the apply",
    "keep the address: move traffic away first, or make another rule on another address beside it",
  ),
  "forwarding-rule-repointed": error(
    "a forwarding rule is changed to a target that has no certificate for the hostnames that are served there",
    "attach a map with ACTIVE entries for the same hostnames to the new target proxy first, then change the rule",
  ),
  "forwarding-rule-repointed-to-unknown": warning(
    "a forwarding rule is changed to a target that the plan does not contain",
    "check that the new target proxy presents a certificate for each hostname: cert-migration verify",
  ),
  "address-deleted": error(
    "an address that is in use is released, and Google may assign it to another customer while DNS still points to the address",
    "change the DNS records and wait for their TTL first; set prevent_destroy on addresses",
  ),
  "authorization-record-deleted": error(
    "the CNAME of a DNS authorization is deleted, and certificates for the domain can no longer be issued or renewed",
    "keep the CNAME: managed certificates need it for each renewal",
  ),
  "authorization-deleted": error(
    "a DNS authorization that certificates need for renewal is deleted",
    "keep the authorization until no certificate for the domain is in use",
  ),
  "authorization-replaced": error(
    "a DNS authorization is replaced, and the CNAME of the new authorization has other data: a certificate that uses the previous authorization can no longer be renewed",
    "keep the authorization's name, domain, type and location, and set prevent_destroy; or replace the certificate in the same apply, with create_before_destroy",
  ),
  "caa-forbids-issuance": error(
    "CAA records forbid Google Trust Services to issue a managed certificate: it can't be issued, and one that serves can't be renewed",
    'add the record 0 issue "pki.goog" (for wildcards also 0 issuewild "pki.goog", if there are issuewild records) to the CAA records in the same change',
  ),
  "certificate-destroyed-early": error(
    "a certificate is destroyed while an entry or a proxy still presents it",
    "let the successor become ACTIVE and the entry be repointed first; never plan with -target",
  ),
  "certificate-replaced-destroy-first": error(
    "a certificate is destroyed before its successor is issued",
    "set create_before_destroy on the certificate, and let its name change with its domains",
  ),
  "issuance-config-deleted": error(
    "an issuance config is deleted or replaced while a certificate of a private CA uses it: the certificate can't be renewed, or the service refuses and the apply stops there",
    "let the certificate refer to the new config, so that Terraform replaces both with create_before_destroy; or delete the certificate first",
  ),
  "certificate-scope-unusable": error(
    "a resource gets a certificate with a scope that it can't use: the service refuses, and the apply stops there",
    "use a certificate with the scope in the message; the scope of a certificate can't be changed, so create another one",
  ),
  "uploaded-certificate-not-valid": error(
    "a certificate is uploaded that has expired, or is not valid yet: clients refuse it",
    "put a certificate into the configuration that is valid today, and plan again",
  ),
  "uploaded-certificate-expired": warning(
    "an uploaded certificate that the plan does not change has expired: clients refuse it",
    "upload a new certificate, or replace it with a managed certificate; delete it if no entry and no proxy uses it",
  ),
  "uploaded-certificate-expires-soon": warning(
    "an uploaded certificate expires within 30 days; Google does not renew uploaded certificates",
    "upload a new certificate before that date, or replace it with a managed certificate",
  ),
  "repointed-to-inactive": error(
    "an entry or a proxy gets a certificate that is not ACTIVE: handshakes fail until it is",
    "wait first: gate the change by 'cert-migration wait' or a precondition on the certificate's state",
  ),
  "repointed-to-unknown": warning(
    "an entry or a proxy gets a certificate, and the plan does not show whether it is ACTIVE, or which of several certificates it is",
    "check that the certificate is ACTIVE and for the hostname, with 'cert-migration wait --certificate NAME'; refer to one of several certificates by a constant key",
  ),
  "repointed-behind-condition": warning(
    "an entry or a proxy gets a certificate that is not ACTIVE, and the plan does not contain what its condition checks",
    "check that the condition is a precondition on the certificate's state: Terraform evaluates a postcondition after the change",
  ),
  "traffic-record-deleted": error(
    "a served hostname loses its last address and no longer resolves",
    "change the record's data in place, or keep the record",
  ),
  "traffic-record-replaced": error(
    "the address records of a hostname are replaced: in between the hostname does not resolve, and resolvers cache the negative answer",
    "change the data of the existing record set; to change its type, change the target of its CNAME instead",
  ),
  "traffic-address-family-deleted": warning(
    "a hostname keeps only IPv4 or only IPv6 addresses",
    "check that clients of this address family can use the other family",
  ),
  "traffic-before-verification": error(
    "traffic moves to a load balancer that this apply creates or changes, before anyone can verify it",
    "apply the load balancer's part first, run 'cert-migration verify', then move traffic in an apply of its own",
  ),
  "traffic-split": error(
    "an address record leads to the load balancer and to an address that the plan does not contain: some clients use that address",
    "compare the addresses of the record with the addresses of the forwarding rules; if another server of yours serves the hostname there, use --allow traffic-split=HOSTNAME",
  ),
  "traffic-appears": warning(
    "a hostname gets addresses of a new address family: clients use them immediately",
    "check that DNS has no record of this type that the plan does not contain, and that the server at the address serves the name: run 'cert-migration verify' before the apply",
  ),
  "traffic-moves": warning(
    "traffic is moved: step 8",
    "run 'cert-migration verify' before the apply, and 'cert-migration watch' during it",
  ),
  "traffic-leaves": warning(
    "traffic moves from the load balancer to an address that the plan does not contain: a rollback, or a mistake",
    "check that the server at the address serves the name: 'cert-migration verify --address ADDRESS'",
  ),
  "zone-deleted": error(
    "a DNS zone is deleted, and with it the records of hostnames that are served and of their authorizations",
    "keep the zone, or create its records in the zone that the domain will be delegated to",
  ),
  "record-overwritten": warning(
    "a record set is created where a record set exists: the google provider overwrites it, even if another tool created it",
    "import the record set that exists, or move its address with a 'moved' block, so that the plan shows what changes",
  ),
  "certificate-deletion-prevented": error(
    "a certificate can't be deleted: the apply stops there, and so does every later one",
    "set deletion_policy to DELETE on the certificate in an apply of its own, then rotate it",
  ),
  "client-policy-removed": error(
    "a proxy that serves loses its server TLS policy: it requests no client certificate, and backends get clients that were never validated",
    "keep 'server_tls_policy'; if mutual TLS is to end, change the backends first, then use --allow client-policy-removed",
  ),
  "client-policy-lost": error(
    "a change of 'ssl_policy' of a regional proxy removes its server TLS policy: the provider sends 'serverTlsPolicy: null' with it, and only the next apply restores the policy",
    "change the SSL policy of the proxy outside of Terraform first, for example with gcloud, then apply the same value",
  ),
  "client-policy-rejects": error(
    "a proxy that serves gets a server TLS policy that rejects clients without a valid certificate",
    "apply ALLOW_INVALID_OR_MISSING_CLIENT_CERT first; when the load balancer's log shows only valid client certificates, use --allow client-policy-rejects",
  ),
  "client-policy-unknown": warning(
    "a proxy that serves gets a server TLS policy that the plan does not contain",
    "check its mode: 'gcloud network-security server-tls-policies describe'",
  ),
  "client-policy-deleted": error(
    "a server TLS policy is deleted or replaced while a proxy uses it: the service refuses, and the apply stops there",
    "create a policy with another name, let the proxy refer to it, and delete this policy in a later apply",
  ),
  "trust-config-deleted": error(
    "a trust config is deleted while a server TLS policy or a backend authentication config uses it: the service refuses, and the apply stops there",
    "let the policy or the config refer to another trust config first, or delete it first, after nothing uses it",
  ),
  "trust-anchor-removed": warning(
    "a trust config that is in use loses a root or an allowlisted certificate: clients that depend on it are no longer valid",
    "check that no client uses it: the load balancer logs the fingerprint of each client certificate",
  ),
  "created-twice": error(
    "two resources are created under the same name in one project: the service refuses the second, and the apply stops there",
    "use a module of 'cert-migration synth' once in a project, and write a module for each migration",
  ),
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
  "traffic-ipv4-deleted": error(
    "a served hostname loses its IPv4 addresses and keeps IPv6 addresses: clients without IPv6 no longer reach it",
    "keep the A record; if no client uses IPv4, use --allow traffic-ipv4-deleted=HOSTNAME",
  ),
  "traffic-record-deleted-in-zone": warning(
    "an address record is deleted in one zone, and another zone has records of this name: clients use the zone that the domain is delegated to",
    "check the delegation first: 'dig NS DOMAIN' must list the name servers of the zone that keeps the record",
  ),
  "traffic-to-unserved-name": error(
    "traffic of a hostname moves to the load balancer, which has no certificate for the hostname: every handshake fails",
    "add an ACTIVE entry for the hostname to the map first (a wildcard is for one label only), then move the record",
  ),
  "traffic-to-no-listener": error(
    "traffic moves to an address where no forwarding rule accepts TLS connections",
    "create a forwarding rule for port 443 with the target proxy first, run 'cert-migration verify', then move the record",
  ),
  "traffic-record-proxied": error(
    "the DNS provider answers with addresses of its own proxies for a served hostname: clients get the certificate of the provider, or none",
    "keep 'proxied' false; if the provider has a certificate for the hostname, use --allow traffic-record-proxied=HOSTNAME",
  ),
  "authorization-record-proxied": error(
    "the DNS provider answers with its own addresses in place of the CNAME of a DNS authorization: certificates for the domain can no longer be issued or renewed",
    "keep 'proxied' false for the CNAMEs of DNS authorizations",
  ),
  "authorization-record-moved": warning(
    "the CNAME of a DNS authorization is deleted in one zone and created in another zone or project by the same apply: in between, and if the domain is not delegated to the new zone, certificates can't be renewed",
    "use two applies: create the CNAME in the new zone first; delete it in the previous zone after the domain is delegated to the new zone",
  ),
  "delegation-hides-records": error(
    "a new NS record delegates a domain to other name servers, and hides the records of served hostnames or of DNS authorizations in the zone",
    "create the sub-zone with all of these records in an apply of its own, then create the NS record",
  ),
  "delegation-deleted": error(
    "the NS record of a sub-zone is deleted, and the names in the sub-zone no longer resolve",
    "create the records of the sub-zone in its parent zone first, or keep the NS record",
  ),
  "delegation-changed": error(
    "the NS record of a sub-zone is changed to other name servers, and the plan does not show that these have the records of served hostnames and of DNS authorizations",
    "check the new name servers with 'dig @SERVER NAME' for each name first, then use --allow delegation-changed",
  ),
  "dnssec-broken": error(
    "the DS record of a zone no longer matches a key of the zone: resolvers that validate DNSSEC refuse all of its names",
    "add the new DS record beside the previous one, and delete the previous one after its TTL; create a DS record only for a signed zone",
  ),
  "dnssec-unchecked": warning(
    "a zone gets its first DS record, and the plan does not contain the keys of the zone",
    "check that the zone is signed with this key: 'delv @SERVER NAME'",
  ),
  "dnssec-disabled": error(
    "a zone is no longer signed: while its parent zone has a DS record, resolvers that validate DNSSEC refuse all of its names",
    "delete the DS record at the parent zone or the registrar first, and wait for its TTL; then use --allow dnssec-disabled",
  ),
  "https-record-leads-elsewhere": error(
    "an HTTPS or SVCB record gets a target or address hints that are not the addresses of its hostname: clients that use the record connect elsewhere",
    "write the addresses of the A and AAAA records into 'ipv4hint' and 'ipv6hint', or remove the hints; use '.' as the target",
  ),
  "https-record-stays": warning(
    "the addresses of a hostname change, and its HTTPS or SVCB record keeps a target or address hints of the previous provider",
    "remove the hints and the target in an apply of its own first; otherwise some clients stay with the previous provider",
  ),
  "record-zone-unknown": warning(
    "a record changes at a DNS provider whose records have only the id of their zone, and the plan does not contain the zone",
    "read the zone with a data source in the same configuration, and plan again; or compare the record with the served hostnames manually",
  ),
  "response-policy-changed": warning(
    "a rule of a response policy changes the addresses of a served hostname for the clients of some networks",
    "check with 'cert-migration verify --address ADDRESS' that the new address serves the hostname",
  ),
} as const satisfies CodeTable;

/** A code of {@link planDangers}. */
export type PlanDangerCode = keyof typeof planDangers;

/** An effect of the plan. The subject is the address in Terraform; empty for the whole plan. */
export type PlanDanger = CodedFinding<PlanDangerCode>;

export const danger = findingsOf(planDangers);

/** Lists the first five texts for a message; there may be thousands. */
export function listed(names: readonly string[], separator = ", "): string {
  const shown = names.slice(0, 5).join(separator);
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof planDangers, true> {}
}
