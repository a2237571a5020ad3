export {
  createNetworkSecurity,
  type NetworkSecurity,
  type NetworkSecurityOptions,
} from "./network-security";
export { networkSecurityPrefix, type ServerTlsPolicy, serverTlsPolicyName } from "./server-tls-policies";
