import { isIPv6 } from "node:net";

/**
 * Returns the canonical form of an IPv6 address (RFC 5952), with a zone such as `%eth0` kept. Returns any other text
 * unchanged.
 */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = "", zone] = address.split("%");
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return zone === undefined ? short : `${short}%${zone}`;
}
