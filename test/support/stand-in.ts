import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { type LoadBalancerCloudOptions, startLoadBalancerCloud } from "./load-balancer-cloud";

/**
 * Starts a cloud with load balancers and the stand-in for the provider before the tests of a file, and ends both after
 * them.
 */
export function useStandIn(options: LoadBalancerCloudOptions = {}) {
  let cloud: Awaited<ReturnType<typeof startLoadBalancerCloud>>;
  let provider: TerraformProvider;

  beforeAll(async () => {
    cloud = await startLoadBalancerCloud(options);
    provider = await startTerraformProvider({ cloudUrl: cloud.url });
  });

  afterAll(async () => {
    await provider.close();
    await cloud[Symbol.asyncDispose]();
  });

  return {
    get cloud() {
      return cloud;
    },
    get provider() {
      return provider;
    },
  };
}
