import { ComputeBackendService } from "@cdktf/provider-google/lib/compute-backend-service";
import { ComputeGlobalForwardingRule } from "@cdktf/provider-google/lib/compute-global-forwarding-rule";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeUrlMap } from "@cdktf/provider-google/lib/compute-url-map";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { GcsBackend, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { CertificatesStack } from "./certificates";
import { type Environment, stateBucket } from "./environments";
import type { NetworkStack } from "./network";

/** The load balancer of an environment, which serves the certificates of another stack. */
export class LoadBalancerStack extends TerraformStack {
  constructor(scope: Construct, environment: Environment, network: NetworkStack, certificates: CertificatesStack) {
    const id = `load-balancer-${environment.name}`;
    super(scope, id);
    new GcsBackend(this, { bucket: stateBucket, prefix: id });
    new GoogleProvider(this, "google", { project: environment.project });
    const service = new ComputeBackendService(this, "service", {
      name: "web",
      loadBalancingScheme: "EXTERNAL_MANAGED",
      protocol: "HTTP",
    });
    const urlMap = new ComputeUrlMap(this, "url-map", { name: "web", defaultService: service.id });
    const proxy = new ComputeTargetHttpsProxy(this, "proxy", {
      name: "web",
      urlMap: urlMap.id,
      certificateMap: certificates.mapReference,
    });
    new ComputeGlobalForwardingRule(this, "rule", {
      name: "web",
      ipAddress: network.address.address,
      loadBalancingScheme: "EXTERNAL_MANAGED",
      portRange: "443",
      target: proxy.id,
    });
    // Gates of the certificates can't hold back resources of this stack: apply it after theirs.
    this.addDependency(certificates);
  }
}
