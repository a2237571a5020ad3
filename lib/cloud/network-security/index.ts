export { createNetworkSecurity, type NetworkSecurity } from "./network-security";
export { networkSecurityPrefix, serverTlsPolicyName } from "./server-tls-policies";
