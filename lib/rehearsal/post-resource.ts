import type { HttpClient } from "../http";

/** A cloud in which resources are created without Terraform, because they exist before a migration. */
export interface RequestPlace {
  readonly cloudUrl: string;
  readonly http: HttpClient;
}

/**
 * Creates a resource by one POST.
 *
 * @param path path below the cloud's URL
 * @param accept statuses that are not errors, in place of the usual ones
 */
export type Post = (path: string, body: object, accept?: readonly number[]) => Promise<void>;

/** @param purpose for messages, for example `preparing the rehearsal` @param usual statuses that are not errors */
export function createPost({ cloudUrl, http }: RequestPlace, purpose: string, usual: readonly number[] = []): Post {
  return async (path, body, accept = usual) => {
    await http.send({
      method: "POST",
      url: `${cloudUrl}${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose,
      accept,
    });
  };
}

/**
 * Returns a forwarding rule of an external load balancer, in the format of Compute Engine.
 *
 * @param port 80 for HTTP only. @default 443
 */
export function forwardingRule(name: string, address: string, target: string, port: 443 | 80 = 443) {
  return {
    name,
    IPAddress: address,
    IPProtocol: "TCP",
    portRange: String(port),
    loadBalancingScheme: "EXTERNAL_MANAGED",
    ...(address.includes(":") ? { ipVersion: "IPV6" } : {}),
    target,
  };
}
