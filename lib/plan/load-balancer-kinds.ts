import type { LoadBalancerKind } from "./spec-load-balancer";

/** The properties that depend on the kind of a load balancer. */
interface KindTraits {
  /** Whether its proxies, certificates and addresses belong to a region. */
  readonly isRegional: boolean;
  /** Whether its addresses are internal: the same address may exist in several networks. */
  readonly isInternal: boolean;
  /** Whether its proxies use a certificate map, or certificates of Certificate Manager directly. */
  readonly presents: "map" | "certificates";
  /** Scope of its certificates. */
  readonly certificateScope: "DEFAULT" | "ALL_REGIONS";
  /** Target proxies that take certificates of Certificate Manager. */
  readonly proxyTypes: readonly ("HTTPS" | "SSL")[];
  readonly forwardingRules: ForwardingRuleTraits;
}

/** The properties of forwarding rules that depend on the kind of their load balancer. */
interface ForwardingRuleTraits {
  /** Load-balancing schemes; the first is the default of this package. */
  readonly schemes: readonly [LoadBalancingScheme, ...LoadBalancingScheme[]];
  /** Whether they may have the network tier STANDARD. */
  readonly acceptsStandardTier: boolean;
  /**
   * Whether their IPv6 addresses are generally available.
   *
   * @see https://cloud.google.com/load-balancing/docs/ipv6 lists IPv6 front ends of global and classic load balancers
   */
  readonly acceptsIpv6: boolean;
  /** Quota metrics; the first one that a project has applies. */
  readonly metrics: readonly string[];
}

type LoadBalancingScheme = "EXTERNAL" | "EXTERNAL_MANAGED" | "INTERNAL_MANAGED";

/** Each kind of load balancer, in one row. */
export const loadBalancerKinds = {
  globalExternal: {
    isRegional: false,
    isInternal: false,
    presents: "map",
    certificateScope: "DEFAULT",
    proxyTypes: ["HTTPS", "SSL"],
    forwardingRules: {
      schemes: ["EXTERNAL_MANAGED", "EXTERNAL"],
      acceptsStandardTier: false,
      acceptsIpv6: true,
      metrics: ["GLOBAL_EXTERNAL_MANAGED_FORWARDING_RULES", "FORWARDING_RULES"],
    },
  },
  regionalExternal: {
    isRegional: true,
    isInternal: false,
    presents: "certificates",
    certificateScope: "DEFAULT",
    proxyTypes: ["HTTPS"],
    forwardingRules: {
      schemes: ["EXTERNAL_MANAGED"],
      acceptsStandardTier: true,
      acceptsIpv6: false,
      metrics: ["EXTERNAL_MANAGED_FORWARDING_RULES", "FORWARDING_RULES"],
    },
  },
  regionalInternal: {
    isRegional: true,
    isInternal: true,
    presents: "certificates",
    certificateScope: "DEFAULT",
    proxyTypes: ["HTTPS"],
    forwardingRules: {
      schemes: ["INTERNAL_MANAGED"],
      acceptsStandardTier: false,
      acceptsIpv6: false,
      metrics: ["FORWARDING_RULES"],
    },
  },
  crossRegionInternal: {
    isRegional: false,
    isInternal: true,
    presents: "certificates",
    certificateScope: "ALL_REGIONS",
    proxyTypes: ["HTTPS"],
    forwardingRules: {
      schemes: ["INTERNAL_MANAGED"],
      acceptsStandardTier: false,
      acceptsIpv6: false,
      metrics: ["FORWARDING_RULES"],
    },
  },
} as const satisfies Readonly<Record<LoadBalancerKind, KindTraits>>;

/** The kind of a load balancer that a spec does not describe. */
export const defaultLoadBalancerKind: LoadBalancerKind = "globalExternal";

/** Returns the row of a kind of load balancer. */
export function traitsOf(kind: LoadBalancerKind): KindTraits {
  return loadBalancerKinds[kind];
}

/** Returns the kind of a load balancer whose proxies present certificates of Certificate Manager directly. */
export function directKind(traits: Pick<KindTraits, "isRegional" | "isInternal">): LoadBalancerKind | undefined {
  const kinds = Object.keys(loadBalancerKinds) as LoadBalancerKind[];
  return kinds.find((kind) => {
    const { presents, isRegional, isInternal } = loadBalancerKinds[kind];
    return presents === "certificates" && isRegional === traits.isRegional && isInternal === traits.isInternal;
  });
}
