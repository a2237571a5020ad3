import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";

/** A local address and port for a listener; candidates are tried in order. */
export interface Candidate {
  readonly address: string;
  /** Port; 0 for a free port. */
  readonly port: number;
}

/**
 * Returns the local addresses for a frontend. The first is an address of its own in 127/8 with the frontend's port, if
 * the system allows it; the next ones have other ports. A machine has only one IPv6 loopback address, ::1.
 */
export function candidatesFor(forwardingRule: string, ipAddress: string, port: number): readonly Candidate[] {
  if (isIPv6(ipAddress)) {
    return [
      { address: "::1", port },
      { address: "::1", port: 0 },
      // For systems without IPv6.
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

/**
 * Returns a rule's own address, the same in each run. Two rules rarely get the same address; their ports differ then.
 */
function ownAddress(forwardingRule: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(forwardingRule).digest();
  return `127.${16 + (a % 224)}.${b}.${1 + (c % 254)}`;
}
