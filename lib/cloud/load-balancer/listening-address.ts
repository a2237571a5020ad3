import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";

/** A place to listen at, in the order in which to try. */
export interface Candidate {
  readonly address: string;
  /** 0 for a free one. */
  readonly port: number;
}

/**
 * Where a frontend may listen on this machine: an address of its own in 127/8 at its own port, as far as the system lets it; else another port. A
 * machine has one ::1 only.
 */
export function candidatesFor(forwardingRule: string, ipAddress: string, port: number): readonly Candidate[] {
  if (isIPv6(ipAddress)) {
    return [
      { address: "::1", port },
      { address: "::1", port: 0 },
      // Where the system has no IPv6.
      { address: "127.0.0.1", port: 0 },
    ];
  }
  const own = ipAddress.startsWith("127.") ? ipAddress : ownAddress(forwardingRule);
  return [
    { address: own, port },
    { address: own, port: 0 },
    { address: "127.0.0.1", port: 0 },
  ];
}

/** The same rule gets the same address in each run, and no two rules one but by a rare chance, in which the port differs. */
function ownAddress(forwardingRule: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(forwardingRule).digest();
  return `127.${16 + (a % 224)}.${b}.${1 + (c % 254)}`;
}
