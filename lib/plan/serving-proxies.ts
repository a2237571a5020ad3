import { isIP } from "node:net";
import { canonicalAddress, type Hostname } from "../hostnames";
import { pointerTo } from "../json/pointer";
import { type ComputeName, parseComputeName } from "../resource-names";
import { quote } from "../text/quote";
import type { PlannedServingProxy } from "./model";
import { hostnameReader, type Planning, usesMap } from "./planning";
import type { LoadBalancerSpec, ServingCertificateSpec, ServingProxySpec } from "./spec";

/** Plans the proxies that serve the hostnames today, sorted by id. */
export function planServingProxies(planning: Planning, given: LoadBalancerSpec): readonly PlannedServingProxy[] {
  const { findings, spec } = planning;
  const at = "/loadBalancer/servingProxies";
  const proxies = given.servingProxies ?? [];
  if (proxies.length > 0 && !usesMap(planning)) {
    findings.report("serving-proxy-invalid", at, `a ${planning.loadBalancer} load balancer has no certificate map`);
  }
  if (proxies.length > 0 && spec.traffic !== undefined) {
    const what = "'traffic' and 'loadBalancer.servingProxies' are both set";
    findings.report("serving-proxy-with-traffic", "/traffic", what);
  }
  const seen = new Set<string>();
  const planned = proxies.map((proxy, index) => {
    const pointer = pointerTo(at, index);
    if (seen.has(proxy.proxy)) {
      findings.report("serving-proxy-invalid", pointer, `the proxy ${quote(proxy.proxy)} is listed twice`);
    }
    seen.add(proxy.proxy);
    return planOne(planning, proxy, pointer);
  });
  return planned.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function planOne(planning: Planning, proxy: ServingProxySpec, at: string): PlannedServingProxy {
  const { findings } = planning;
  const collection = parseGlobalId(proxy.proxy)?.collection;
  if (collection !== "targetHttpsProxies" && collection !== "targetSslProxies") {
    const what = `${quote(proxy.proxy)} is not the id of a global target HTTPS or SSL proxy`;
    findings.report("serving-proxy-invalid", pointerTo(at, "proxy"), what);
  } else if (collection === "targetSslProxies") {
    findings.report("serving-ssl-proxy", pointerTo(at, "proxy"), `${quote(proxy.proxy)} is a target SSL proxy`);
  }
  if (proxy.addresses.length === 0) {
    findings.report("serving-proxy-invalid", pointerTo(at, "addresses"), `${quote(proxy.proxy)} has no address`);
  }
  const addresses = proxy.addresses.flatMap((address, index) => {
    if (isIP(address) !== 0) return [canonicalAddress(address)];
    const what = `${quote(address)} is not an IP address`;
    findings.report("serving-proxy-invalid", pointerTo(at, "addresses", index), what);
    return [];
  });
  const certificates = (proxy.certificates ?? []).map((certificate, index) =>
    planCertificate(planning, certificate, pointerTo(at, "certificates", index)),
  );
  return { id: proxy.proxy, addresses: [...new Set(addresses)].sort(), certificates };
}

/** Parses the id of a global resource. Returns undefined for any other text, and for a text with a reference. */
function parseGlobalId(id: string): ComputeName | undefined {
  const name = id.includes("$") ? undefined : parseComputeName(id);
  return name?.region === undefined ? name : undefined;
}

function planCertificate(planning: Planning, { id, domains }: ServingCertificateSpec, at: string) {
  const { findings } = planning;
  const readName = hostnameReader(planning);
  if (parseGlobalId(id)?.collection !== "sslCertificates") {
    const what = `${quote(id)} is not the id of a global certificate of Compute Engine`;
    findings.report("serving-proxy-invalid", pointerTo(at, "id"), what);
  }
  if (domains.length === 0) {
    findings.report("serving-proxy-invalid", pointerTo(at, "domains"), `${quote(id)} has no domain`);
  }
  const read = domains.flatMap((domain, index): readonly Hostname[] => {
    const found = readName(domain);
    if ("hostname" in found) return [found.hostname];
    findings.reject(found.problem, pointerTo(at, "domains", index));
    return [];
  });
  return { id, domains: read };
}
