import { isIPv6 } from "node:net";
import { canonicalAddress } from "../hostnames";
import { type Fields, isFields } from "../json/fields";
import { addressTypes, forwardingRuleTypes, types } from "./resource-types";

/** Attributes with IP addresses, by resource type. */
const holders: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...forwardingRuleTypes].map((type) => [type, ["ip_address"]] as const),
  ...[...addressTypes].map((type) => [type, ["address"]] as const),
  [types.record, ["rrdatas", "routing_policy"]],
]);

/**
 * Returns the values of a resource with each IPv6 address in its canonical form, because an address has several
 * spellings. Regional forwarding rules have the address with the length of its prefix, which is left out.
 */
export function withCanonicalAddresses(type: string, values: Fields): Fields {
  const attributes = holders.get(type)?.filter((attribute) => values[attribute] !== undefined) ?? [];
  if (attributes.length === 0) return values;
  return { ...values, ...Object.fromEntries(attributes.map((attribute) => [attribute, canonical(values[attribute])])) };
}

function canonical(value: unknown): unknown {
  if (typeof value === "string") {
    const bare = value.replace(/\/\d+$/, "");
    return isIPv6(bare) ? canonicalAddress(bare) : value;
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, canonical(member)]));
}
