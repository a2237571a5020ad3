/** URL maps, backend services and SSL policies that the proxies of a stack refer to and the stack does not create. */

import { lastPart, projectIn, regionIn, writeComputeScope } from "../resource-names";
import type { Post } from "./post-resource";
import { forwardingRulesOf, isLiteral, projectOfStack, resourcesOf, type StackJson } from "./stack";

/** A URL map, a backend service or an SSL policy that a proxy of the stack refers to by name. */
interface Backend {
  readonly project: string;
  readonly name: string;
  /** Region; absent for a global resource. */
  readonly region?: string;
  /** Whether the load balancer is internal. @default false */
  readonly internal?: boolean;
}

/** URL maps, backend services and SSL policies, without those that the stack creates. */
export interface Backends {
  readonly urlMaps: readonly Backend[];
  /** Backend services of network load balancers, which have no URL map. */
  readonly services: readonly Backend[];
  readonly policies: readonly Omit<Backend, "internal">[];
}

export function backendsOf(stack: StackJson): Backends {
  const internal = forwardingRulesOf(stack).some((rule) => rule.load_balancing_scheme === "INTERNAL_MANAGED");
  const named = (type: string, attribute: string) =>
    Object.values(resourcesOf(stack, type)).flatMap((block) => {
      const link = String(block[attribute] ?? "");
      if (link === "" || link.includes("${")) return [];
      const region = block.region ?? regionIn(link);
      const backend: Backend = {
        project: projectIn(link) ?? (isLiteral(block.project) ? block.project : projectOfStack(stack)),
        name: lastPart(link),
        ...(typeof region === "string" ? { region } : {}),
        ...(internal ? { internal } : {}),
      };
      return [backend];
    });
  return {
    urlMaps: distinct([
      ...named("google_compute_target_https_proxy", "url_map"),
      ...named("google_compute_region_target_https_proxy", "url_map"),
    ]),
    services: distinct(named("google_compute_target_ssl_proxy", "backend_service")),
    policies: distinct(
      [
        "google_compute_target_https_proxy",
        "google_compute_region_target_https_proxy",
        "google_compute_target_ssl_proxy",
      ]
        .flatMap((type) => named(type, "ssl_policy"))
        .map(({ internal: _, ...policy }) => policy),
    ),
  };
}

function distinct(backends: readonly Backend[]): readonly Backend[] {
  return [...new Map(backends.map((backend) => [JSON.stringify(backend), backend])).values()];
}

/** Creates the URL maps, backend services and SSL policies. The backends receive no requests. */
export async function makeBackends({ urlMaps, services, policies }: Backends, post: Post): Promise<void> {
  const placeOf = (backend: Backend) => `compute/v1/${writeComputeScope(backend)}`;
  const schemeOf = ({ internal }: Backend) => (internal === true ? "INTERNAL_MANAGED" : "EXTERNAL_MANAGED");
  for (const map of urlMaps) {
    const service = `${map.name}-backend`;
    const place = placeOf(map);
    await post(`${place}/backendServices`, {
      name: service,
      loadBalancingScheme: schemeOf(map),
      protocol: "HTTP",
    });
    const defaultService = `${writeComputeScope(map)}/backendServices/${service}`;
    await post(`${place}/urlMaps`, { name: map.name, defaultService });
  }
  for (const service of services) {
    await post(`${placeOf(service)}/backendServices`, {
      name: service.name,
      loadBalancingScheme: schemeOf(service),
      protocol: "TCP",
    });
  }
  for (const policy of policies) await post(`${placeOf(policy)}/sslPolicies`, { name: policy.name });
}
