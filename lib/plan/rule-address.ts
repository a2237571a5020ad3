import { isIP } from "node:net";
import { isReference } from "./reference";
import type { LoadBalancerSpec } from "./spec";

/** A label of RFC 1035, the format of names in Compute. */
const name = "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?";
/**
 * The forms in which a forwarding rule accepts a reserved address: a link, the part of the link after project or
 * version, or the bare name.
 */
const addressId = new RegExp(
  `^(?:(?:https://[^/\\s]+/compute/[^/\\s]+/)?(?:projects/[^/\\s]+/)?(?:global|regions/${name})/addresses/)?${name}$`,
);

/**
 * Returns whether a forwarding rule of that family accepts the value: an address, a range of IPv6, the name, id or link
 * of a reserved address, or a reference. The forms are listed in Compute's reference of the rule's `IPAddress`.
 */
export function canBeRuleAddress(text: string, family: "IPV4" | "IPV6"): boolean {
  if (isReference(text) || addressId.test(text)) return true;
  if (family === "IPV4") return isIP(text) === 4;
  const [, start = "", bits = "0"] = /^(.+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(start) === 6 && Number(bits) <= 128;
}

/** Returns the first address of a forwarding rule that is only a name, so that the IP address is unknown. */
export function namedAddress({ newTargetHttpsProxy, newTargetSslProxy }: LoadBalancerSpec): string | undefined {
  return [newTargetHttpsProxy?.forwardingRules, newTargetSslProxy?.forwardingRules]
    .flatMap((rules) => [rules?.ipv4Address ?? [], rules?.ipv6Address ?? []].flat())
    .find((address) => !isReference(address) && isIP(address) === 0 && addressId.test(address));
}
