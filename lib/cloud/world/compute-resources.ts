/** Converts the load balancers of an inventory to resources as Compute Engine stores them. */
import type {
  ProjectAddress,
  ProjectCertificate,
  ProjectForwardingRule,
  ProjectInventory,
  ProjectProxy,
  ProjectUrlMap,
} from "../../project-inventory";
import { certificateManagerPrefix } from "../../resource-names";
import type { CopiedCertificate } from "../certificate-authority";
import type { ComputeCollection } from "../compute/links";
import type { Json } from "../front";

/** A resource without the members that the service sets for every kind. */
export interface WorldResource {
  /** Path, for example `projects/p1/global/urlMaps/web`. */
  readonly path: string;
  readonly collection: ComputeCollection;
  readonly schema: string;
  readonly members: Json;
}

type Balancers = Pick<ProjectInventory, "forwardingRules" | "addresses" | "proxies" | "urlMaps">;

/** @param link returns the full link of a path */
export function balancerResources(
  { forwardingRules, addresses, proxies, urlMaps }: Balancers,
  link: (path: string) => string,
): readonly WorldResource[] {
  return [
    ...backendServices({ forwardingRules, proxies, urlMaps }),
    ...urlMaps.map((urlMap) => urlMapResource(urlMap, link)),
    ...proxies.map((proxy) => proxyResource(proxy, link)),
    ...addresses.map(addressResource),
    ...forwardingRules.map((rule) => ruleResource(rule, link)),
  ];
}

/** Converts a certificate. @param keys absent before its issuance */
export function certificateResource(
  certificate: ProjectCertificate,
  keys: CopiedCertificate | undefined,
): WorldResource {
  const { id, kind, domains, status, domainStatuses, notAfter, description } = certificate;
  const domainStatus = Object.fromEntries(domainStatuses.map((status) => [status.domain, status.status]));
  const managed = { domains, status, ...(domainStatuses.length === 0 ? {} : { domainStatus }) };
  const isManaged = kind === "computeManaged";
  return {
    path: id,
    collection: "sslCertificates",
    schema: "SslCertificate",
    members: {
      description,
      type: isManaged ? "MANAGED" : "SELF_MANAGED",
      certificate: keys?.chainPem,
      privateKey: keys?.privateKeyPem,
      ...(isManaged ? { managed } : { selfManaged: { certificate: keys?.chainPem } }),
      subjectAlternativeNames: domains,
      expireTime: notAfter,
    },
  };
}

function ruleResource(rule: ProjectForwardingRule, link: (path: string) => string): WorldResource {
  const { id, ipAddress, port, scheme, networkTier, proxyId, labels, description } = rule;
  return {
    path: id,
    collection: "forwardingRules",
    schema: "ForwardingRule",
    members: {
      description,
      labels,
      networkTier,
      loadBalancingScheme: scheme,
      IPProtocol: "TCP",
      portRange: `${port}-${port}`,
      IPAddress: ipAddress,
      target: link(proxyId),
    },
  };
}

function addressResource({ id, ipAddress, ipVersion, addressType, networkTier }: ProjectAddress): WorldResource {
  return {
    path: id,
    collection: "addresses",
    schema: "Address",
    members: { networkTier, address: ipAddress, addressType, ipVersion },
  };
}

function proxyResource(proxy: ProjectProxy, link: (path: string) => string): WorldResource {
  const { id, kind, mapId, certificateIds, urlMapId, backendServiceId, sslPolicyId, serverTlsPolicyId } = proxy;
  const linkOf = (path: string | undefined) => (path === undefined ? undefined : link(path));
  const manager = (path: string) => `${certificateManagerPrefix}${path}`;
  const certificates = certificateIds.map((path) => (path.includes("/locations/") ? manager(path) : link(path)));
  return {
    path: id,
    collection: kind === "https" ? "targetHttpsProxies" : "targetSslProxies",
    schema: kind === "https" ? "TargetHttpsProxy" : "TargetSslProxy",
    members: {
      description: proxy.description,
      certificateMap: mapId === undefined ? undefined : manager(mapId),
      sslCertificates: certificates.length === 0 ? undefined : certificates,
      urlMap: linkOf(urlMapId),
      service: linkOf(backendServiceId),
      sslPolicy: linkOf(sslPolicyId),
      serverTlsPolicy: serverTlsPolicyId,
      quicOverride: proxy.quicOverride,
      tlsEarlyData: proxy.tlsEarlyData,
      httpKeepAliveTimeoutSec: proxy.httpKeepAliveTimeoutSeconds,
      proxyHeader: proxy.proxyHeader,
      ...(kind === "https" ? { proxyBind: false } : {}),
    },
  };
}

/** Converts a URL map. The first backend serves all hosts, and each other backend a path of its own. */
function urlMapResource(
  { id, hosts, backendIds, description }: ProjectUrlMap,
  link: (path: string) => string,
): WorldResource {
  const [first, ...others] = backendIds;
  const target =
    first === undefined
      ? { defaultUrlRedirect: { httpsRedirect: true, stripQuery: false } }
      : { defaultService: link(first) };
  const pathRules = others.map((backend, index) => ({ paths: [`/${index + 1}/*`], service: link(backend) }));
  // A path matcher needs a host rule; without hosts, the rule is for any host.
  const isMatched = hosts.length > 0 || pathRules.length > 0;
  return {
    path: id,
    collection: "urlMaps",
    schema: "UrlMap",
    members: {
      description,
      ...target,
      ...(isMatched
        ? {
            hostRules: [{ hosts: hosts.length > 0 ? hosts : ["*"], pathMatcher: "hosts" }],
            pathMatchers: [{ name: "hosts", ...target, ...(pathRules.length > 0 ? { pathRules } : {}) }],
          }
        : {}),
    },
  };
}

/** Returns the backend services that URL maps and SSL proxies name, with the scheme of the rules that lead to them. */
function backendServices({
  forwardingRules,
  proxies,
  urlMaps,
}: Pick<Balancers, "forwardingRules" | "proxies" | "urlMaps">): readonly WorldResource[] {
  const schemes = new Map(forwardingRules.map(({ proxyId, scheme }) => [proxyId, scheme]));
  const backendsOf = new Map(urlMaps.map(({ id, backendIds }) => [id, backendIds]));
  const services = new Map<string, WorldResource>();
  for (const { id, kind, urlMapId, backendServiceId } of proxies) {
    const backends = backendServiceId === undefined ? backendsOf.get(urlMapId ?? "") : [backendServiceId];
    for (const path of backends ?? []) {
      if (!path.includes("/backendServices/")) continue;
      services.set(path, {
        path,
        collection: "backendServices",
        schema: "BackendService",
        members: {
          protocol: kind === "ssl" ? "SSL" : "HTTPS",
          loadBalancingScheme: schemes.get(id) ?? "EXTERNAL_MANAGED",
          portName: "https",
          timeoutSec: 30,
        },
      });
    }
  }
  return [...services.values()];
}
