import { isIP } from "node:net";
import type { Ids } from "./ids";
import { quotaExceeded } from "./refusals";

export type IpVersion = "IPV4" | "IPV6";

/** Returns an address in its canonical form. @returns undefined for a text that is not a valid address */
export function readIpAddress(text: string): { readonly ipAddress: string; readonly ipVersion: IpVersion } | undefined {
  const version = isIP(text);
  if (version === 4) return { ipAddress: text, ipVersion: "IPV4" };
  // An IPv6 zone, as in fe80::1%eth0, is meaningful on one machine only.
  if (version !== 6 || text.includes("%")) return undefined;
  return { ipAddress: new URL(`http://[${text}]`).hostname.slice(1, -1), ipVersion: "IPV6" };
}

/** Ranges for documentation (RFC 5737), which belong to no real host. */
const external = ["192.0.2.", "198.51.100.", "203.0.113."];
const hosts = 254;

/**
 * Returns an unused address.
 *
 * @param isFree returns whether a candidate is unused
 * @throws CloudError if all addresses are in use; there are 762 external IPv4 addresses
 */
export function drawIpAddress(
  { ipVersion, internal }: { readonly ipVersion: IpVersion; readonly internal: boolean },
  ids: Ids,
  isFree: (ipAddress: string) => boolean,
): string {
  const drawn = BigInt(`0x${ids.next()}`);
  const most = ipVersion === "IPV4" && !internal ? external.length * hosts : 65_536;
  for (let step = 0; step < most; step++) {
    const candidate = candidateAt(drawn + BigInt(step), ipVersion, internal);
    if (isFree(candidate)) return candidate;
  }
  throw quotaExceeded(internal ? "INTERNAL_ADDRESSES" : "STATIC_ADDRESSES", most);
}

function candidateAt(number: bigint, ipVersion: IpVersion, internal: boolean): string {
  if (ipVersion === "IPV6") {
    // Each is a network of 64 bits from the documentation prefix (RFC 3849) or from the unique local addresses (RFC
    // 4193).
    const groups = [(number >> 16n) & 0xffffn, number & 0xffffn].map((group) => group.toString(16)).join(":");
    const text = internal ? `fd20:${groups}::` : `2001:db8:${groups}::`;
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  }
  if (internal) {
    const host = Number(number % 65_024n);
    return `10.128.${Math.floor(host / hosts)}.${(host % hosts) + 1}`;
  }
  const place = Number(number % BigInt(external.length * hosts));
  return `${external[Math.floor(place / hosts)]}${(place % hosts) + 1}`;
}
