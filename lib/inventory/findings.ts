import { type CodeTable, error, info, warning } from "../findings/codes";
import { type Finding, findingsOf } from "../findings/finding";

/** Lists every finding of an inventory by its code, grouped by subject. */
export const inventoryFindings = {
  // Connection to the server.
  "connection-refused": error(
    "Nothing listens at an address of the host.",
    "take a dead address out of DNS before the migration, or give the port with the host",
  ),
  unreachable: error(
    "There is no way to an address of the host from here.",
    "run the inventory where the network allows it, for instance where IPv6 works",
  ),
  timeout: error(
    "An address of the host did not finish the handshake in time.",
    "look for a firewall, or give it longer with --timeout",
  ),
  "plaintext-answer": error(
    "An address of the host answers without TLS: a server of plain HTTP, or one of mail that begins TLS later (STARTTLS).",
    "give the port of TLS with the host, as in shop.example.com:8443; a server with STARTTLS can't be moved behind a load balancer of this kind",
  ),
  "handshake-refused": error(
    "An address of the host refuses every handshake for this name.",
    "ask the provider whether the host is still set up there; if it is retired, take it off the list",
  ),
  "certificate-malformed": error(
    "An address of the host serves a certificate that OpenSSL and Node refuse, so that its names are unknown and many clients fail.",
    "have the certificate authority issue the certificate again; see it with: openssl asn1parse -inform DER",
  ),
  "not-asked": error(
    "The run ended before this was asked.",
    "run it again; where it was the time that was over, with a shorter list, a longer --within or a higher --concurrency",
  ),
  "legacy-protocol": warning(
    "The server speaks nothing newer than TLS 1.1, and so do perhaps clients of it.",
    "find out who still comes with TLS 1.0 or 1.1, and choose the load balancer's SSL policy accordingly",
  ),
  "client-certificate-wanted": warning(
    "The server asks its clients for certificates.",
    "give the load balancer a server TLS policy (mutual TLS) before traffic moves; a certificate map does not bring one along",
  ),

  // The certificate that the server serves.
  "name-mismatch": error(
    "The certificate that is served is not for the host.",
    "clients fail there today: look whether the host is retired, or which certificate was meant",
  ),
  "name-uncovered": error(
    "No certificate that was found is for a host that is listed.",
    "add a certificate for it to the migration, or take it off the list",
  ),
  "wildcard-coverage": info(
    "The host is served by a wildcard alone.",
    "the migration serves it by the wildcard too; nothing is to be done",
  ),
  "addresses-differ": warning(
    "Addresses of one host serve different certificates.",
    "find out which is current: a forgotten server keeps an old one, and is what some clients get",
  ),
  "two-key-types": warning(
    "The host is served with an ECDSA and with an RSA certificate.",
    "a managed certificate has one key: for clients that can check only the other kind put a second one beside it ('alternatives')",
  ),

  "no-sni-served": info(
    "Clients that name no host (without SNI: some monitoring, old libraries) get a certificate for the host today.",
    "a certificate map has nothing for them without a PRIMARY entry: mark the certificate with 'primary: true' if there are such clients",
  ),
  "default-of-others": warning(
    "Clients that name no host (without SNI) get a certificate that is for none of the hosts there.",
    "they fail today, or don't look at the name: choose what they get after the move by 'primary: true' at a certificate; without it a certificate map has nothing for them",
  ),

  // The chain that the server sends.
  "chain-incomplete": warning(
    "The chain ends before a root, or at a root that is not known here.",
    "an intermediate is missing, which some clients fetch and others don't; where the root is a private one, give it with --ca",
  ),
  "chain-wrong-order": warning(
    "The chain is not sent from the server's certificate upwards.",
    "old clients fail there; Google's load balancer sends it in order",
  ),
  "chain-has-root": info("The chain is sent with its root, which no client uses.", "nothing is to be done"),
  "chain-has-strangers": info(
    "Certificates are sent that have nothing to do with the chain.",
    "nothing is to be done; they go with the old provider",
  ),
  "chain-root-unknown": warning(
    "The chain ends at a root that is not known here.",
    "where clients trust this private root alone, they have to trust Google's authority before traffic moves; give it with --ca",
  ),
  "chain-expired": error(
    "A certificate of an authority in the chain is not valid now.",
    "clients fail there today: have the provider send the current chain",
  ),
  "chain-untrusted": warning(
    "The chain is not trusted here, for another reason.",
    "look at the reason; clients may fail there today",
  ),

  // DNS records of the names.
  "name-not-resolving": warning(
    "A listed host has no address in DNS.",
    "take it off the list if it is retired; with --connect its server is asked at a given address",
  ),
  "dns-failed": error(
    "Nobody could say what DNS has of a name.",
    "try again, or ask another server with --dns-server; the name's traffic is left out of the migration",
  ),
  "name-not-listed": warning(
    "A name of a certificate is in DNS, and nobody listed it as a host.",
    "somebody may be using it: add it to the list, or make sure that it may go",
  ),
  "dns-wildcard": warning(
    "DNS has a record for every name of a domain.",
    "hosts may be in use that are on no list; the record moves with traffic.previous, and so do names that have the same by it",
  ),
  "name-gone": info(
    "A name of a certificate is not in DNS any more.",
    "leave it out of the migration if nobody needs it: each name has to be authorized",
  ),
  "name-of-others": warning(
    "A name of a served certificate lies in a domain of which no host is listed.",
    "it is left out of the migration; list a host of the domain if it is yours",
  ),
  "name-is-alias": info(
    "The name is a CNAME today.",
    "when traffic moves its target changes, not its type; it must be in a zone that you write to",
  ),
  "ttl-long": warning(
    "Resolvers keep the name's records for a long time, and send clients to the old provider so long after the change.",
    "lower the time to live to 60 seconds, and wait for the old one to pass before traffic moves",
  ),
} as const satisfies CodeTable;

export type InventoryFindingCode = keyof typeof inventoryFindings;

/** A finding about a server, a chain or a name. Its subject is a host as `HOST:PORT`, or a name. */
export type InventoryFinding = Finding<InventoryFindingCode>;

export const finding = findingsOf(inventoryFindings);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof inventoryFindings, true> {}
}
