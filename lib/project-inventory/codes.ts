import { type CodeTable, error, info, warning } from "../findings/codes";
import { type CodedFinding, findingsOf } from "../findings/finding";
import { renewalCodes } from "../renewal";

/** Lists the findings of a project's inventory by code. */
export const projectFindings = {
  "project-unread": error(
    "A part of the project could not be read, so the inventory is incomplete.",
    "grant the missing permission (docs/permissions.md), or enable the API, and run the inventory again; if a location did not answer, run it again later",
  ),

  // Certificates.
  ...renewalCodes,
  "certificate-failed": error(
    "Google could not issue a managed certificate that a proxy presents.",
    "fix the DNS records of the failed domains, or leave retired domains out of the migration",
  ),
  "certificate-not-active": warning(
    "A certificate that a proxy presents is not issued yet.",
    "to move its names now, add them to 'certificates' and 'mustServe' of the migration, which leaves out a certificate that was never issued; otherwise wait until it is ACTIVE, or detach it from the proxy",
  ),
  "certificate-unused": info(
    "No proxy presents the certificate, directly or by a certificate map.",
    "nothing depends on it; it is not part of the migration",
  ),
  "certificate-other-scope": info(
    "The certificate is not for clients of a load balancer: EDGE_CACHE is for edge cache services of Media CDN, CLIENT_AUTH for backend authentication configs.",
    "no action is needed; it is not part of a load balancer's migration",
  ),
  "authorization-needed": warning(
    "Google validates the domains of this certificate through the load balancer. A certificate for a map that is issued before traffic moves needs DNS authorizations.",
    "publish the CNAME records of the migration's DNS authorizations first, then wait until the new certificate is ACTIVE",
  ),
  "certificate-private": info(
    "A private CA issues this certificate: clients that do not trust the CA refuse it.",
    "keep the issuer for these names: give the CA pool with --ca-pool, or use 'kind: privateCa' in the migration",
  ),

  // Proxies.
  "proxy-certificates-full": warning(
    "The proxy has the maximum number of directly attached certificates: 15 of Compute Engine, or 100 of Certificate Manager.",
    "no certificate can be added directly; attach a certificate map, which has no such limit, or, if the load balancer takes no map, put more names into each certificate",
  ),
  "proxy-has-map": info(
    "The proxy already has a certificate map.",
    "its entries are kept: add the new entries to this map, or copy all of its entries to the new one",
  ),
  "proxy-takes-no-map": warning(
    "Regional and internal load balancers accept no certificate map.",
    "attach certificates of Certificate Manager in the proxy's location directly; --out writes a migration for each region and kind",
  ),
  "proxy-first-certificate": warning(
    "Clients without SNI get the first certificate of the proxy. A migration of a regional or internal proxy has no PRIMARY entry that keeps it.",
    "attach the new certificate with the same names as the first certificate of the proxy",
  ),
  "proxy-standard-tier": warning(
    "A forwarding rule of the network tier STANDARD leads to the proxy. Load balancers with a certificate map need the tier PREMIUM, and an address can't change its tier.",
    "keep the certificates on the proxy; or reserve a PREMIUM address, create a forwarding rule on it, and move traffic to it in a migration with 'traffic'",
  ),
  "proxy-without-rule": info("No forwarding rule leads to the proxy, so it serves nothing.", "leave it out"),
  "ssl-proxy-exclusive": warning(
    "Before version 7.19, the google provider does not accept a certificate map and certificates on one target SSL proxy.",
    "with google 7.19 or later in the configuration that owns the proxy, use 'inventory --ssl-proxies --out'; with an earlier version, create a new target SSL proxy with the map and update the target of the forwarding rule",
  ),
  "proxy-owned-by-gke": warning(
    "A controller of Google Kubernetes Engine manages the proxy and reverts changes of other tools.",
    "do not adopt it: create the certificate map without a proxy, and name the map in the Gateway or Ingress",
  ),

  // Names.
  "name-without-zone": error(
    "A served name has no public zone in the projects that were read.",
    "name the project of the zone with --dns-project, or publish the records manually (dns: external)",
  ),

  // Probes.
  "probe-failed": warning(
    "An address did not finish a handshake for a name that its proxy has a certificate for.",
    "check firewalls and the frontend's state, and run the inventory from a network that reaches the address",
  ),
  "probe-mismatch": error(
    "An address serves a certificate that does not cover the requested name.",
    "clients of this name fail today: attach a certificate for it, or leave the name out",
  ),
  "probe-differs": warning(
    "An address serves a certificate that the inventory does not contain.",
    "check whether a recent change is still propagating, and whether another service answers at the address",
  ),
} as const satisfies CodeTable;

/** A code of {@link projectFindings}. */
export type ProjectFindingCode = keyof typeof projectFindings;

/** A finding of a project's inventory. Its subject is the id of a resource, or a name. */
export type ProjectFinding = CodedFinding<ProjectFindingCode>;

export const projectFinding = findingsOf(projectFindings);

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof projectFindings, true> {}
}
