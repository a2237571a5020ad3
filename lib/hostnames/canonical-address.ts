import { isIPv6 } from "node:net";

/** One spelling of an address of IPv6, of the many that there are (RFC 5952), a zone such as `%eth0` kept; anything else as it is. */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = "", zone] = address.split("%");
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return zone === undefined ? short : `${short}%${zone}`;
}
