import { type CodeTable, error, info, warning } from "../../findings/codes";

/** All codes of doctor findings, grouped by what the check examines. */
const codes = {
  // Projects.
  "project-unknown": error(
    "Nothing says which project the resources belong to, so that nothing of Google Cloud could be looked at.",
    "give --project, or read the migration from --outputs",
  ),
  "credentials-missing": error(
    "There are no application default credentials, so that nothing of Google Cloud could be looked at.",
    "log in, or give the runner a service account",
  ),
  "credentials-refused": error(
    "Google Cloud does not accept the credentials (a login that ended, a deleted key, a revoked token), so that nothing that needs them could be looked at.",
    "log in again, or name another key file in GOOGLE_APPLICATION_CREDENTIALS",
  ),
  "credentials-unreadable": error(
    "What the application default credentials are read from is no key and no login, so that nothing of Google Cloud could be looked at.",
    "log in again, or name the key file of a service account in GOOGLE_APPLICATION_CREDENTIALS",
  ),
  "billing-off": error(
    "Without billing no certificate is issued and no load balancer is made.",
    "link the project to an open billing account",
  ),
  "api-disabled": error(
    "Every request to an API that is not enabled is refused.",
    "enable the API, or set enableApis in the spec so that Terraform does",
  ),
  "permission-missing": error(
    "Terraform fails in the middle where its caller may not make what comes next.",
    "grant the role to the account that Terraform runs as",
  ),
  "permission-to-delete-missing": warning(
    "Certificates that a rotation leaves behind can't be deleted: roles/certificatemanager.editor does not include it.",
    "grant roles/certificatemanager.owner to the account that Terraform runs as",
  ),
  "quota-exceeded": error(
    "Google Cloud refuses what goes beyond the quota, in the middle of an apply.",
    "ask for a higher quota, or delete what is no longer used",
  ),
  "quota-tight": warning(
    "Rotations make successors before their predecessors go, for which there is hardly room.",
    "ask for a higher quota in time: it takes days to be granted",
  ),
  "quota-unknown": info(
    "Certificate Manager does not tell its quotas to this command, and the project will hold many resources.",
    "compare the numbers with the project's quotas page",
  ),

  "request-rate": info(
    "Certificate Manager takes 300 requests a minute from a project; Terraform asks again when more are refused, and takes longer.",
    "count on it, and ask for a higher rate where that is too slow",
  ),
  "issuance-many": info(
    "Authorities limit how many certificates they issue for a registered domain, and tell nobody how many: certificates may wait as RATE_LIMITED.",
    "make the migration in parts, or give 'cert-migration wait --timeout' more time: it passes by itself",
  ),

  // DNS in general.
  "resolver-unreachable": error(
    "No resolver could be asked, so that little or nothing of DNS could be looked at.",
    "give one that answers with --dns-server, or mend those of this machine",
  ),

  // Zones.
  "zone-missing": error(
    "Records are to be written to a zone that the project does not have.",
    "correct the name of the zone or its project in the spec, or make the zone",
  ),
  "zone-private": error(
    "Only networks of the project see a private zone; who issues certificates does not.",
    "name the public zone of the domain",
  ),
  "zone-mismatched": error(
    "A zone takes only records of its own domain, and this one is for another.",
    "name the zone whose DNS name is the record's longest suffix",
  ),
  "zone-not-delegated": error(
    "The world asks other name servers, so that records in this zone are never seen and certificates never issued.",
    "write to the zone that the domain is delegated to, or have the registrar delegate to the zone's name servers",
  ),
  "delegation-incomplete": warning(
    "Part of the world asks name servers that don't have the zone, and sees its records or not, by chance.",
    "have the registrar delegate to exactly the zone's name servers",
  ),
  "delegation-below": error(
    "A zone in between is delegated to others: what lies below it in the zone of the plan is never seen.",
    "name the zone that is delegated to, as another one of dns.zones",
  ),
  "name-server-lame": warning(
    "The domain is delegated to a name server that does not answer for it, which makes answers slow or fail.",
    "mend that name server, or have the registrar take it out of the delegation",
  ),
  "zone-unanswered": error(
    "Nobody answers for the zone, so that no certificate can be issued for its names.",
    "mend the zone's delegation and its name servers first",
  ),
  "dnssec-bogus": error(
    "Signatures don't fit what the parent announces: validating resolvers, those of authorities among them, refuse the name.",
    "sign the zone anew, or have the registrar take the DS record out",
  ),
  "dnssec-unsigned": error(
    "The parent announces signatures by a DS record, and the zone has none: validating resolvers refuse all of it.",
    "switch DNSSEC on for the zone and have the DS record replaced, or have the registrar take the DS record out",
  ),

  // CNAME records of DNS authorizations.
  "challenge-cname-elsewhere": error(
    "A name has one CNAME, and this one serves somebody else: the google provider would overwrite it, and renewals that use it would fail.",
    "set authorizationType to PER_PROJECT_RECORD, whose records have names of their own",
  ),
  "challenge-of-other-project": error(
    "A fixed record can prove the domain for one project only, and it does so for another.",
    "set authorizationType to PER_PROJECT_RECORD, or name that authorization in existingAuthorizations",
  ),
  "challenge-wrong": error(
    "The record that is published leads to another authorization than the one of this migration.",
    "replace its target",
  ),
  "challenge-doubled": error(
    "The record was published under a name that has the zone twice, where nobody looks.",
    "publish it under its own name: type the relative one, or keep the trailing dot",
  ),
  "challenge-txt": error(
    "No CNAME can be where a TXT record is; another authority has left it there, or still uses it.",
    "remove the TXT record, or set authorizationType to PER_PROJECT_RECORD",
  ),
  "challenge-delegated": error(
    "The name is delegated to other name servers, so that a CNAME in the zone is never seen.",
    "publish the CNAME at these name servers, take the delegation out, or set authorizationType to PER_PROJECT_RECORD",
  ),
  "challenge-not-alone": error(
    "A CNAME can't be beside any other record of its name.",
    "remove the other records of the name",
  ),
  "authorization-exists": warning(
    "Another authorization of the project is for the same domain: two fixed records can't both be published.",
    "name it in existingAuthorizations",
  ),

  // CAA records.
  "caa-forbids": error(
    "CAA records name the authorities that may issue, and Google's is not among them.",
    'add the record 0 issue "pki.goog"',
  ),
  "caa-forbids-wildcard": error(
    "CAA records name the authorities that may issue wildcards, and Google's is not among them.",
    'add the record 0 issuewild "pki.goog"',
  ),
  "caa-critical": error(
    "An authority that does not understand a critical CAA property must not issue.",
    "take the record out, or its critical flag away",
  ),
  "caa-unanswered": error(
    "An authority that can't look CAA records up must not issue.",
    "mend the name servers: a name without CAA records has to be answered with none",
  ),
  "caa-restricted": warning(
    "The CAA record allows Google only under conditions, and whether they are met can't be seen from here.",
    "take the parameters out, or make sure that they allow DNS authorization by any account",
  ),

  // Hostnames.
  "hostname-unresolved": warning(
    "The name does not exist in DNS or has no address: perhaps nobody uses it any more, or it is misspelt.",
    "leave it out, or correct it",
  ),
  "hostname-unanswered": warning(
    "Nobody could say where the name leads, so that its clients fail already or will after the cut-over.",
    "mend the zone's name servers, and ask again",
  ),
  "ttl-long": warning(
    "Resolvers keep the old address for as long as the time to live says, after the cut-over and after a retreat.",
    "lower the time to live now, to 60 seconds, and cut over once the old one has run out",
  ),
  "ipv4-lost": error(
    "The name has IPv4 addresses, the load balancer has none: clients without IPv6 would be lost.",
    "give the load balancer an IPv4 address",
  ),
  "ipv6-lost": error(
    "The name has IPv6 addresses, the load balancer has none: they would go on leading to the old provider.",
    "give the load balancer an IPv6 address, or remove the AAAA records first",
  ),
  "ipv6-new": info(
    "The load balancer has an IPv6 address, the name has none: clients begin to use IPv6 with the cut-over.",
    "make sure that logs, allow lists and rate limits know IPv6 addresses",
  ),
  "hostname-alias": info(
    "The name is an alias today: its A and AAAA records are somebody else's, and it can't have its own beside the CNAME.",
    "state it as cname in traffic.previous: then its target is changed in place, without a gap",
  ),
  "record-overwritten": error(
    "The google provider replaces a record set that exists when it creates one of the same name and type, without a warning.",
    "choose another name (traffic.ingressLabel), state the record set in traffic.previous, or delete it if nobody needs it",
  ),
  "previous-differs": error(
    "What traffic.previous says would be written to DNS at the first apply, and it is not what DNS has now.",
    "state what DNS has now",
  ),
  "resolvers-disagree": warning(
    "Clients are sent to different places, depending on whom they ask: a change is on its way, or name servers differ.",
    "wait until it has settled, or bring the name servers in line",
  ),
  "wildcard-not-moved": warning(
    "Names below the wildcard resolve by a wildcard record of DNS, which step 8 does not move.",
    "move that record by hand, after verifying, or list the names that are in use",
  ),

  // Load balancer.
  "proxy-missing": error(
    "The certificates are to be attached to a target proxy that does not exist.",
    "correct its name, its project or the region, or make it",
  ),
  "proxy-exists": error(
    "A target proxy of that name exists already, so that it can't be made.",
    "adopt it with adoptTargetHttpsProxies, or give the new one another name",
  ),
  "proxy-kind-mismatch": error(
    "The proxy belongs to another kind of load balancer, which takes certificates in another way.",
    "set loadBalancer.kind to what it is: a map goes with global external ones, certificates go directly to the others",
  ),
  "proxy-names-lost": error(
    "What the proxy presents today is replaced or ignored, and nothing in the migration serves these names.",
    "add the names to the certificates of the migration, or to the map",
  ),
  "proxy-map-replaced": warning(
    "The proxy has another certificate map, which would be replaced.",
    "name it in existingCertificateMap to add to it, or make sure that the new one serves all of its names",
  ),
  "proxy-certificates-ignored": warning(
    "A proxy with a certificate map ignores the certificates that are attached to it directly.",
    "verify every name of theirs before the map is attached, and take them away afterwards",
  ),
  "proxy-certificates-conflict": error(
    "Terraform's provider does not take certificates that are attached directly beside what the migration attaches.",
    "let the load balancer have another proxy, or take its own certificates away once nobody is served by them",
  ),
  "proxy-settings-differ": error(
    "What is stated of an adopted proxy would be written to it at the first apply; for some settings the proxy is replaced.",
    "state what the proxy is set to",
  ),
  "proxy-unreached": warning(
    "No forwarding rule leads to the proxy on the port of HTTPS, or on any where it is an SSL proxy, so that nobody can reach what is attached to it.",
    "make a forwarding rule, or check that it is the right proxy",
  ),
  "address-taken": error(
    "Another forwarding rule has the address and port already.",
    "adopt the proxy that it leads to, or use another address",
  ),
  "address-elsewhere": error(
    "Traffic would be moved to an address at which the load balancer does not answer.",
    "correct loadBalancer.addresses",
  ),
  "address-not-reserved": error(
    "A forwarding rule takes a fixed external address only if its project has reserved it: Google Cloud refuses any other.",
    "correct the address, or reserve one and name it",
  ),
  "address-scope-mismatch": error(
    "A load balancer answers at addresses of its own scope alone: a global one at global addresses, one of a region at that region's.",
    "reserve an address in the load balancer's scope, and name that",
  ),
  "network-tier-mismatch": error(
    "Load balancers that present certificates by a map answer in the premium network tier; and a forwarding rule is of the same tier as its address.",
    "reserve an address of the tier PREMIUM, and lead a forwarding rule there",
  ),
  "entry-exists": error(
    "The map has an entry for the hostname already, and takes only one.",
    "leave the hostname out, or import the entry",
  ),

  // Existing resources.
  "existing-missing": error(
    "The migration builds on a resource that does not exist.",
    "correct its id, or create the resource first",
  ),
  "references-not-in-outputs": info(
    "Outputs contain only what commands need after an apply, so the doctor could not look up the rest.",
    "run 'cert-migration doctor --stack cdktf.out/stacks/NAME', or give --spec",
  ),
  "existing-not-active": error(
    "The migration would serve a certificate that is not issued, or no longer valid.",
    "wait until it is ACTIVE, or have another one made: one that is FAILED never recovers",
  ),

  "existing-scope-mismatch": error(
    "A certificate is presented by load balancers of its scope alone, and the scope can't be changed.",
    "name a certificate of the scope that the load balancer takes, or leave it out so that one is made",
  ),
  "existing-names-missing": error(
    "The certificate is taken for names that it does not have: their clients would get a certificate for another name.",
    "name another certificate, or have one made",
  ),

  // Clients.
  "clients-without-sni": warning(
    "Clients without SNI, and names that no entry has, get no certificate: the map has no PRIMARY entry.",
    "set primary on the certificate that they shall get",
  ),
  "must-staple": warning(
    "The old certificate tells clients to insist on a stapled OCSP answer, which the load balancer does not give for it.",
    "replace it by a managed certificate, and look for clients that insist on their own",
  ),
  "name-not-served": error(
    "The old certificate has a name that nothing in the migration serves: its clients would fail.",
    "add the name, or make sure that nobody uses it",
  ),
  "validation-lost": warning(
    "The old certificate shows who its owner is; a managed one shows the domain alone.",
    "look for clients that check or pin the owner or the issuer",
  ),
  "address-clients": warning(
    "The old certificate is for an IP address, which no managed certificate can be.",
    "have these clients use a name",
  ),

  // The checks themselves.
  "check-denied": warning(
    "The caller may not look at what has to be checked, so that it was not.",
    "let somebody run it who may, or grant the viewer role",
  ),
  "check-unanswered": warning(
    "The service failed or did not answer, so that nothing was checked.",
    "run the command again",
  ),
  "check-needs-api": info(
    "What has to be checked is behind an API that is not enabled, so that it was not.",
    "enable the API and run the command again",
  ),
} as const;

export type DoctorCode = keyof typeof codes;

/**
 * Every code of a finding, with its meaning and remedy. Findings, documentation and tests are derived from this table.
 */
export const doctorCodes: CodeTable<DoctorCode> = codes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof doctorCodes, true> {}
}
