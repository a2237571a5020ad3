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
