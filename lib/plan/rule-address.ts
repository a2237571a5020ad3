import { isIP } from "node:net";
import { isReference } from "./reference";
import type { LoadBalancerSpec } from "./spec";

/** A label of RFC 1035, as resources of Compute are called. */
const name = "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?";
/** What a rule of Compute takes for the reserved address that it names: a link, what stands behind its project or version, or the bare name. */
const addressId = new RegExp(
  `^(?:(?:https://[^/\\s]+/compute/[^/\\s]+/)?(?:projects/[^/\\s]+/)?(?:global|regions/${name})/addresses/)?${name}$`,
);

/**
 * Whether a forwarding rule of that family can take it: an address, a range of IPv6, the name, id or link of a reserved address, or what only Terraform knows.
 * Compute's own reference of the rule's `IPAddress` lists these forms.
 */
export function canBeRuleAddress(text: string, family: "IPV4" | "IPV6"): boolean {
  if (isReference(text) || addressId.test(text)) return true;
  if (family === "IPV4") return isIP(text) === 4;
  const [, start = "", bits = "0"] = /^(.+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(start) === 6 && Number(bits) <= 128;
}

/** The first address of a forwarding rule that tells nobody where the rule answers, as it names an address only. */
export function namedAddress({ newTargetHttpsProxy, newTargetSslProxy }: LoadBalancerSpec): string | undefined {
  return [newTargetHttpsProxy?.forwardingRules, newTargetSslProxy?.forwardingRules]
    .flatMap((rules) => [rules?.ipv4Address ?? [], rules?.ipv6Address ?? []].flat())
    .find((address) => !isReference(address) && isIP(address) === 0 && addressId.test(address));
}
