import { parseLocatedName, writeLocation } from "../resource-names";
import { type ClientValidationMode, httpsProxyTypes, namedPolicyOf } from "./client-rule";
import type { Preparation } from "./lookups";
import { createPost } from "./post-resource";
import { resourcesOf, type StackJson } from "./stack";

/** What an existing policy validates clients with, which a stack does not contain. */
export interface NamedPolicy {
  readonly mode: ClientValidationMode;
  /** Trust anchor in PEM. */
  readonly anchorPem: string;
}

/** Trust config of the existing policies of a location. */
const trustConfig = "rehearsal-clients";

/**
 * Creates the existing server TLS policies that proxies of a stack name by their ids, each with a trust config that has
 * one anchor. The stack contains neither their modes nor their anchors.
 */
export async function makeNamedPolicies(
  stack: StackJson,
  { mode, anchorPem }: NamedPolicy,
  { cloudUrl, http }: Pick<Preparation, "cloudUrl" | "http">,
): Promise<void> {
  const post = createPost({ cloudUrl, http }, "preparing the server TLS policies that are there today", [409]);
  const blocks = httpsProxyTypes.flatMap((type) => Object.values(resourcesOf(stack, type)));
  for (const policy of new Set(blocks.flatMap((block) => namedPolicyOf(block) ?? []))) {
    const { project, location, collection, name } = parseLocatedName(policy) ?? {};
    if (project === undefined || location === undefined) continue;
    const parent = writeLocation({ project, location });
    await post(`v1/${parent}/trustConfigs?trustConfigId=${trustConfig}`, {
      trustStores: [{ trustAnchors: [{ pemCertificate: anchorPem }] }],
    });
    const mtlsPolicy = {
      clientValidationMode: mode,
      clientValidationTrustConfig: `${parent}/trustConfigs/${trustConfig}`,
    };
    await post(`v1/${parent}/${collection}?serverTlsPolicyId=${name}`, { mtlsPolicy });
  }
}
