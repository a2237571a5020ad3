import { isIP } from "node:net";
import type { Ids } from "./ids";
import { quotaExceeded } from "./refusals";

export type IpVersion = "IPV4" | "IPV6";

/** An address in the one spelling that it is kept in. @returns undefined for what is no address */
export function readIpAddress(text: string): { readonly ipAddress: string; readonly ipVersion: IpVersion } | undefined {
  const version = isIP(text);
  if (version === 4) return { ipAddress: text, ipVersion: "IPV4" };
  // A zone, as in fe80::1%eth0, means something on one machine only.
  if (version !== 6 || text.includes("%")) return undefined;
  return { ipAddress: new URL(`http://[${text}]`).hostname.slice(1, -1), ipVersion: "IPV6" };
}

/** Ranges that are for documentation (RFC 5737): what is drawn from them is nobody's. */
const external = ["192.0.2.", "198.51.100.", "203.0.113."];
const hosts = 254;

/**
 * Draws an address that is free.
 *
 * @param isFree asked of each candidate
 * @throws CloudError where all are taken; there are 762 external ones of IPv4
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
    // A network of 64 bits each, out of the documentation prefix (RFC 3849) or of unique local addresses (RFC 4193).
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
