import { type CodeTable, error, warning } from "../../findings/codes";

/** Failures of one connection, without comparison with a plan. */
export type HandshakeFailure =
  | "connection-refused"
  | "connection-reset"
  | "connection-closed"
  | "unreachable"
  | "ipv6-not-here"
  | "timeout"
  | "handshake-timeout"
  | "handshake-refused"
  | "protocol-refused"
  | "handshake-failed"
  | "client-certificate-required"
  | "rejected-after-handshake"
  | "plaintext-answer"
  | "name-mismatch"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "chain-expired"
  | "self-signed"
  | "chain-incomplete"
  | "untrusted-chain"
  | "http-no-answer"
  | "http-server-error"
  | "stopped";

/** Failures of a hostname at an address. */
export type ServingFailure =
  | HandshakeFailure
  | "other-certificate"
  | "certificate-not-issued"
  | "staple-missing"
  | "key-type-missing"
  | "flapping"
  | "not-tried";

/** Codes of findings about an address as a whole, or about the previous provider. */
export type FindingCode =
  | "primary-not-served"
  | "primary-other-certificate"
  | "unplanned-fallback"
  | "expires-soon"
  | "not-confirmed"
  | "protocol-lost"
  | "old-protocol-lost"
  | "key-type-lost"
  | "alpn-lost"
  | "no-sni-lost"
  | "name-not-planned"
  | "old-side-unseen"
  | "not-compared"
  | "freeze-violated"
  | "freeze-unknown";

export type VerifyCode = ServingFailure | FindingCode;

/** Every code of `verify`, for hostnames, addresses and comparisons. */
export const verifyCodes: CodeTable<VerifyCode> = {
  "connection-refused": error(
    "nothing listens at the address and port",
    "look for a forwarding rule of the address with that port, and for its target proxy",
  ),
  "connection-reset": error(
    "the connection was torn down while it was set up",
    "look for a firewall or an intrusion prevention between here and the address; if it comes and goes, the load balancer is still being set up",
  ),
  "connection-closed": error(
    "the server ended the connection before the handshake was done, without saying why",
    "look whether the forwarding rule leads to an HTTPS or SSL proxy, and whether that has a certificate or a map at all",
  ),
  unreachable: error(
    "there is no way to the address from here",
    "verify from where the network allows it, as for an internal load balancer from within its VPC network",
  ),
  "ipv6-not-here": error(
    "the address is one of IPv6, and this machine has no IPv6",
    "verify from a machine that has, or leave the address out with --family ipv4 and know that it was not verified",
  ),
  timeout: error(
    "nothing answered at the address in time",
    "look for a firewall that drops it; a new forwarding rule takes some minutes until it answers",
  ),
  "handshake-timeout": error(
    "the connection was taken, and then nothing came",
    "look whether a TLS proxy is behind the address at all; a front end that is overloaded does this too, so try again",
  ),
  "handshake-refused": error(
    "the load balancer has no certificate for the name",
    "look whether its map entry is there and ACTIVE, whether the map is attached to the target proxy, and give fronts some minutes to learn of it",
  ),
  "protocol-refused": error(
    "the load balancer speaks no version of TLS that the client speaks",
    "look at the SSL policy of the target proxy: its least version of TLS is too high",
  ),
  "handshake-failed": error(
    "client and load balancer could not agree on a handshake",
    "look at the SSL policy of the target proxy, and whether it wants certificates of clients (a server TLS policy)",
  ),
  "client-certificate-required": error(
    "the server requires a certificate of the client and rejects every client without one",
    "look at the server TLS policy (mutual TLS) of the target proxy: remove it, or set its validation mode to ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
  ),
  "rejected-after-handshake": error(
    "the server ends the connection right after the handshake, before it has accepted it",
    "look at the server TLS policy (mutual TLS) of the target proxy, and at the health of the backends behind an SSL proxy",
  ),
  "plaintext-answer": error(
    "what answers does not speak TLS",
    "look at the port: the forwarding rule leads to an HTTP proxy, or to something that is no load balancer",
  ),
  "name-mismatch": error(
    "a certificate for other names is served",
    "look for the map entry of the name; without one a PRIMARY entry steps in, and a wildcard covers one label alone",
  ),
  "certificate-expired": error(
    "the certificate is not valid any more",
    "renew a self-managed one; of a managed one look at its state and at the CNAME of its authorization; look at the clock of this machine",
  ),
  "certificate-not-yet-valid": error(
    "the certificate is not valid yet",
    "look at the clock of this machine; else wait until the certificate is valid, and don't move traffic before",
  ),
  "chain-expired": error(
    "the certificate is valid, and one of those behind it is not",
    "put the intermediates that the authority hands out today behind it in pem_certificate; look at the clock of this machine",
  ),
  "self-signed": error(
    "the certificate was signed by itself: no client trusts it",
    "put a certificate of an authority into the entry; where clients trust this one, give it with --ca",
  ),
  "chain-incomplete": error(
    "the server sends its own certificate alone, and nothing that clients trust has issued it",
    "put the intermediate certificates behind it in pem_certificate; with a private authority give its root with --ca",
  ),
  "untrusted-chain": error(
    "the chain does not lead to an authority that clients trust",
    "with a private authority give its root with --ca; else look whether an intermediate is missing, or put a certificate of a public authority into the entry",
  ),
  "http-no-answer": error(
    "the handshake is good, and then no answer of HTTP comes",
    "look at the URL map and the backend service, and whether its backends are healthy",
  ),
  "http-server-error": error(
    "the load balancer answers with an error of its own side or of the backend",
    "look at the health of the backends, and at firewall rules that keep health checks out",
  ),
  "other-certificate": error(
    "a certificate is served that is right for the name, but it is not the one that the plan has for it",
    "look which certificate the map entry names; after a change fronts take some minutes to follow",
  ),
  "certificate-not-issued": error(
    "the certificate that the plan has for the name is not there, or not issued",
    "run 'cert-migration wait' and then verify again",
  ),
  "staple-missing": error(
    "the certificate is must-staple, and is served without a valid OCSP response: clients that insist on one end the handshake",
    "replace the certificate by a managed one, or by one without the must-staple extension: load balancers staple no OCSP response",
  ),
  "key-type-missing": error(
    "a client that takes only one type of key is not served",
    "put a certificate with such a key into the entry beside the other one: an entry may have several",
  ),
  flapping: error(
    "good and bad handshakes take turns",
    "give fronts time to follow the latest change and verify again; if it stays, look for a second forwarding rule or a second record with the address",
  ),
  stopped: warning("the run was stopped before anything was known of it", "nothing is to be made of it: run it again"),
  "not-tried": error(
    "the time was over before it was its turn",
    "give more time with --within, or more connections at once with --concurrency",
  ),
  "primary-not-served": error(
    "the plan has a PRIMARY entry, and clients without SNI or with an unknown name are refused",
    "look whether the PRIMARY entry is ACTIVE and in the map that is attached",
  ),
  "primary-other-certificate": error(
    "clients without SNI or with an unknown name get another certificate than the plan's PRIMARY entry has",
    "look for a second PRIMARY entry, or for another map on the target proxy",
  ),
  "unplanned-fallback": warning(
    "clients without SNI or with an unknown name get a certificate, though the plan has no PRIMARY entry",
    "look which entry it comes from: it also hides a hostname that has no entry",
  ),
  "expires-soon": warning(
    "the certificate ends within two weeks, though a managed one is renewed long before",
    "renew a self-managed one; of a managed one look whether the CNAME of its authorization is still published",
  ),
  "not-confirmed": warning(
    "the server says nothing after the handshake, so nobody knows whether it has accepted the client",
    "ask for an answer of HTTP with --http; a service that waits for the client to speak is silent, and may be fine",
  ),
  "protocol-lost": error(
    "clients could speak TLS 1.2 or 1.3 with the old side and can't with the load balancer",
    "look at the SSL policy of the target proxy; without a policy it speaks TLS 1.0 to 1.3",
  ),
  "old-protocol-lost": warning(
    "clients could speak TLS 1.0 or 1.1 with the old side and can't with the load balancer",
    "see whether there are such clients; an SSL policy with a lower least version of TLS lets them in",
  ),
  "key-type-lost": warning(
    "clients that take only one type of key are served by the old side and not by the load balancer",
    "put a certificate with such a key into the entry beside the other one",
  ),
  "alpn-lost": warning(
    "clients could speak an application protocol with the old side that the load balancer does not offer",
    "use an HTTPS proxy rather than an SSL proxy, which passes none on, or see that no client needs it",
  ),
  "no-sni-lost": warning(
    "clients without SNI get a certificate for the name from the old side and none from the load balancer",
    "add a PRIMARY entry with a certificate for the name, if there are such clients",
  ),
  "name-not-planned": warning(
    "the old side's certificate has a name that the plan does not serve",
    "add the name to the plan, or see that nobody uses it",
  ),
  "old-side-unseen": warning(
    "the old side gave no good handshake for the name, so nothing could be compared",
    "give the address that serves it today with --against",
  ),
  "not-compared": warning(
    "an address of either side was not compared, or not to the end, so something may be lost that nobody was told of",
    "give more time with --within, or more connections at once with --concurrency; look whether an address that lets no connection through is still in use",
  ),
  "freeze-violated": error(
    "somebody changed what was frozen",
    "look at the violations with 'cert-migration audit guard', and clear them before traffic moves",
  ),
  "freeze-unknown": error(
    "the audit log does not say whether the freeze was kept",
    "look at the doubts with 'cert-migration audit guard', and ask again when the log is whole",
  ),
};

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof verifyCodes, true> {}
}
