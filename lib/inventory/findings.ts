import { type CodeTable, error, info, warning } from "../findings/codes";
import { type CodedFinding, findingsOf } from "../findings/finding";

/** Lists every finding of an inventory by its code, grouped by subject. */
export const inventoryFindings = {
  // Connection to the server.
  "connection-refused": error(
    "An address of the host refuses connections.",
    "remove an unused address from DNS before the migration, or add the port to the host",
  ),
  unreachable: error(
    "This machine has no route to an address of the host.",
    "run the inventory where the network allows it, for instance where IPv6 works",
  ),
  timeout: error(
    "An address of the host did not finish the handshake in time.",
    "check for a firewall, or increase --timeout",
  ),
  "plaintext-answer": error(
    "An address of the host answers without TLS: a plain HTTP server, or a mail server that uses STARTTLS.",
    "add the TLS port to the host, as in shop.example.com:8443; servers with STARTTLS can't be moved behind this kind of load balancer",
  ),
  "handshake-refused": error(
    "An address of the host refuses every handshake for this name.",
    "ask the provider whether the host is still configured there; if it is retired, remove it from the list",
  ),
  "certificate-malformed": error(
    "An address of the host serves a certificate that OpenSSL and Node refuse, so that its names are unknown and many clients fail.",
    "ask the certificate authority for a new certificate; show the defect with: openssl asn1parse -inform DER",
  ),
  "not-asked": error(
    "The run ended before this check.",
    "run the command again; if the time limit ended the run, shorten the list, or increase --within or --concurrency",
  ),
  "legacy-protocol": warning(
    "The server supports nothing newer than TLS 1.1, and some clients may not either.",
    "find out which clients still use TLS 1.0 or 1.1, and choose the SSL policy of the load balancer accordingly",
  ),
  "client-certificate-wanted": warning(
    "The server requests client certificates.",
    "configure a server TLS policy (mutual TLS) on the load balancer before traffic moves; a certificate map does not contain it",
  ),

  // The certificate that the server serves.
  "name-mismatch": error(
    "The certificate that is served is not for the host.",
    "clients fail there today: check whether the host is retired, or whether the server has the wrong certificate",
  ),
  "name-uncovered": error(
    "No certificate was found for a listed host.",
    "add a certificate for the host to the migration, or remove the host from the list",
  ),
  "wildcard-coverage": info(
    "The host is served by a wildcard certificate only.",
    "the migration serves the host with the wildcard too; no action is needed",
  ),
  "addresses-differ": warning(
    "Addresses of one host serve different certificates.",
    "find out which certificate is current: some clients get an outdated certificate from a forgotten server",
  ),
  "two-key-types": warning(
    "The host is served with an ECDSA and with an RSA certificate.",
    "a managed certificate has one key: for clients that support only the other key type, add a second certificate ('alternatives')",
  ),

  "no-sni-served": info(
    "Clients without SNI (some monitoring, old libraries) get a certificate for the host today.",
    "a certificate map serves them only with a PRIMARY entry: set 'primary: true' on the certificate if you have clients without SNI",
  ),
  "default-of-others": warning(
    "Clients without SNI get a certificate that is for none of the hosts at this address.",
    "these clients fail today, or don't check the name: set 'primary: true' on the certificate that they get after the move; otherwise a certificate map doesn't serve them",
  ),

  // The chain that the server sends.
  "chain-incomplete": warning(
    "The chain is incomplete, or ends at a root that this machine does not trust.",
    "an intermediate certificate is missing, which only some clients download; if the root is private, add it with --ca",
  ),
  "chain-wrong-order": warning(
    "The chain is not sent from the server's certificate upwards.",
    "some old clients fail; Google's load balancer sends the chain in order",
  ),
  "chain-has-root": info("The chain contains its root, which no client uses.", "no action is needed"),
  "chain-has-strangers": info(
    "The server sends certificates that do not belong to the chain.",
    "no action is needed; the migration does not use them",
  ),
  "chain-root-unknown": warning(
    "The chain ends at a root that this machine does not trust.",
    "clients that trust only this private root must trust Google's certificate authority before traffic moves; add the root with --ca",
  ),
  "chain-expired": error(
    "A CA certificate in the chain has expired or is not valid yet.",
    "clients fail today: ask the provider to send the current chain",
  ),
  "chain-untrusted": warning(
    "The chain is not trusted here, for another reason.",
    "see the reason; clients may fail today",
  ),

  // DNS records of the names.
  "name-not-resolving": warning(
    "A listed host has no address in DNS.",
    "remove it from the list if it is retired; with --connect the command connects to a given address",
  ),
  "dns-failed": error(
    "The DNS look-up of a name failed.",
    "retry, or use another DNS server with --dns-server; the migration leaves the name's traffic out",
  ),
  "name-not-listed": warning(
    "A name of a certificate resolves, but is not a listed host.",
    "clients may use it: add the name to the list, or make sure that it is unused",
  ),
  "dns-wildcard": warning(
    "DNS has a record for every name of a domain.",
    "hosts that are not listed may be in use; traffic.previous moves the record, and with it each name that resolves through the record",
  ),
  "name-gone": info(
    "A name of a certificate no longer resolves.",
    "remove it from the migration if it is unused: each name needs a DNS authorization",
  ),
  "name-of-others": warning(
    "A name of a served certificate belongs to a domain without listed hosts.",
    "the migration leaves the name out; list a host of the domain if the domain is yours",
  ),
  "name-is-alias": info(
    "The name is a CNAME today.",
    "when traffic moves, the target of the CNAME changes, not its type; the CNAME must be in a zone that you can change",
  ),
  "ttl-long": warning(
    "The TTL of the name's records is long: resolvers send clients to the previous provider until the TTL ends.",
    "lower the TTL to 60 seconds, and wait for the previous TTL before traffic moves",
  ),
} as const satisfies CodeTable;

/** A code of {@link inventoryFindings}. */
export type InventoryFindingCode = keyof typeof inventoryFindings;

/** A finding about a server, a chain or a name. Its subject is a host as `HOST:PORT`, or a name. */
export type InventoryFinding = CodedFinding<InventoryFindingCode>;

export const inventoryFinding = findingsOf(inventoryFindings);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof inventoryFindings, true> {}
}
