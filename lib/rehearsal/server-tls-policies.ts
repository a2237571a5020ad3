import { parseLocatedName } from "../resource-names";
import type { Making } from "./lookups";
import { posterTo } from "./poster";
import { isLiteral, resourcesOf, type StackJson } from "./stack";

const proxyTypes = ["google_compute_target_https_proxy", "google_compute_region_target_https_proxy"] as const;

/**
 * Creates the existing server TLS policies that proxies of a stack name by their ids. The stack does not contain their
 * modes: in a rehearsal they allow every client.
 */
export async function makeNamedPolicies(
  stack: StackJson,
  { cloudUrl, http }: Pick<Making, "cloudUrl" | "http">,
): Promise<void> {
  const post = posterTo({ cloudUrl, http }, "preparing the server TLS policies that are there today", [409]);
  const blocks = proxyTypes.flatMap((type) => Object.values(resourcesOf(stack, type)));
  for (const { server_tls_policy: link } of blocks) {
    const policy = isLiteral(link) ? parseLocatedName(link.replace(/^.*?(?=projects\/)/, "")) : undefined;
    if (policy === undefined) continue;
    const { project, location, collection, name } = policy;
    const path = `v1/projects/${project}/locations/${location}/${collection}?serverTlsPolicyId=${name}`;
    await post(path, { mtlsPolicy: { clientValidationMode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" } });
  }
}
