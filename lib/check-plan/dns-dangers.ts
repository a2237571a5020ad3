import { type CodeTable, error, warning } from "../findings/codes";

/** Codes for the effects of a plan on DNS that interrupt traffic, or may do so. */
export const dnsDangers = {
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
