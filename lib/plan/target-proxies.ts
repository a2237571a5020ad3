import { pointerTo } from "../json/pointer";
import { withoutNulls } from "./adopted-values";
import { traitsOf } from "./load-balancer-kinds";
import type { PlannedProxy } from "./model";
import { deriveResourceName } from "./names";
import { type Planning, usesMap } from "./planning";
import type { AdoptedTargetHttpsProxySpec, AdoptedTargetSslProxySpec, LoadBalancerSpec } from "./spec";

/** Plans the target proxies that are created or adopted, in a stable order. */
export function planProxies(planning: Planning, given: LoadBalancerSpec): readonly PlannedProxy[] {
  const { findings } = planning;
  const at = "/loadBalancer";
  const proxies: PlannedProxy[] = [];
  if (given.newTargetHttpsProxy !== undefined) {
    const proxy = given.newTargetHttpsProxy;
    if (traitsOf(planning.loadBalancer).isRegional && proxy.quicOverride !== undefined) {
      const what = "a regional target HTTPS proxy has no 'quicOverride'";
      refuseAttribute(planning, `${at}/newTargetHttpsProxy/quicOverride`, what);
    }
    proxies.push({ kind: "newHttps", id: "https", name: proxyName(planning, "https", proxy.name, at), spec: proxy });
  }
  if (given.newTargetSslProxy !== undefined) {
    const proxy = given.newTargetSslProxy;
    proxies.push({ kind: "newSsl", id: "ssl", name: proxyName(planning, "ssl", proxy.name, at), spec: proxy });
  }
  (given.adoptTargetHttpsProxies ?? []).forEach((stated, index) => {
    const proxy = withoutNulls(stated);
    checkAdoptedHttps(planning, proxy, pointerTo(at, "adoptTargetHttpsProxies", index));
    proxies.push({ kind: "adoptedHttps", id: proxy.name, name: proxy.name, spec: proxy });
  });
  (given.adoptTargetSslProxies ?? []).forEach((stated, index) => {
    const proxy = withoutNulls(stated);
    const proxyAt = pointerTo(at, "adoptTargetSslProxies", index);
    checkName(planning, proxy.name, proxyAt);
    requireStated(planning, proxy, ["sslCertificates", "sslPolicy", "proxyHeader", "description"], proxyAt);
    if ((proxy.sslCertificates ?? []).length > 0 && proxy.attachMap !== false) {
      const what = `target SSL proxy '${proxy.name}' has direct certificates`;
      if (planning.provider.sslProxyHoldsBoth)
        findings.report("proxy-holds-certificates", proxyAt, `${what} beside the map`);
      else findings.report("ssl-proxy-holds-certificates", proxyAt, what);
    }
    requireOwnCertificates(planning, proxy, proxyAt);
    proxies.push({ kind: "adoptedSsl", id: proxy.name, name: proxy.name, spec: proxy });
  });
  if (
    !traitsOf(planning.loadBalancer).proxyTypes.includes("SSL") &&
    proxies.some(({ kind }) => kind === "newSsl" || kind === "adoptedSsl")
  ) {
    const what = `a ${planning.loadBalancer} load balancer has no target SSL proxy with certificates of Certificate Manager`;
    findings.report("ssl-proxy-not-allowed", at, what);
  }
  const seen = new Set<string>();
  for (const { id } of proxies) {
    if (seen.has(id)) findings.report("proxy-name-repeated", at, `two target proxies have the name '${id}'`);
    seen.add(id);
  }
  return proxies.sort((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
}

// Source: the API reference of target HTTPS proxies, global and regional.
const shortestTimeoutSeconds = 5;
const longestTimeoutSeconds = 1_200;
const longestRegionalTimeoutSeconds = 600;

function checkAdoptedHttps(planning: Planning, proxy: AdoptedTargetHttpsProxySpec, at: string): void {
  const { isRegional } = traitsOf(planning.loadBalancer);
  const globalAttributes = ["quicOverride", "tlsEarlyData"] as const;
  const further = ["httpKeepAliveTimeoutSeconds", "serverTlsPolicy", "description"] as const;
  checkName(planning, proxy.name, at);
  const attributes = ["sslCertificates", "sslPolicy", ...(isRegional ? [] : globalAttributes), ...further] as const;
  requireStated(planning, proxy, attributes, at);
  for (const attribute of globalAttributes) {
    if (!isRegional || proxy[attribute] === undefined) continue;
    const what = `regional target HTTPS proxy '${proxy.name}' has no '${attribute}'`;
    refuseAttribute(planning, pointerTo(at, attribute), what);
  }
  const timeout = proxy.httpKeepAliveTimeoutSeconds;
  const longest = isRegional ? longestRegionalTimeoutSeconds : longestTimeoutSeconds;
  if (timeout > longest || (timeout > 0 && timeout < shortestTimeoutSeconds)) {
    const remedy = `use a whole number from ${shortestTimeoutSeconds} to ${longest}, or 0 for the default`;
    const place = pointerTo(at, "httpKeepAliveTimeoutSeconds");
    planning.findings.report("value-out-of-range", place, `'httpKeepAliveTimeoutSeconds' is ${timeout}`, remedy);
  }
  requireOwnCertificates(planning, proxy, at);
  const count = proxy.sslCertificates?.length ?? 0;
  if (count === 0 || proxy.attachMap === false) return;
  const pointer = pointerTo(at, "sslCertificates");
  if (usesMap(planning)) {
    const what = `target HTTPS proxy '${proxy.name}' has ${count} direct certificates beside the map`;
    planning.findings.report("proxy-holds-certificates", pointer, what);
  } else {
    const what = `target HTTPS proxy '${proxy.name}' is adopted with sslCertificates and gets certificates of Certificate Manager`;
    const remedy =
      "set it to []: the import reads the certificates of the proxy, and Terraform replaces them in place, after the gate";
    planning.findings.report("proxy-holds-conflicting-certificates", pointer, what, remedy);
  }
}

/** Reports an adopted proxy that would present nothing, and a proxy that takes no map. */
function requireOwnCertificates(
  planning: Planning,
  { name, attachMap, sslCertificates }: AdoptedTargetHttpsProxySpec | AdoptedTargetSslProxySpec,
  at: string,
): void {
  const mapAt = pointerTo(at, "attachMap");
  if (attachMap !== undefined && !usesMap(planning)) {
    refuseAttribute(planning, mapAt, `a ${planning.loadBalancer} load balancer has no certificate map`);
  }
  if (attachMap !== false || (sslCertificates ?? []).length > 0) return;
  const what = `target proxy '${name}' has 'attachMap: false' and no 'sslCertificates'`;
  planning.findings.report("proxy-without-certificates", mapAt, what);
}

/** Reports an attribute that proxies or rules of this load balancer do not have. */
export function refuseAttribute(planning: Planning, at: string, what: string): void {
  planning.findings.report("proxy-attribute-not-allowed", at, what);
}

function requireStated<Proxy extends { readonly name: string }>(
  { findings }: Planning,
  proxy: Proxy,
  attributes: readonly (keyof Proxy & string)[],
  at: string,
): void {
  const missing = attributes.filter((attribute) => proxy[attribute] === undefined);
  if (missing.length === 0) return;
  const names = missing.map((attribute) => `'${attribute}'`).join(", ");
  const what = `${names} of proxy '${proxy.name}' ${missing.length > 1 ? "are" : "is"} missing`;
  findings.report("proxy-attribute-unstated", at, what);
}

function checkName({ findings }: Planning, name: string, at: string): void {
  const pointer = pointerTo(at, "name");
  if (/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return;
  const remedy = "use 1 to 63 characters of a-z, 0-9 and '-', with a letter first and no '-' last";
  findings.report("name-invalid", pointer, `'${name}' is not a valid name of a target proxy`, remedy);
}

function proxyName(planning: Planning, protocol: "https" | "ssl", given: string | undefined, at: string): string {
  if (given !== undefined) {
    checkName(planning, given, pointerTo(at, protocol === "https" ? "newTargetHttpsProxy" : "newTargetSslProxy"));
    return given;
  }
  const { spec, location } = planning;
  const suggested = deriveResourceName({
    prefix: spec.namePrefix,
    readable: `${spec.name}-${protocol}`,
    // Names are part of the public API. The empty text was part of every name so far.
    identity: [planning.identityOf(spec.name), protocol, location, ""],
  });
  return planning.nameOf(protocol === "https" ? "targetHttpsProxy" : "targetSslProxy", suggested);
}
