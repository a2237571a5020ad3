import { type CheckOptions, caaRefusal } from "./authorization-check";
import type { AuthorizationAttempt } from "./certificates";
import { withSharedLookUps } from "./shared-look-ups";

/** Where a name leads, and which load balancers have a certificate. */
export interface VisibilityOptions {
  /** Returns the IPv4 and IPv6 addresses of a name, by a query over the network. */
  readonly addressesOf: (domain: string) => Promise<readonly string[]>;
  /** Returns the addresses of the load balancers that have a certificate on port 443. */
  readonly frontendsWith: (certificate: string) => readonly string[];
}

/**
 * Validates one domain by load balancer authorization: all its addresses have to be addresses of load balancers that have
 * the certificate on port 443, and CAA records must not forbid issuance. Until then, the validation is in progress.
 *
 * @param certificate name of the certificate
 * @param now RFC 3339
 */
export async function checkVisibility(
  domain: string,
  certificate: string,
  options: CheckOptions & VisibilityOptions,
  now: string,
): Promise<AuthorizationAttempt> {
  const injected = options.fault?.(domain);
  if (injected !== undefined) return { domain, state: "FAILED", ...injected, attemptTime: now };
  const addresses = await options.addressesOf(domain);
  const frontends = new Set(options.frontendsWith(certificate));
  const others = addresses.filter((address) => !frontends.has(address));
  if (addresses.length === 0 || others.length > 0) {
    const where = addresses.length === 0 ? "has no address" : `leads to ${others.join(", ")}`;
    const details = `${domain} ${where}; it has to lead to a load balancer with this certificate on port 443`;
    return { domain, state: "AUTHORIZING", details, attemptTime: now };
  }
  const forbidden = await withSharedLookUps(options.lookUp, now, (lookUp) =>
    caaRefusal(domain, { ...options, lookUp }),
  );
  if (forbidden !== undefined)
    return { domain, state: "FAILED", failureReason: "CAA", details: forbidden, attemptTime: now };
  return { domain, state: "AUTHORIZED", attemptTime: now };
}
