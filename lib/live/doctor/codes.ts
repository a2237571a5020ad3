import { type CodeTable, error, info, warning } from "../../findings/codes";
import { renewalCodes } from "../../renewal";
import { oneCodeMeanings } from "./one-code-checks";

/** All codes of doctor findings, grouped by what the check examines. Checks with one code have it in their row. */
const codes = {
  ...oneCodeMeanings,
  ...renewalCodes,

  // Projects.
  "credentials-missing": error(
    "Application default credentials are missing, so no check of Google Cloud was possible.",
    "log in, or run with a service account",
  ),
  "credentials-refused": error(
    "Google Cloud does not accept the credentials (expired login, deleted key or revoked token), so the checks that need them were not possible.",
    "log in again, or set GOOGLE_APPLICATION_CREDENTIALS to another key file",
  ),
  "credentials-unreadable": error(
    "The file of the application default credentials is neither a key nor a login, so no check of Google Cloud was possible.",
    "log in again, or set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account",
  ),
  "api-disabled": error(
    "An API is not enabled, and refuses every request.",
    "enable the API, or set enableApis in the spec so that Terraform does",
  ),
  "permission-missing": error(
    "A permission is missing: Terraform fails in the middle of an apply.",
    "grant the role to the account that Terraform runs as",
  ),
  "permission-to-delete-missing": warning(
    "The permission to delete the previous certificates of a rotation is missing: roles/certificatemanager.editor does not include it.",
    "grant roles/certificatemanager.owner to the account that Terraform runs as",
  ),
  "quota-exceeded": error(
    "The migration exceeds a quota: Google Cloud refuses requests in the middle of an apply.",
    "request a higher quota, or delete unused resources",
  ),
  "quota-tight": warning(
    "The quota has little room: a rotation creates new certificates before it deletes the previous certificates.",
    "request a higher quota early: approval takes days",
  ),
  "quota-unknown": info(
    "The quotas of Certificate Manager can't be read by this command, and the project will have many resources.",
    "compare the numbers with the project's quotas page",
  ),

  "request-rate": info(
    "Certificate Manager accepts 300 requests per minute and project; Terraform retries refused requests and takes longer.",
    "plan for a longer apply, or request a higher quota",
  ),
  "issuance-many": info(
    "CAs limit the number of certificates for a registered domain and don't publish the limit: certificates may wait in the state RATE_LIMITED.",
    "divide the migration, or increase 'cert-migration wait --timeout': the state resolves on its own",
  ),

  // DNS in general.
  "resolver-unreachable": error(
    "No DNS resolver answered, so checks of DNS were not possible.",
    "use another resolver with --dns-server, or fix the resolvers of this machine",
  ),

  // Zones.
  "zone-missing": error(
    "The project does not have a zone in which records are to be created.",
    "correct the name of the zone or its project in the spec, or create the zone",
  ),
  "zone-private": error(
    "The zone is private: only networks of the project can see it, and the CA can't.",
    "name the public zone of the domain",
  ),
  "zone-mismatched": error(
    "The zone is for another domain and can't contain the record.",
    "name the zone whose DNS name is the record's longest suffix",
  ),
  "zone-not-delegated": error(
    "The domain is delegated to other name servers: resolvers and CAs never see the records of this zone.",
    "use the zone that the domain is delegated to, or ask the registrar to delegate to the zone's name servers",
  ),
  "delegation-incomplete": warning(
    "Some name servers of the delegation don't have the zone: resolvers see its records only some of the time.",
    "ask the registrar to delegate to exactly the zone's name servers",
  ),
  "delegation-below": error(
    "A subdomain is delegated to other name servers: resolvers never see the records below it in the zone of the plan.",
    "add to dns.zones the zone that the subdomain is delegated to",
  ),
  "name-server-lame": warning(
    "The domain is delegated to a name server that does not answer for it: look-ups are slow or fail.",
    "fix that name server, or ask the registrar to remove it from the delegation",
  ),
  "zone-unanswered": error(
    "No name server answers for the zone: no certificate can be issued for its names.",
    "fix the zone's delegation and its name servers first",
  ),
  "dnssec-bogus": error(
    "The DNSSEC signatures don't match the DS record of the parent: validating resolvers, which CAs use too, refuse the name.",
    "sign the zone again, or ask the registrar to remove the DS record",
  ),
  "dnssec-unsigned": error(
    "The parent has a DS record, but the zone is not signed: validating resolvers refuse the whole zone.",
    "enable DNSSEC for the zone and replace the DS record, or ask the registrar to remove the DS record",
  ),

  // CNAME records of DNS authorizations.
  "challenge-cname-elsewhere": error(
    "The name has a CNAME for another use, and a name can have only one: the google provider would overwrite it, and renewals that use it would fail.",
    "set authorizationType to PER_PROJECT_RECORD, which uses another record name for each project",
  ),
  "challenge-of-other-project": error(
    "A fixed record can authorize the domain for one project only, and authorizes it for another project.",
    "set authorizationType to PER_PROJECT_RECORD, or add that authorization to existingAuthorizations",
  ),
  "challenge-wrong": error("The published record points to another authorization.", "replace its target"),
  "challenge-doubled": error(
    "The record was published under a name that contains the zone twice.",
    "publish it under its own name: enter the name relative to the zone, or keep the trailing dot",
  ),
  "challenge-txt": error(
    "A TXT record of another CA has the name, and a CNAME can't have the same name.",
    "remove the TXT record, or set authorizationType to PER_PROJECT_RECORD",
  ),
  "challenge-delegated": error(
    "The name is delegated to other name servers: a CNAME in the zone is never seen.",
    "publish the CNAME at these name servers, remove the delegation, or set authorizationType to PER_PROJECT_RECORD",
  ),
  "challenge-not-alone": error(
    "The name has other records, and a CNAME must be the only record of its name.",
    "remove the other records of the name",
  ),
  "authorization-exists": warning(
    "Another authorization of the project is for the same domain: two fixed records can't both be published.",
    "add it to existingAuthorizations",
  ),

  // CAA records.
  "caa-forbids": error(
    "CAA records don't allow Google's CA to issue certificates.",
    'add the record 0 issue "pki.goog"',
  ),
  "caa-forbids-wildcard": error(
    "CAA records don't allow Google's CA to issue wildcard certificates.",
    'add the record 0 issuewild "pki.goog"',
  ),
  "caa-critical": error(
    "A CAA record has an unknown critical property: no CA may issue certificates.",
    "remove the record, or its critical flag",
  ),
  "caa-unanswered": error(
    "The look-up of CAA records failed: a CA that can't read them must not issue certificates.",
    "fix the name servers: for a name without CAA records, they must return an empty answer",
  ),
  "caa-restricted": warning(
    "The CAA record allows Google's CA only under conditions that this command can't check.",
    "remove the parameters, or make sure that they allow DNS authorization by any account",
  ),

  // Hostnames.
  "hostname-unresolved": warning(
    "The name does not exist in DNS or has no address: it may be unused or misspelled.",
    "remove it, or correct it",
  ),
  "hostname-unanswered": warning(
    "The DNS look-up of the name failed: its clients fail now, or after the cut-over.",
    "fix the zone's name servers, and run the command again",
  ),
  "ttl-long": warning(
    "The TTL is long: after the cut-over and after a rollback, resolvers use the previous address until the TTL ends.",
    "lower the TTL to 60 seconds now, and move traffic after the previous TTL has ended",
  ),
  "ipv4-lost": error(
    "The name has IPv4 addresses, the load balancer has none: clients without IPv6 would fail.",
    "give the load balancer an IPv4 address",
  ),
  "ipv6-lost": error(
    "The name has IPv6 addresses, the load balancer has none: IPv6 clients would still use the previous provider.",
    "give the load balancer an IPv6 address, or remove the AAAA records first",
  ),
  "ipv6-new": info(
    "The load balancer has an IPv6 address, the name has none: clients begin to use IPv6 with the cut-over.",
    "make sure that logs, allow lists and rate limits support IPv6 addresses",
  ),
  "hostname-alias": info(
    "The name is a CNAME today: its A and AAAA records are in another zone, and it can't have its own records beside the CNAME.",
    "add it as cname to traffic.previous: then its target is changed in place, without interruption",
  ),
  "record-overwritten": error(
    "The google provider replaces a record set that exists when it creates one of the same name and type, without a warning.",
    "choose another name (traffic.ingressLabel), add the record set to traffic.previous, or delete it if it is unused",
  ),
  "previous-differs": error(
    "traffic.previous differs from DNS, and the first apply would write it to DNS.",
    "copy the current records of DNS to traffic.previous",
  ),
  "resolvers-disagree": warning(
    "Resolvers give different answers: a change is not visible everywhere yet, or name servers differ.",
    "wait until all resolvers agree, or fix the name servers that differ",
  ),
  "wildcard-not-moved": warning(
    "Names below the wildcard resolve through a wildcard record, which step 8 does not move.",
    "move that record manually after verification, or list the names that are in use",
  ),

  // Load balancer.
  "proxy-missing": error(
    "The target proxy for the certificates does not exist.",
    "correct its name, its project or its region, or create it",
  ),
  "proxy-exists": error(
    "A target proxy with this name exists, so Terraform can't create it.",
    "adopt it with adoptTargetHttpsProxies, or choose another name for the new proxy",
  ),
  "proxy-kind-mismatch": error(
    "The proxy belongs to another kind of load balancer, which uses certificates in another way.",
    "set loadBalancer.kind to the kind of the proxy: global external load balancers use a map, the others use certificates directly",
  ),
  "proxy-names-lost": error(
    "The migration replaces or disables the certificates of the proxy, and does not serve some of their names.",
    "add the names to the certificates of the migration, or to the map",
  ),
  "proxy-map-replaced": warning(
    "The proxy has another certificate map, which would be replaced.",
    "set existingCertificateMap to this map, or make sure that the new map serves all of its names",
  ),
  "proxy-certificates-ignored": warning(
    "A proxy with a certificate map ignores the certificates that are attached to it directly.",
    "verify each of their names before the map is attached, and detach the certificates afterwards",
  ),
  "proxy-certificates-conflict": error(
    "The google provider does not allow direct certificates beside the certificates or the map of the migration.",
    "create another proxy for the load balancer, or detach its direct certificates when no client uses them",
  ),
  "proxy-settings-differ": error(
    "Settings of an adopted proxy differ from the migration: the first apply changes them, and some changes replace the proxy.",
    "copy the current settings of the proxy to the migration",
  ),
  "proxy-unreached": warning(
    "No forwarding rule leads to the proxy (for HTTPS: on port 443), so no client can reach it.",
    "create a forwarding rule, or check that the proxy is the right proxy",
  ),
  "serving-proxy-missing": error(
    "A proxy that the migration expects to serve the hostnames today does not exist.",
    "run 'cert-migration inventory --project' again; name a target SSL proxy with targetSslProxies in its id",
  ),
  "serving-proxy-owned-by-gke": warning(
    "A controller of Google Kubernetes Engine manages the proxy, and reverts changes of other tools.",
    "remove the proxy from the migration, and name the certificate map in its Gateway or Ingress",
  ),
  "serving-address-changed": warning(
    "The addresses of a proxy differ from the migration: 'verify' would test other addresses than clients use.",
    "run 'cert-migration inventory --project' again, or correct 'addresses' in 'loadBalancer.servingProxies'",
  ),
  "serving-certificates-changed": warning(
    "The certificates that are attached to a proxy differ from the migration, which was made for others.",
    "run 'cert-migration inventory --project' again, and check that 'mustServe' has every name that is served",
  ),
  "serving-certificate-expired": error(
    "A certificate that is attached to a proxy has expired: its clients fail today, and after a rollback.",
    "replace the certificate now, or attach the map as soon as its entries are active",
  ),
  "serving-certificate-expires": warning(
    "An uploaded certificate that is attached to a proxy expires within 30 days, before the move may be over: a rollback needs it.",
    "upload a renewed certificate first, or finish the steps before that date",
  ),
  "address-taken": error(
    "Another forwarding rule uses the address and port.",
    "adopt the proxy that it leads to, or use another address",
  ),
  "address-elsewhere": error(
    "Traffic would move to an address without a forwarding rule of the load balancer.",
    "correct loadBalancer.addresses",
  ),
  "address-not-reserved": error(
    "The address is not reserved: Google Cloud refuses external addresses that the project has not reserved.",
    "correct the address, or reserve an address and use it",
  ),
  "address-scope-mismatch": error(
    "The address has another scope: a global load balancer needs a global address, a regional load balancer an address of its region.",
    "reserve an address in the load balancer's scope, and use it",
  ),
  "network-tier-mismatch": error(
    "The address has the wrong network tier: load balancers with a certificate map need the tier PREMIUM, and a forwarding rule has the tier of its address.",
    "reserve an address in the tier PREMIUM, and use it in the forwarding rule",
  ),
  "entry-exists": error(
    "The map has an entry for the hostname, and a hostname can have only one entry.",
    "remove the hostname from the migration, or import the entry (page change-window.md#recover, 'Restore a lost state')",
  ),

  // Existing resources.
  "existing-missing": error(
    "The migration refers to a resource that does not exist.",
    "correct its id, or create the resource first",
  ),
  "references-not-in-outputs": info(
    "Outputs contain only what commands need after an apply, so the doctor could not look up the rest.",
    "run 'cert-migration doctor --stack cdktf.out/stacks/NAME', or use --spec",
  ),

  // CA pools of private certificates.
  "ca-pool-without-ca": error(
    "The CA pool has no enabled CA: certificates stay in the state PROVISIONING, and fail after an hour.",
    "enable a CA of the pool, or activate it if it is a subordinate CA",
  ),
  "ca-pool-grant-missing": error(
    "Certificate Manager may not request certificates from the CA pool, as far as the roles on the pool and its project show.",
    "grant roles/privateca.certificateRequester on the pool to the service agent of Certificate Manager",
  ),
  "ca-pool-refuses": error(
    "The issuance policy of the CA pool refuses a certificate of the migration.",
    "allow its names and its key algorithm in the issuance policy, or use another pool",
  ),
  "ca-pool-lifetime-short": warning(
    "The issuance policy shortens the lifetime of certificates: they are renewed more often, with less time for a renewal.",
    "raise the maximum lifetime of the issuance policy, or lower 'lifetime' of the certificate to it (at least 21 days)",
  ),
  "ca-expires-early": error(
    "The CA, or a CA above it, expires before a certificate that it issues now would: the certificate ends with it.",
    "create and enable another CA in the pool, and disable the CA that expires",
  ),
  "ca-pool-devops": info(
    "A pool of the tier DEVOPS neither lists nor revokes certificates: a certificate whose key leaks is valid until its expiry.",
    "use a pool of the tier ENTERPRISE if you have to revoke certificates",
  ),

  // Clients.
  "clients-without-sni": warning(
    "Only a PRIMARY entry serves clients without SNI and hostnames without an entry; without it, their handshakes fail.",
    "set primary on the certificate that these clients should get",
  ),
  "must-staple": warning(
    "The previous certificate requires a stapled OCSP response, which the load balancer does not send.",
    "replace it with a managed certificate, and find clients that require OCSP stapling",
  ),
  "name-not-served": error(
    "The previous certificate has a name that the migration does not serve: its clients would fail.",
    "add the name, or make sure that it is unused",
  ),
  "validation-lost": warning(
    "The previous certificate names its owner; a managed certificate contains only the domain.",
    "find clients that check or pin the owner or the issuer",
  ),
  "address-clients": warning(
    "The previous certificate is for an IP address, which managed certificates don't support.",
    "change these clients to a hostname",
  ),

  // The checks themselves.
  "check-denied": warning(
    "The caller has no permission for a check, so the check did not run.",
    "run the command with another account, or grant the viewer role",
  ),
  "check-unanswered": warning(
    "The service failed or did not answer, so the check did not run.",
    "run the command again",
  ),
  "check-needs-api": info(
    "The API that a check needs is not enabled, so the check did not run.",
    "enable the API and run the command again",
  ),
} as const;

/** A code of {@link doctorCodes}. */
export type DoctorCode = keyof typeof codes;

/**
 * Every code of a finding, with its meaning and remedy. Findings, documentation and tests are derived from this table.
 */
export const doctorCodes: CodeTable<DoctorCode> = codes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof doctorCodes, true> {}
}
