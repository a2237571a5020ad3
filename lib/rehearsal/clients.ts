import { type ClientRequirement, type IssuedIdentity, makeClientIdentity } from "../cloud";
import { clientRuleOf, usualMode } from "./client-rule";
import type { ProberOptions } from "./prober";
import type { NamedPolicy } from "./server-tls-policies";
import type { StackJson } from "./stack";
import type { StageOptions } from "./stage-options";

/** The clients of a rehearsal, and what its servers require of them. */
export interface Clients {
  /** Certificate of clients, of a CA that stands in for the trust anchors of the stack. */
  readonly identity: IssuedIdentity;
  /** Policies that exist before the migration. */
  readonly existingPolicies: NamedPolicy;
  /** Undefined unless the stack has mutual TLS: then clients have no certificates. */
  readonly probing: ProberOptions["clients"];
  /** What the previous provider requires; undefined if it requests no client certificates. */
  readonly requirement: ClientRequirement | undefined;
}

const mixed =
  "the target HTTPS proxies of the stack treat client certificates differently: the rehearsal probes without client certificates";

/** Returns the clients for a stack with all its proxies. */
export async function clientsOf(
  stack: StackJson,
  { world: { existingPolicyMode = usualMode } = {}, output }: Pick<StageOptions, "world" | "output">,
): Promise<Clients> {
  const identity = await makeClientIdentity(new Date());
  const { anchorPem, certificatePem, privateKeyPem } = identity;
  const existingPolicies = { mode: existingPolicyMode, anchorPem };
  const rule = clientRuleOf(stack, existingPolicyMode);
  if (rule === "mixed") output.say(mixed);
  if (rule === undefined || rule === "mixed") {
    return { identity, existingPolicies, probing: undefined, requirement: undefined };
  }
  return {
    identity,
    existingPolicies,
    probing: { rule, certificate: { cert: certificatePem, key: privateKeyPem } },
    requirement: { rejectsInvalid: rule.refusesOthers, trustAnchors: [anchorPem] },
  };
}
