import type { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import type { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import type { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { InputError } from "../errors";
import type { LoadBalancerKind, LoadBalancerOptions, LoadBalancerSpec, SslProxyOptions } from "../plan";
import { nameClass } from "./kit";
import { optionsOf } from "./plain";

/** Options of a global or classic external load balancer, which uses a certificate map. */
export interface GlobalExternalOptions extends LoadBalancerOptions, SslProxyOptions {
  /** Target HTTPS proxies of this stack; the migration sets their `certificateMap`. @default - none */
  readonly targetHttpsProxies?: readonly ComputeTargetHttpsProxy[];
  /**
   * Target SSL proxies of this stack without direct certificates; the migration sets their `certificateMap`.
   *
   * @default - none
   */
  readonly targetSslProxies?: readonly ComputeTargetSslProxy[];
}

/** Options of a regional load balancer, whose proxies refer to the certificates directly. */
export interface RegionalOptions extends LoadBalancerOptions {
  /** Region of the load balancer, its proxies and certificates, for example `europe-west1`. */
  readonly region: string;
  /**
   * Regional target HTTPS proxies of this stack; the migration sets their `certificateManagerCertificates`.
   *
   * @default - none
   */
  readonly targetHttpsProxies?: readonly ComputeRegionTargetHttpsProxy[];
}

/** Options of a cross-region internal load balancer, whose proxies refer to the certificates directly. */
export interface CrossRegionInternalOptions extends LoadBalancerOptions {
  /** Target HTTPS proxies of this stack; the migration sets their `certificateManagerCertificates`. @default - none */
  readonly targetHttpsProxies?: readonly ComputeTargetHttpsProxy[];
}

export type AppTargetProxy = ComputeTargetHttpsProxy | ComputeRegionTargetHttpsProxy | ComputeTargetSslProxy;

/** The load balancer that serves the certificates, and how they are attached. */
export class LoadBalancer {
  /** The same as data, without the proxies of this app. */
  readonly spec: LoadBalancerSpec;
  /** Proxies of this app that get the certificates. */
  readonly appProxies: readonly AppTargetProxy[];

  private constructor(spec: LoadBalancerSpec, appProxies: readonly AppTargetProxy[]) {
    this.spec = spec;
    this.appProxies = appProxies;
  }

  /**
   * Creates a global or classic external Application Load Balancer, or an external proxy Network Load Balancer, with
   * a certificate map.
   *
   * @example
   * ```ts
   * LoadBalancer.globalExternal({
   *   newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
   * });
   * ```
   */
  static globalExternal(options: GlobalExternalOptions = {}): LoadBalancer {
    const { targetHttpsProxies, targetSslProxies, ...spec } = optionsOf("LoadBalancer.globalExternal", options);
    const proxies = [...itemsOf(targetHttpsProxies), ...itemsOf(targetSslProxies)];
    return new LoadBalancer(specOf("globalExternal", spec), proxies);
  }

  /**
   * Creates a regional external Application Load Balancer, with certificates of its region directly on the proxy.
   *
   * @example
   * ```ts
   * LoadBalancer.regionalExternal({
   *   region: "europe-west1",
   *   newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
   * });
   * ```
   */
  static regionalExternal(options: RegionalOptions): LoadBalancer {
    const { targetHttpsProxies, ...spec } = optionsOf("LoadBalancer.regionalExternal", options);
    return new LoadBalancer(specOf("regionalExternal", spec), itemsOf(targetHttpsProxies));
  }

  /**
   * Creates a regional internal Application Load Balancer, with certificates of its region directly on the proxy.
   *
   * @example
   * ```ts
   * const proxy = new ComputeRegionTargetHttpsProxy(stack, "proxy", {
   *   name: "orders",
   *   region: "europe-west1",
   *   urlMap: "orders",
   * });
   * LoadBalancer.regionalInternal({ region: "europe-west1", targetHttpsProxies: [proxy] });
   * ```
   */
  static regionalInternal(options: RegionalOptions): LoadBalancer {
    const { targetHttpsProxies, ...spec } = optionsOf("LoadBalancer.regionalInternal", options);
    return new LoadBalancer(specOf("regionalInternal", spec), itemsOf(targetHttpsProxies));
  }

  /**
   * Creates a cross-region internal Application Load Balancer, with certificates of scope ALL_REGIONS directly on the
   * proxy.
   *
   * @example
   * ```ts
   * LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "orders" } });
   * ```
   */
  static crossRegionInternal(options: CrossRegionInternalOptions = {}): LoadBalancer {
    const { targetHttpsProxies, ...spec } = optionsOf("LoadBalancer.crossRegionInternal", options);
    return new LoadBalancer(specOf("crossRegionInternal", spec), itemsOf(targetHttpsProxies));
  }

  /**
   * Creates the load balancer from data, for example from `migration.yaml`.
   *
   * @param spec an object with the fields of `loadBalancer`; see `LoadBalancerSpec`
   *
   * @example
   * ```ts
   * LoadBalancer.fromSpec({ kind: "globalExternal", newTargetHttpsProxy: { urlMap: "shop" } });
   * ```
   */
  static fromSpec(spec: LoadBalancerSpec): LoadBalancer {
    return new LoadBalancer(spec, []);
  }
}
nameClass(LoadBalancer, "LoadBalancer");

/**
 * Adds the kind of a factory to its options.
 *
 * @throws InputError `property-unknown` if the options have a kind
 */
function specOf(kind: LoadBalancerKind, options: LoadBalancerOptions & SslProxyOptions): LoadBalancerSpec {
  if (!("kind" in options)) return { kind, ...options };
  const message = `LoadBalancer.${kind}: unknown property 'kind'; the factory sets the kind`;
  throw new InputError("property-unknown", message);
}

/** Returns the items of a list; any other value as the only item, which the migration refuses. */
function itemsOf<Item>(list: readonly Item[] | undefined): readonly Item[] {
  if (list === undefined) return [];
  return Array.isArray(list) ? [...list] : [list as unknown as Item];
}
