/**
 * Mutual TLS in a rehearsal: which clients the servers accept, before and after the migration. The previous provider
 * treats clients as the target proxies of the stack do.
 */
import { parseLocatedName, resourceNameIn } from "../resource-names";
import { servingProxiesOf } from "./serving-proxies";
import { type Block, isLiteral, resourcesOf, type StackJson } from "./stack";

/** Validation modes of server TLS policies. */
export type ClientValidationMode = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT" | "REJECT_INVALID";

const modes: readonly ClientValidationMode[] = ["ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"];

/** What clients get, before and after the migration. */
export interface ClientRule {
  /** Whether servers refuse clients without a valid certificate. */
  readonly refusesOthers: boolean;
  /**
   * Whether servers validate certificates from the first handshake on. False if the stack adds the validation to
   * proxies that serve the hostnames already.
   */
  readonly validates: boolean;
}

/** Types of target HTTPS proxies in Terraform. */
export const httpsProxyTypes = [
  "google_compute_target_https_proxy",
  "google_compute_region_target_https_proxy",
] as const;

/** Mode of an existing policy, which the stack does not contain, unless the rehearsal has another. */
export const usualMode: ClientValidationMode = "ALLOW_INVALID_OR_MISSING_CLIENT_CERT";

/** A server TLS policy of a proxy. */
interface ProxyPolicy {
  /** Mode; undefined if the proxy requests no client certificates. */
  readonly mode: ClientValidationMode | undefined;
  /** Whether the policy exists before the migration. */
  readonly isExisting: boolean;
}

/**
 * Returns what clients of a stack's target HTTPS proxies get.
 *
 * @param namedMode mode of the existing policies that the stack names by id
 * @returns undefined without mutual TLS; `mixed` if proxies treat clients differently
 */
export function clientRuleOf(stack: StackJson, namedMode = usualMode): ClientRule | "mixed" | undefined {
  const policies = httpsProxyTypes
    .flatMap((type) => Object.values(resourcesOf(stack, type)))
    .map(({ server_tls_policy: policy }) => policyOf(stack, policy, namedMode));
  const found = new Set(policies.map(({ mode }) => mode));
  if (found.size > 1) return "mixed";
  const [mode] = found;
  if (mode === undefined) return undefined;
  const isInPlace = servingProxiesOf(stack).some(({ isAdopted }) => isAdopted);
  return {
    refusesOthers: mode === "REJECT_INVALID",
    validates: !isInPlace || policies.every(({ isExisting }) => isExisting),
  };
}

/** Returns the id of an existing policy that a proxy names, for example `projects/p/locations/global/…`. */
export function namedPolicyOf({ server_tls_policy: policy }: Block): string | undefined {
  const id = isLiteral(policy) ? resourceNameIn(policy) : "";
  return parseLocatedName(id)?.collection === "serverTlsPolicies" ? id : undefined;
}

function policyOf(stack: StackJson, policy: unknown, namedMode: ClientValidationMode): ProxyPolicy {
  if (namedPolicyOf({ server_tls_policy: policy }) !== undefined) return { mode: namedMode, isExisting: true };
  const [, id = ""] = /^\$\{google_network_security_server_tls_policy\.([\w-]+)\.\w+\}$/.exec(String(policy)) ?? [];
  const { mtls_policy: given } = resourcesOf(stack, "google_network_security_server_tls_policy")[id] ?? {};
  const { client_validation_mode: mode } = ((Array.isArray(given) ? given[0] : given) ?? {}) as Block;
  return { mode: modes.find((known) => known === mode), isExisting: false };
}
