import "./installed";

export { AdminChangeAlerts } from "./admin-change-alerts/admin-change-alerts";
export type { AdminChange } from "./admin-change-alerts/events";
export type { AdminChangeAlertsProps } from "./admin-change-alerts/props";
export { type CloudDnsOptions, DnsPublication } from "./dns-publication";
export { CommandGate, type CommandGateProps } from "./gate";
export {
  type CrossRegionInternalOptions,
  type GlobalExternalOptions,
  LoadBalancer,
  type RegionalOptions,
} from "./load-balancer";
export { ManagedCertMigration, type ManagedCertMigrationProps } from "./managed-cert-migration";
export type * from "./output";
export { WildcardCertWithAuth, type WildcardCertWithAuthProps } from "./wildcard-cert-with-auth";
