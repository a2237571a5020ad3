/** A forwarding rule of an external load balancer, as Compute Engine takes it. @param port 80 for one that is met by HTTP alone. @default 443 */
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
