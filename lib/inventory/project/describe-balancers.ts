import { isIPv6 } from "node:net";
import { canonicalAddress } from "../../hostnames";
import { defined } from "../../json/defined";
import { type Fields, fieldsOf, listOf, textsOf } from "../../json/fields";
import { locationIn, regionIn, resourceNameIn } from "../../resource-names";
import type { ProjectAddress, ProjectForwardingRule, ProjectOwner, ProjectProxy, ProjectUrlMap } from "./model";

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function linkedId(value: unknown): string | undefined {
  const link = textOf(value);
  return link === undefined ? undefined : resourceNameIn(link);
}

/** Returns what every resource has. A resource of a region names it in its id. */
export function commonOf({ selfLink, name, description }: Fields) {
  const id = resourceNameIn(textOf(selfLink) ?? "");
  const location = regionIn(id) ?? locationIn(id);
  return {
    id,
    name: textOf(name) ?? "",
    ...defined({ region: location === "global" ? undefined : location }),
    described: defined({ description: textOf(description) }),
  };
}

const tlsTarget = /\/target(?:Https|Ssl)Proxies\//;

export function describeRule(rule: Fields): ProjectForwardingRule | undefined {
  const proxyId = linkedId(rule.target);
  if (proxyId === undefined || !tlsTarget.test(proxyId)) return undefined;
  const { described, ...common } = commonOf(rule);
  const ipAddress = canonicalAddress(textOf(rule.IPAddress) ?? "");
  // A rule without a port to a proxy with TLS is for 443.
  const port = Number((textOf(rule.portRange) ?? "443").split("-")[0]);
  return {
    ...common,
    ipAddress,
    ipVersion: versionOf(ipAddress),
    port,
    scheme: textOf(rule.loadBalancingScheme) ?? "EXTERNAL",
    ...defined({ networkTier: textOf(rule.networkTier) }),
    proxyId,
    ...defined({ labels: labelsOf(rule.labels) }),
    ...described,
  };
}

/** Returns the labels, sorted by key; undefined without labels. */
function labelsOf(labels: unknown): Readonly<Record<string, string>> | undefined {
  const own = Object.entries(fieldsOf(labels)).map(([key, value]) => [key, String(value)] as const);
  return own.length === 0 ? undefined : Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function describeAddress(address: Fields): ProjectAddress {
  const { described: _, ...common } = commonOf(address);
  const ipAddress = canonicalAddress(textOf(address.address) ?? "");
  return {
    ...common,
    ipAddress,
    ipVersion: versionOf(ipAddress),
    addressType: textOf(address.addressType) ?? "EXTERNAL",
    ...defined({ networkTier: textOf(address.networkTier) }),
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
    ...ownerOf(common.name, { ...others, descriptions: [described.description ?? "", ...others.descriptions] }),
    ...defined({
      urlMapId: linkedId(proxy.urlMap),
      backendServiceId: linkedId(proxy.service),
      sslPolicyId: linkedId(proxy.sslPolicy),
      serverTlsPolicyId: linkedId(proxy.serverTlsPolicy),
      quicOverride: textOf(proxy.quicOverride),
      tlsEarlyData: textOf(proxy.tlsEarlyData),
      httpKeepAliveTimeoutSeconds: typeof seconds === "number" ? seconds : undefined,
      proxyHeader: textOf(proxy.proxyHeader),
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

interface Ownership {
  readonly owner?: ProjectOwner;
  readonly ownerReason?: string;
}

/**
 * Names that controllers of GKE give to target proxies: Ingress (`k8s-`, `k8s2-`), and Gateway of one and of several
 * clusters (`gkegw1-`, `gkemcg1-`). The digit is the version of the naming scheme.
 */
const gkeName = /^(?:k8s\d*-(?:tps|ts|tp|tx)-|gkegw\d+-|gkemcg\d+-|mci-)/;

/**
 * Keys that the controllers write to descriptions: `{"kubernetes.io/ingress-name": "default/web"}` for an Ingress,
 * `{"k8sResource": "/namespaces/default/gateways/web", "k8sCluster": "…"}` for a Gateway.
 */
const gkeKey =
  /(?:(?:[a-z0-9-]+\.)*(?:kubernetes\.io|k8s\.io|networking\.gke\.io)\/[a-z0-9-]+|"k8s(?:Resource|Cluster)")/i;

/** Labels that GKE sets, for example `goog-gke-node` on the forwarding rule of a Gateway. Google reserves `goog-`. */
const gkeLabel = /^goog-(?:gke|k8s)-/;

interface OwnershipTraces {
  /** Descriptions of the proxy, its URL map and its forwarding rules. */
  readonly descriptions: readonly string[];
  /** Keys of the labels of its forwarding rules; proxies and URL maps have no labels. */
  readonly labels: readonly string[];
}

/** Returns whether GKE manages a proxy. */
export function ownerOf(name: string, { descriptions, labels }: OwnershipTraces): Ownership {
  const prefix = gkeName.exec(name)?.[0];
  if (prefix !== undefined) return owned(`the name begins with "${prefix}"`);
  const key = descriptions.map((description) => gkeKey.exec(description)?.[0]).find((found) => found !== undefined);
  if (key !== undefined) return owned(`a description contains "${key.replaceAll('"', "")}"`);
  const label = labels.find((one) => gkeLabel.test(one));
  return label === undefined ? {} : owned(`a forwarding rule has the label "${label}"`);
}

function owned(ownerReason: string): Ownership {
  return defined({ owner: "gke" as const, ownerReason });
}
