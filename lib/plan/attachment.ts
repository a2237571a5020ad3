import { isIP } from "node:net";
import { pointerTo } from "../json-pointer";
import { describe } from "./labels";
import type { PlannedAttachment, PlannedForwardingRule, PlannedProxy } from "./model";
import { resourceName } from "./names";
import { checkInteger, checkLiteral, type Planning } from "./planning";
import { isReference } from "./reference";
import type { AdoptedTargetHttpsProxySpec, ForwardingRulesSpec, LoadBalancerKind, LoadBalancerSpec } from "./spec";

const directCertificatesLimit = 15;

/** Region of the load balancer, or `global`; checked against its kind. */
export function readLocation(spec: LoadBalancerSpec | undefined, report: Planning["findings"]): string {
  const kind = spec?.kind ?? "globalExternal";
  const regional = isRegional(kind);
  const region = spec?.region;
  if (!regional) {
    if (region !== undefined) {
      report.report(
        "region-not-allowed",
        "/loadBalancer/region",
        `a ${kind} load balancer has no region, got '${region}'`,
      );
    }
    return "global";
  }
  if (region === undefined || !/^[a-z]+-[a-z]+[0-9]+$/.test(region)) {
    report.report(
      "region-missing",
      "/loadBalancer/region",
      region === undefined ? `a ${kind} load balancer needs a region` : `'${region}' is not a region`,
    );
  }
  return region ?? "global";
}

function isRegional(kind: LoadBalancerKind): boolean {
  return kind === "regionalExternal" || kind === "regionalInternal";
}

/** The proxies and forwarding rules that are made or adopted, and where the load balancer answers. */
export function planAttachment(planning: Planning, certificateCount: number): PlannedAttachment {
  const { spec, loadBalancer: kind } = planning;
  const given: LoadBalancerSpec = spec.loadBalancer ?? { kind: "globalExternal" };
  if (!planning.usesMap && certificateCount > directCertificatesLimit) {
    const what = `${certificateCount} certificates would be attached directly to each proxy`;
    planning.findings.report("proxy-many-certificates", "/certificates", what);
  }
  const proxies = planProxies(planning, given);
  const forwardingRules = [
    ...planForwardingRules(planning, "https", given.newTargetHttpsProxy?.forwardingRules, "newTargetHttpsProxy"),
    ...planForwardingRules(planning, "ssl", given.newTargetSslProxy?.forwardingRules, "newTargetSslProxy"),
  ];
  const project = given.project ?? spec.project;
  return {
    loadBalancer: kind,
    via: planning.usesMap ? "certificateMap" : "certificates",
    ...(isRegional(kind) ? { region: planning.location } : {}),
    ...(project === undefined ? {} : { project }),
    proxies,
    forwardingRules,
    addresses: readAddresses(planning, given, forwardingRules),
  };
}

function planProxies(planning: Planning, given: LoadBalancerSpec): readonly PlannedProxy[] {
  const { findings } = planning;
  const at = "/loadBalancer";
  const proxies: PlannedProxy[] = [];
  if (given.newTargetHttpsProxy !== undefined) {
    const proxy = given.newTargetHttpsProxy;
    if (isRegional(planning.loadBalancer) && proxy.quicOverride !== undefined) {
      refuseAttribute(
        planning,
        `${at}/newTargetHttpsProxy/quicOverride`,
        "a regional target HTTPS proxy has no 'quicOverride'",
      );
    }
    proxies.push({ kind: "newHttps", id: "https", name: proxyName(planning, "https", proxy.name, at), spec: proxy });
  }
  if (given.newTargetSslProxy !== undefined) {
    const proxy = given.newTargetSslProxy;
    proxies.push({ kind: "newSsl", id: "ssl", name: proxyName(planning, "ssl", proxy.name, at), spec: proxy });
  }
  (given.adoptTargetHttpsProxies ?? []).forEach((proxy, index) => {
    checkAdoptedHttps(planning, proxy, pointerTo(at, "adoptTargetHttpsProxies", index));
    proxies.push({ kind: "adoptedHttps", id: proxy.name, name: proxy.name, spec: proxy });
  });
  (given.adoptTargetSslProxies ?? []).forEach((proxy, index) => {
    const proxyAt = pointerTo(at, "adoptTargetSslProxies", index);
    checkName(planning, proxy.name, proxyAt);
    requireStated(planning, proxy, ["sslCertificates", "sslPolicy", "proxyHeader", "description"], proxyAt);
    if ((proxy.sslCertificates ?? []).length > 0) {
      findings.report(
        "ssl-proxy-holds-certificates",
        proxyAt,
        `target SSL proxy '${proxy.name}' has direct certificates`,
      );
    }
    proxies.push({ kind: "adoptedSsl", id: proxy.name, name: proxy.name, spec: proxy });
  });
  if (!planning.usesMap && proxies.some(({ kind }) => kind === "newSsl" || kind === "adoptedSsl")) {
    const what = `a ${planning.loadBalancer} load balancer has no target SSL proxy with certificates of Certificate Manager`;
    findings.report("ssl-proxy-not-allowed", at, what);
  }
  const seen = new Set<string>();
  for (const { id } of proxies) {
    if (seen.has(id)) findings.report("proxy-name-repeated", at, `two target proxies go by '${id}'`);
    seen.add(id);
  }
  return proxies.sort((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
}

function checkAdoptedHttps(planning: Planning, proxy: AdoptedTargetHttpsProxySpec, at: string): void {
  const regionalOnly = isRegional(planning.loadBalancer);
  const globalAttributes = ["quicOverride", "tlsEarlyData"] as const;
  checkName(planning, proxy.name, at);
  requireStated(
    planning,
    proxy,
    [
      "sslCertificates",
      "sslPolicy",
      ...(regionalOnly ? [] : globalAttributes),
      "httpKeepAliveTimeoutSeconds",
      "serverTlsPolicy",
      "description",
    ],
    at,
  );
  if (regionalOnly) {
    for (const attribute of globalAttributes) {
      if (proxy[attribute] !== undefined) {
        refuseAttribute(
          planning,
          pointerTo(at, attribute),
          `regional target HTTPS proxy '${proxy.name}' has no '${attribute}'`,
        );
      }
    }
  }
  const range = { min: 5, max: regionalOnly ? 600 : 1200 };
  checkInteger(
    proxy.httpKeepAliveTimeoutSeconds ?? undefined,
    range,
    pointerTo(at, "httpKeepAliveTimeoutSeconds"),
    planning.findings,
  );
  if ((proxy.sslCertificates ?? []).length > 0) {
    if (planning.usesMap) {
      const what = `target HTTPS proxy '${proxy.name}' has ${proxy.sslCertificates?.length} direct certificates beside the map`;
      planning.findings.report("proxy-holds-certificates", pointerTo(at, "sslCertificates"), what);
    } else {
      planning.findings.report(
        "proxy-holds-conflicting-certificates",
        pointerTo(at, "sslCertificates"),
        `target HTTPS proxy '${proxy.name}' is adopted with sslCertificates and gets certificates of Certificate Manager`,
        "state null: the import notices what it holds and the change is made in place, after the gate",
      );
    }
  }
}

function refuseAttribute(planning: Planning, at: string, what: string): void {
  planning.findings.report("proxy-attribute-not-allowed", at, what);
}

function requireStated<Proxy extends { readonly name: string }>(
  { findings }: Planning,
  proxy: Proxy,
  attributes: readonly (keyof Proxy & string)[],
  at: string,
): void {
  const missing = attributes.filter((attribute) => proxy[attribute] === undefined);
  if (missing.length > 0) {
    const names = missing.map((attribute) => `'${attribute}'`).join(", ");
    findings.report(
      "proxy-attribute-unstated",
      at,
      `${names} of proxy '${proxy.name}' ${missing.length > 1 ? "are" : "is"} not stated`,
    );
  }
}

function checkName({ findings }: Planning, name: string, at: string): void {
  if (checkLiteral(name, pointerTo(at, "name"), findings) && !/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
    findings.report(
      "name-invalid",
      pointerTo(at, "name"),
      `'${name}' can't name a target proxy`,
      "use 1 to 63 of a-z, 0-9 and '-', a letter first and no '-' last",
    );
  }
}

function proxyName(planning: Planning, protocol: "https" | "ssl", given: string | undefined, at: string): string {
  if (given !== undefined) {
    checkName(planning, given, pointerTo(at, protocol === "https" ? "newTargetHttpsProxy" : "newTargetSslProxy"));
    return given;
  }
  const { spec, location } = planning;
  return resourceName({
    prefix: spec.namePrefix,
    readable: `${spec.name}-${protocol}`,
    // Names are contract: the empty text is part of every one that was ever given.
    identity: [planning.identityOf(spec.name), protocol, location, ""],
  });
}

function planForwardingRules(
  planning: Planning,
  proxyId: "https" | "ssl",
  given: ForwardingRulesSpec | undefined,
  owner: string,
): readonly PlannedForwardingRule[] {
  if (given === undefined) return [];
  const { spec, loadBalancer: kind, location } = planning;
  const at = `/loadBalancer/${owner}/forwardingRules`;
  if (given.ipv4Address === undefined && given.ipv6Address === undefined) {
    planning.findings.report("forwarding-rule-without-address", at, "'forwardingRules' has no address");
  }
  if (given.loadBalancingScheme !== undefined && kind !== "globalExternal") {
    refuseAttribute(planning, `${at}/loadBalancingScheme`, `the scheme of a ${kind} load balancer is fixed`);
  }
  const internal = kind === "regionalInternal" || kind === "crossRegionInternal";
  return (["IPV4", "IPV6"] as const).flatMap((family) => {
    const field = family === "IPV4" ? "ipv4Address" : "ipv6Address";
    const address = given[field];
    if (address === undefined) return [];
    checkFamily(planning, address, family, pointerTo(at, field));
    const id = `${proxyId}-${family.toLowerCase()}`;
    return [
      {
        id,
        // The same address can't have two rules for a moment, so nothing that may change is in this name.
        name: resourceName({
          readable: `${spec.name}-${id}`,
          identity: [planning.identityOf(spec.name), id, location],
        }),
        proxyId,
        family,
        address,
        loadBalancingScheme: internal
          ? ("INTERNAL_MANAGED" as const)
          : (given.loadBalancingScheme ?? "EXTERNAL_MANAGED"),
        ...(given.network === undefined ? {} : { network: given.network }),
        ...(given.subnetwork === undefined ? {} : { subnetwork: given.subnetwork }),
        ...describe(planning, ""),
        // Terraform replaces a rule whose description changes, and nothing would answer in between.
        description: `Leads port 443 to ${spec.name}`,
      },
    ];
  });
}

/** Refuses an address of the other family; what is none may be the id of an address. */
function checkFamily({ findings }: Planning, address: string, family: "IPV4" | "IPV6", at: string): void {
  const wrong = family === "IPV4" ? 6 : 4;
  if (isIP(address) === wrong) {
    findings.report("address-invalid", at, `'${address}' is not an ${family === "IPV4" ? "IPv4" : "IPv6"} address`);
  }
}

function readAddresses(
  planning: Planning,
  given: LoadBalancerSpec,
  rules: readonly PlannedForwardingRule[],
): PlannedAttachment["addresses"] {
  const ipv4 = new Set<string>();
  const ipv6 = new Set<string>();
  const add = (address: string, family: 4 | 6 | undefined, at: string) => {
    const version = isReference(address) ? (family ?? 4) : isIP(address);
    if (version === 0 || (family !== undefined && version !== family)) {
      planning.findings.report(
        "address-invalid",
        at,
        `'${address}' is not an ${family === undefined ? "IP" : `IPv${family}`} address`,
      );
    } else {
      (version === 4 ? ipv4 : ipv6).add(address);
    }
  };
  const at = "/loadBalancer/addresses";
  if (given.addresses === undefined) {
    for (const rule of rules) {
      const version = rule.family === "IPV4" ? 4 : 6;
      // A rule may name its address by resource id: nothing to point a record to. One of the other family was refused with the rule.
      if (isReference(rule.address) || isIP(rule.address) === version) add(rule.address, version, at);
    }
  } else if (Array.isArray(given.addresses)) {
    (given.addresses as readonly string[]).forEach((address, index) => {
      add(address, undefined, pointerTo(at, index));
    });
  } else {
    const { ipv4: four = [], ipv6: six = [] } = given.addresses as {
      ipv4?: readonly string[];
      ipv6?: readonly string[];
    };
    four.forEach((address, index) => {
      add(address, 4, pointerTo(at, "ipv4", index));
    });
    six.forEach((address, index) => {
      add(address, 6, pointerTo(at, "ipv6", index));
    });
  }
  return { ipv4: [...ipv4].sort(), ipv6: [...ipv6].sort() };
}
