import { traitsOf } from "./load-balancer-kinds";
import type { Planning } from "./planning";
import type { LoadBalancerSpec } from "./spec";

/** Returns the region of the load balancer, or `global`, and checks it against the kind. */
export function readLocation(spec: LoadBalancerSpec | undefined, findings: Planning["findings"]): string {
  const kind = spec?.kind ?? "globalExternal";
  const regional = traitsOf(kind).isRegional;
  const region = spec?.region;
  if (!regional) {
    if (region !== undefined) {
      findings.report(
        "region-not-allowed",
        "/loadBalancer/region",
        `a ${kind} load balancer has no region, got '${region}'`,
      );
    }
    return "global";
  }
  if (region === undefined || !/^[a-z]+-[a-z]+[0-9]+$/.test(region)) {
    findings.report(
      "region-missing",
      "/loadBalancer/region",
      region === undefined ? `a ${kind} load balancer needs a region` : `'${region}' is not a region`,
    );
  }
  return region ?? "global";
}
