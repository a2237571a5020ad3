import { isIPv6 } from "node:net";
import { gkeOwnerOf, type OwnershipTraces } from "../../google";
import { canonicalAddress } from "../../hostnames";
import { defined } from "../../json/defined";
import { type Fields, fieldsOf, listOf, textsOf } from "../../json/fields";
import type { ProjectAddress, ProjectForwardingRule, ProjectProxy, ProjectUrlMap } from "../../project-inventory";
import { locationIn, regionIn, resourceNameIn } from "../../resource-names";

export function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function linkedId(value: unknown): string | undefined {
  const link = optionalText(value);
  return link === undefined ? undefined : resourceNameIn(link);
}

/** Returns what every resource has. A resource of a region names it in its id. */
export function commonOf({ selfLink, name, description }: Fields) {
  const id = resourceNameIn(optionalText(selfLink) ?? "");
  const location = regionIn(id) ?? locationIn(id);
  return {
    id,
    name: optionalText(name) ?? "",
    ...defined({ region: location === "global" ? undefined : location }),
    described: defined({ description: optionalText(description) }),
  };
}

const tlsTarget = /\/target(?:Https|Ssl)Proxies\//;

export function describeRule(rule: Fields): ProjectForwardingRule | undefined {
  const proxyId = linkedId(rule.target);
  if (proxyId === undefined || !tlsTarget.test(proxyId)) return undefined;
  const { described, ...common } = commonOf(rule);
  const ipAddress = canonicalAddress(optionalText(rule.IPAddress) ?? "");
  // A rule without a port to a proxy with TLS is for 443.
  const port = Number((optionalText(rule.portRange) ?? "443").split("-")[0]);
  return {
    ...common,
    ipAddress,
    ipVersion: versionOf(ipAddress),
    port,
    scheme: optionalText(rule.loadBalancingScheme) ?? "EXTERNAL",
    ...defined({ networkTier: optionalText(rule.networkTier) }),
    proxyId,
    ...defined({ labels: labelsOf(rule.labels) }),
    ...described,
  };
}

/** Returns the labels, sorted by key; undefined without labels. */
function labelsOf(labels: unknown): Readonly<Record<string, string>> | undefined {
  const pairs = Object.entries(fieldsOf(labels)).map(([key, value]) => [key, String(value)] as const);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function describeAddress(address: Fields): ProjectAddress {
  const { described: _, ...common } = commonOf(address);
  const ipAddress = canonicalAddress(optionalText(address.address) ?? "");
  return {
    ...common,
    ipAddress,
    ipVersion: versionOf(ipAddress),
    addressType: optionalText(address.addressType) ?? "EXTERNAL",
    ...defined({ networkTier: optionalText(address.networkTier) }),
  };
}

/** Formats a port of a forwarding rule, whose IPv6 address may have a prefix length. */
export function endpointLabel(ipAddress: string, port: number): string {
  return ipAddress.includes(":") ? `[${ipAddress}]:${port}` : `${ipAddress}:${port}`;
}

function versionOf(ipAddress: string): "IPV4" | "IPV6" {
  return isIPv6(ipAddress) ? "IPV6" : "IPV4";
}

/** Returns a proxy. @param others descriptions and labels of its URL map and of its rules, which may show its owner */
export function describeProxy(proxy: Fields, others: OwnershipTraces): ProjectProxy {
  const { described, ...common } = commonOf(proxy);
  const kind = common.id.includes("/targetSslProxies/") ? "ssl" : "https";
  const certificateIds = textsOf(proxy.sslCertificates).map(resourceNameIn);
  const mapId = linkedId(proxy.certificateMap);
  const isManagers = certificateIds.some((id) => id.includes("/locations/"));
  const direct = isManagers ? "managerCertificates" : "computeCertificates";
  const seconds = proxy.httpKeepAliveTimeoutSec;
  return {
    ...common,
    kind,
    presents: mapId !== undefined ? "map" : certificateIds.length === 0 ? "nothing" : direct,
    ...defined({ mapId }),
    certificateIds,
    ...gkeOwnerOf(common.name, { ...others, descriptions: [described.description ?? "", ...others.descriptions] }),
    ...defined({
      urlMapId: linkedId(proxy.urlMap),
      backendServiceId: linkedId(proxy.service),
      sslPolicyId: linkedId(proxy.sslPolicy),
      serverTlsPolicyId: linkedId(proxy.serverTlsPolicy),
      quicOverride: optionalText(proxy.quicOverride),
      tlsEarlyData: optionalText(proxy.tlsEarlyData),
      httpKeepAliveTimeoutSeconds: typeof seconds === "number" ? seconds : undefined,
      proxyHeader: optionalText(proxy.proxyHeader),
    }),
    ...described,
  };
}

export function describeUrlMap(urlMap: Fields): ProjectUrlMap {
  const { described, ...common } = commonOf(urlMap);
  const hosts = listOf(urlMap.hostRules).flatMap((rule) => textsOf(fieldsOf(rule).hosts));
  return {
    ...common,
    hosts: [...new Set(hosts.map((host) => host.toLowerCase()))].sort(),
    backendIds: [...new Set(backendLinks(urlMap).map(resourceNameIn))].sort(),
    ...described,
  };
}

const backendMembers = new Set(["defaultService", "service", "backendService"]);

function backendLinks(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(backendLinks);
  return Object.entries(fieldsOf(value)).flatMap(([member, inner]) =>
    backendMembers.has(member) && typeof inner === "string" ? [inner] : backendLinks(inner),
  );
}
