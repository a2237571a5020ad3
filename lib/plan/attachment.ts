import { isIP } from "node:net";
import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { isReservedAddress } from "../resource-names";
import { quote } from "../text/quote";
import { planClientAuthentications } from "./client-authentication";
import { describe } from "./labels";
import { traitsOf } from "./load-balancer-kinds";
import type { PlannedAttachment, PlannedForwardingRule, PlannedServingProxy } from "./model";
import { deriveResourceName } from "./names";
import { type Planning, usesMap } from "./planning";
import { planServingProxies } from "./serving-proxies";
import { isReference } from "./shape/reference";
import type { AddressesSpec, ForwardingRulesSpec, LoadBalancerSpec } from "./spec";
import { planProxies, refuseAttribute } from "./target-proxies";

/** The most certificates of Certificate Manager that a target proxy accepts directly. A map has no such limit. */
const directCertificatesLimit = 100;

/** Plans the proxies and forwarding rules that are created or adopted, and the addresses of the load balancer. */
export function planAttachment(planning: Planning, certificateCount: number): PlannedAttachment {
  const { spec, loadBalancer: kind } = planning;
  const given: LoadBalancerSpec = spec.loadBalancer ?? { kind };
  if (!usesMap(planning) && certificateCount > directCertificatesLimit) {
    const what = `${certificateCount} certificates would be attached directly to each proxy`;
    planning.findings.report("proxy-many-certificates", "/certificates", what);
  }
  const proxies = planProxies(planning, given);
  const forwardingRules = [
    ...planForwardingRules(planning, "https", given.newTargetHttpsProxy?.forwardingRules, "newTargetHttpsProxy"),
    ...planForwardingRules(planning, "ssl", given.newTargetSslProxy?.forwardingRules, "newTargetSslProxy"),
  ];
  const project = given.project ?? spec.project;
  const servingProxies = planServingProxies(planning, given);
  const clientAuthentications = planClientAuthentications(planning, given, proxies);
  const addresses = readAddresses(planning, given, forwardingRules, servingProxies);
  const hasIpv6 = addresses.ipv6.length > 0 || forwardingRules.some(({ family }) => family === "IPV6");
  if (hasIpv6 && !traitsOf(kind).forwardingRules.acceptsIpv6) {
    const what = `a ${kind} load balancer has an IPv6 address`;
    planning.findings.report("ipv6-not-generally-available", "/loadBalancer", what);
  }
  return {
    loadBalancer: kind,
    via: usesMap(planning) ? "certificateMap" : "certificates",
    ...(traitsOf(kind).isRegional ? { region: planning.location } : {}),
    ...defined({ project }),
    proxies,
    forwardingRules,
    ...(clientAuthentications.length === 0 ? {} : { clientAuthentications }),
    ...(servingProxies.length === 0 ? {} : { servingProxies }),
    addresses,
  };
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
  if (given.loadBalancingScheme !== undefined && traitsOf(kind).forwardingRules.schemes.length === 1) {
    refuseAttribute(planning, `${at}/loadBalancingScheme`, `the scheme of a ${kind} load balancer is fixed`);
  }
  const [defaultScheme, ...otherSchemes] = traitsOf(kind).forwardingRules.schemes;
  return (["IPV4", "IPV6"] as const).flatMap((family) => {
    const field = family === "IPV4" ? "ipv4Address" : "ipv6Address";
    const address = given[field];
    if (address === undefined) return [];
    checkRuleAddress(planning, address, family, pointerTo(at, field));
    const id = `${proxyId}-${family.toLowerCase()}`;
    return [
      {
        id,
        // Two rules cannot use the same address at the same time, so that the name must not depend on anything that may
        // change.
        name: planning.nameOf(
          "forwardingRule",
          deriveResourceName({
            readable: `${spec.name}-${id}`,
            identity: [planning.identityOf(spec.name), id, location],
          }),
        ),
        proxyId,
        family,
        address,
        loadBalancingScheme: otherSchemes.length > 0 ? (given.loadBalancingScheme ?? defaultScheme) : defaultScheme,
        ...defined({ network: given.network, subnetwork: given.subnetwork }),
        ...describe(planning, ""),
        // Terraform replaces a rule whose description changes, and the address would not answer in between.
        description: `Leads port 443 to ${spec.name}`,
      },
    ];
  });
}

function checkRuleAddress({ findings }: Planning, address: string, family: "IPV4" | "IPV6", at: string): void {
  if (canBeRuleAddress(address, family)) return;
  const wanted = family === "IPV4" ? "IPv4" : "IPv6";
  const remedy = `use an ${wanted} address, the name, id or link of a reserved one as in global/addresses/shop, or a reference`;
  const what = `${quote(address)} is neither an ${wanted} address nor the name of a reserved address`;
  findings.report("address-invalid", at, what, remedy);
}

function readAddresses(
  planning: Planning,
  given: LoadBalancerSpec,
  rules: readonly PlannedForwardingRule[],
  servingProxies: readonly PlannedServingProxy[],
): PlannedAttachment["addresses"] {
  const ipv4 = new Set<string>();
  const ipv6 = new Set<string>();
  const add = (address: string, family: 4 | 6 | undefined, at: string) => {
    const version = isReference(address) ? (family ?? 4) : isIP(address);
    if (version === 0 || (family !== undefined && version !== family)) {
      const what = `'${address}' is not an ${family === undefined ? "IP" : `IPv${family}`} address`;
      planning.findings.report("address-invalid", at, what);
    } else {
      (version === 4 ? ipv4 : ipv6).add(address);
    }
  };
  const at = "/loadBalancer/addresses";
  for (const address of servingProxies.flatMap((proxy) => proxy.addresses)) add(address, undefined, at);
  if (given.addresses === undefined) {
    for (const rule of rules) {
      const version = rule.family === "IPV4" ? 4 : 6;
      // A rule may name its address by resource id, which a record cannot contain. Invalid addresses were refused with
      // the rule.
      if (isReference(rule.address) || isIP(rule.address) === version) add(rule.address, version, at);
    }
  } else if (Array.isArray(given.addresses)) {
    for (const [index, address] of (given.addresses as readonly string[]).entries())
      add(address, undefined, pointerTo(at, index));
  } else {
    const byFamily = given.addresses as AddressesSpec;
    for (const family of [4, 6] as const) {
      const addresses = byFamily[`ipv${family}`] ?? [];
      for (const [index, address] of addresses.entries()) add(address, family, pointerTo(at, `ipv${family}`, index));
    }
  }
  return { ipv4: [...ipv4].sort(), ipv6: [...ipv6].sort() };
}

/**
 * Returns whether a forwarding rule of that family accepts the value: an address, a range of IPv6, the name, id or link
 * of a reserved address, or a reference. The forms are listed in Compute's reference of the rule's `IPAddress`.
 */
function canBeRuleAddress(text: string, family: "IPV4" | "IPV6"): boolean {
  if (isReference(text) || isReservedAddress(text)) return true;
  if (family === "IPV4") return isIP(text) === 4;
  const [, start = "", bits = "0"] = /^(.+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(start) === 6 && Number(bits) <= 128;
}

/** Returns the first address of a forwarding rule that is only a name, so that the IP address is unknown. */
export function namedAddress({ newTargetHttpsProxy, newTargetSslProxy }: LoadBalancerSpec): string | undefined {
  return [newTargetHttpsProxy?.forwardingRules, newTargetSslProxy?.forwardingRules]
    .flatMap((rules) => [rules?.ipv4Address ?? [], rules?.ipv6Address ?? []].flat())
    .find((address) => !isReference(address) && isIP(address) === 0 && isReservedAddress(address));
}
