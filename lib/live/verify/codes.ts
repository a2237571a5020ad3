import { type CodeTable, error, warning } from "../../findings/codes";

export const handshakeCodes = {
  "connection-refused": error(
    "the address refuses connections at the port",
    "check the forwarding rule of the address with this port, and its target proxy",
  ),
  "connection-reset": error(
    "the connection was reset during the handshake",
    "check for a firewall or intrusion prevention on the way to the address; if the failure is intermittent, the load balancer is still being configured",
  ),
  "connection-closed": error(
    "the server closed the connection during the handshake, without a TLS alert",
    "check that the forwarding rule leads to an HTTPS or SSL proxy, and that the proxy has a certificate or a map",
  ),
  unreachable: error(
    "this machine has no route to the address",
    "verify from a machine with a route; for an internal load balancer, from its VPC network",
  ),
  "ipv6-not-here": error(
    "the address is an IPv6 address, and this machine has no IPv6",
    "verify from a machine with IPv6, or skip the address with --family ipv4, which leaves it unverified",
  ),
  timeout: error(
    "the address did not answer in time",
    "check for a firewall that drops packets; a new forwarding rule needs some minutes until it answers",
  ),
  "handshake-timeout": error(
    "the server accepted the connection, but did not answer the handshake in time",
    "check that the address leads to a TLS proxy; an overloaded front end also causes this, so retry",
  ),
  "handshake-refused": error(
    "the load balancer has no certificate for the name",
    "check that its map entry exists and is ACTIVE and that the map is attached to the target proxy; changes need some minutes to reach all front ends",
  ),
  "protocol-refused": error(
    "the load balancer and the client have no TLS version in common",
    "check the SSL policy of the target proxy: its minimum TLS version is too high",
  ),
  "handshake-failed": error(
    "the client and the load balancer did not agree on the parameters of the handshake",
    "check the SSL policy of the target proxy, and whether it requests client certificates (a server TLS policy)",
  ),
  "client-certificate-required": error(
    "the server requires a client certificate and rejects every client without it",
    "present a certificate with --client-certificate and --client-key (in a gate, with CERT_MIGRATION_CLIENT_CERTIFICATE and CERT_MIGRATION_CLIENT_KEY), or check the server TLS policy of the target proxy",
  ),
  "rejected-after-handshake": error(
    "the server closes the connection right after the handshake",
    "check the server TLS policy (mutual TLS) of the target proxy, and the health of the backends of an SSL proxy",
  ),
  "plaintext-answer": error(
    "the server at the address does not use TLS",
    "check the port: the forwarding rule leads to an HTTP proxy, or the address does not belong to a load balancer",
  ),
  "name-mismatch": error(
    "the served certificate is for other names",
    "check the map entry of the name; without an entry, the PRIMARY entry serves it, and a wildcard matches one label only",
  ),
  "certificate-expired": error(
    "the certificate has expired",
    "renew a self-managed certificate; for a managed certificate, check its state and the CNAME of its authorization; check the clock of this machine",
  ),
  "certificate-not-yet-valid": error(
    "the certificate is not valid yet",
    "check the clock of this machine; if it is right, don't move traffic before the certificate is valid",
  ),
  "chain-expired": error(
    "the certificate is valid, but another certificate of its chain is not",
    "append the current intermediate certificates of the CA to pem_certificate; check the clock of this machine",
  ),
  "weak-key": error(
    "the key of the certificate is too short: clients refuse it, and load balancers don't accept it",
    "issue the certificate again with an RSA key of 2048 bits or more, or with an ECDSA key of 256 bits or more",
  ),
  "certificate-revoked": error(
    "the stapled OCSP response reports that the CA has revoked the certificate",
    "replace the certificate with a new certificate and a new key, and find out why it was revoked",
  ),
  "self-signed": error(
    "the certificate is self-signed: clients don't trust it",
    "use a certificate of a CA in the entry; if clients trust this certificate, add it with --ca",
  ),
  "chain-incomplete": error(
    "the server sends only its own certificate, and clients don't trust its issuer",
    "append the intermediate certificates to pem_certificate; for a private CA, add its root with --ca",
  ),
  "untrusted-chain": error(
    "the chain does not lead to a CA that clients trust",
    "for a private CA, add its root with --ca, or --trust-pool for a CA pool of the migration; otherwise check for a missing intermediate certificate, or use a certificate of a public CA in the entry",
  ),
  "chain-out-of-order": error(
    "the server sends the certificates of its chain in a wrong order, which strict clients refuse",
    "sort pem_certificate: the certificate first, then each issuer after the certificate that it has issued",
  ),
  "http-no-answer": error(
    "the handshake succeeds, but no HTTP response follows",
    "check the URL map, the backend service and the health of its backends",
  ),
  "http-server-error": error(
    "the load balancer or its backend answers with an error",
    "check the health of the backends, and firewall rules that block health checks",
  ),
} as const;

/** Failures of one connection, without comparison with a plan. */
export type HandshakeFailure = keyof typeof handshakeCodes | "stopped";

const servingCodes = {
  "other-certificate": error(
    "the served certificate is valid for the name, but is not the certificate of the plan",
    "check the certificate of the map entry; changes need some minutes to reach all front ends",
  ),
  "certificate-not-issued": error(
    "the certificate of the plan for the name does not exist, or is not issued",
    "run 'cert-migration wait' and then verify again",
  ),
  "staple-missing": error(
    "the certificate is must-staple, and is served without a valid OCSP response: clients that require the response end the handshake",
    "replace the certificate with a managed certificate, or with a certificate without the must-staple extension: load balancers don't staple OCSP responses",
  ),
  "key-type-missing": error(
    "a client that supports only one key type is not served",
    "add a certificate with this key type to the entry: an entry can have several certificates",
  ),
  flapping: error(
    "some handshakes succeed and some fail",
    "wait until the latest change has reached all front ends, and verify again; if the failure remains, look for a second forwarding rule or a second record with the address",
  ),
  stopped: warning("the run was stopped before the check finished", "run the command again"),
  "not-tried": error("the time limit ended the run before this check", "increase --within, or --concurrency"),
} as const;

/** Failures of a hostname at an address. */
export type ServingFailure = HandshakeFailure | keyof typeof servingCodes;

const findingCodes = {
  "primary-not-served": error(
    "the plan has a PRIMARY entry, and clients without SNI or with an unknown name are refused",
    "check that the PRIMARY entry is ACTIVE and belongs to the attached map",
  ),
  "primary-other-certificate": error(
    "clients without SNI or with an unknown name get another certificate than the certificate of the plan's PRIMARY entry",
    "look for a second PRIMARY entry, or for another map on the target proxy",
  ),
  "unplanned-fallback": warning(
    "clients without SNI or with an unknown name get a certificate, though the plan has no PRIMARY entry",
    "find the entry that serves it: it also hides a hostname that has no entry",
  ),
  "expires-soon": warning(
    "the certificate expires within two weeks; managed certificates are renewed long before",
    "renew a self-managed certificate; for a managed certificate, check that the CNAME of its authorization is published",
  ),
  "not-confirmed": warning(
    "the server sends no data after the handshake, so it is unknown whether it accepts the client",
    "request an HTTP response with --http; a service that waits for data of the client sends nothing, which can be correct",
  ),
  "protocol-lost": error(
    "clients could use TLS 1.2 or 1.3 with the previous provider and can't with the load balancer",
    "check the SSL policy of the target proxy; without a policy it supports TLS 1.0 to 1.3",
  ),
  "obsolete-protocol-lost": warning(
    "clients could use TLS 1.0 or 1.1 with the previous provider and can't with the load balancer",
    "check whether you have clients with these versions; an SSL policy with a lower minimum TLS version allows them",
  ),
  "key-type-lost": warning(
    "clients that support only one key type are served by the previous provider and not by the load balancer",
    "add a certificate with this key type to the entry",
  ),
  "alpn-lost": warning(
    "the previous provider offered an application protocol that the load balancer does not offer",
    "use an HTTPS proxy instead of an SSL proxy, which offers no application protocol, or check that no client needs it",
  ),
  "no-sni-lost": warning(
    "clients without SNI get a certificate for the name from the previous provider and no certificate from the load balancer",
    "add a PRIMARY entry with a certificate for the name if you have clients without SNI",
  ),
  "name-not-planned": warning(
    "the certificate of the previous provider has a name that the plan does not serve",
    "add the name to the plan, or make sure that it is unused",
  ),
  "previous-provider-unseen": warning(
    "the previous provider refuses the name, or none of its addresses is known, so no comparison was possible",
    "pass the address that serves it today with --against",
  ),
  "not-compared": warning(
    "an address of either side was not compared, so the comparison may have missed differences",
    "check whether an address that accepts no connection is still in use; pass further addresses with --against",
  ),
  "comparison-unfinished": error(
    "the comparison with the previous provider did not finish, so it may have missed differences",
    "increase --within or --concurrency, and verify again from a machine that reaches both providers",
  ),
  "addresses-differ": error(
    "the addresses of a hostname serve different certificates, each valid for the hostname",
    "changes need some minutes to reach all front ends: verify again; if the difference remains, check which address an earlier configuration serves; with --no-exact, the finding is a warning",
  ),
  "freeze-violated": error(
    "a setting was changed during the change freeze",
    "list the violations with 'cert-migration audit guard', and resolve them before traffic moves",
  ),
  "freeze-unknown": error(
    "the audit log does not show whether the freeze was kept",
    "see the reasons with 'cert-migration audit guard', and run it again when the log is complete",
  ),
} as const;

/** Codes of findings about an address as a whole, or about the previous provider. */
export type FindingCode = keyof typeof findingCodes;

/** A code of {@link verifyCodes}. */
export type VerifyCode = ServingFailure | FindingCode;

/** Every code of `verify`, for hostnames, addresses and comparisons. */
export const verifyCodes: CodeTable<VerifyCode> = { ...handshakeCodes, ...servingCodes, ...findingCodes };

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof verifyCodes, true> {}
}
