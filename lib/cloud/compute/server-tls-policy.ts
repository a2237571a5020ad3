/** Rules for the server TLS policy of a target HTTPS proxy. */
import { locationIn } from "../../resource-names";
import type { Json } from "../front";
import { networkSecurityPrefix, serverTlsPolicyName } from "../network-security";
import type { Place, Surroundings } from "./concept";
import { invalidValue, notFound } from "./refusals";
import { textOf } from "./resources";

/**
 * Checks the policy of a proxy and returns its link; undefined without a policy.
 *
 * @throws CloudError 400 for a policy of another location or without mutual TLS, 404 for a missing policy
 */
export function completeServerTlsPolicy(
  body: Json,
  { scope }: Place,
  { serverTlsPolicy: lookUp }: Surroundings,
): string | undefined {
  const link = textOf(body, "serverTlsPolicy");
  if (link === "") return undefined;
  const name = serverTlsPolicyName(link);
  const field = "serverTlsPolicy";
  if (name === undefined) throw invalidValue(field, link, "This is not a server TLS policy.");
  const wanted = scope.region ?? "global";
  if (locationIn(name) !== wanted)
    throw invalidValue(field, link, `The policy has to be in the location ${wanted}, as the proxy is.`);
  if (lookUp === undefined) return networkSecurityPrefix + name;
  const found = lookUp(name);
  if (found === undefined) throw notFound(name);
  if (!found.isForLoadBalancers)
    throw invalidValue(field, link, "The policy has no mtlsPolicy with a clientValidationMode.");
  return networkSecurityPrefix + found.name;
}
