import type { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import type { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import type { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import type { LoadBalancerSpec } from "../plan";

type Shared = Omit<LoadBalancerSpec, "kind" | "region">;

/** A global or classic external load balancer; it presents a certificate map. */
export interface GlobalExternalOptions extends Shared {
  /** Target HTTPS proxies of this stack; their `certificateMap` is set. @default - none */
  readonly targetHttpsProxies?: readonly ComputeTargetHttpsProxy[];
  /** Target SSL proxies of this stack without direct certificates; their `certificateMap` is set. @default - none */
  readonly targetSslProxies?: readonly ComputeTargetSslProxy[];
}

/** A regional load balancer; its proxies have the certificates directly. */
export interface RegionalOptions extends Omit<Shared, "newTargetSslProxy" | "adoptTargetSslProxies"> {
  /** Region of the load balancer, its proxies and certificates, as in `europe-west1`. */
  readonly region: string;
  /** Regional target HTTPS proxies of this stack; their `certificateManagerCertificates` are set. @default - none */
  readonly targetHttpsProxies?: readonly ComputeRegionTargetHttpsProxy[];
}

/** A cross-region internal load balancer; its proxies have the certificates directly. */
export interface CrossRegionInternalOptions extends Omit<Shared, "newTargetSslProxy" | "adoptTargetSslProxies"> {
  /** Target HTTPS proxies of this stack; their `certificateManagerCertificates` are set. @default - none */
  readonly targetHttpsProxies?: readonly ComputeTargetHttpsProxy[];
}

export type AppTargetProxy = ComputeTargetHttpsProxy | ComputeRegionTargetHttpsProxy | ComputeTargetSslProxy;

/** What presents the certificates, and how they get onto it. */
export class LoadBalancer {
  /** The same as data, without the proxies of this app. */
  readonly spec: LoadBalancerSpec;
  /** Proxies of this app that are given the certificates. */
  readonly appProxies: readonly AppTargetProxy[];

  private constructor(spec: LoadBalancerSpec, appProxies: readonly AppTargetProxy[]) {
    this.spec = spec;
    this.appProxies = appProxies;
  }

  /** Global or classic external Application Load Balancer, or external proxy Network Load Balancer: through a certificate map. */
  static globalExternal(options: GlobalExternalOptions = {}): LoadBalancer {
    const { targetHttpsProxies = [], targetSslProxies = [], ...spec } = options;
    return new LoadBalancer({ kind: "globalExternal", ...spec }, [...targetHttpsProxies, ...targetSslProxies]);
  }

  /** Regional external Application Load Balancer: certificates of that region, directly on the proxy. */
  static regionalExternal(options: RegionalOptions): LoadBalancer {
    const { targetHttpsProxies = [], ...spec } = options;
    return new LoadBalancer({ kind: "regionalExternal", ...spec }, targetHttpsProxies);
  }

  /** Regional internal Application Load Balancer: certificates of that region, directly on the proxy. */
  static regionalInternal(options: RegionalOptions): LoadBalancer {
    const { targetHttpsProxies = [], ...spec } = options;
    return new LoadBalancer({ kind: "regionalInternal", ...spec }, targetHttpsProxies);
  }

  /** Cross-region internal Application Load Balancer: certificates of scope ALL_REGIONS, directly on the proxy. */
  static crossRegionInternal(options: CrossRegionInternalOptions = {}): LoadBalancer {
    const { targetHttpsProxies = [], ...spec } = options;
    return new LoadBalancer({ kind: "crossRegionInternal", ...spec }, targetHttpsProxies);
  }

  /** From data, as in a migration document. */
  static fromSpec(spec: LoadBalancerSpec): LoadBalancer {
    return new LoadBalancer(spec, []);
  }
}
