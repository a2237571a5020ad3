import "./installed";

export type {
  AddressesSpec,
  AdoptedTargetHttpsProxySpec,
  AdoptedTargetSslProxySpec,
  AlertedProject,
  AlertsSpec,
  AuthorizationTypeName,
  CertificateAuthorization,
  CertificateScopeName,
  CertificateSpec,
  ClientAuthenticationSpec,
  CloudDnsSpec,
  CreatedCertificateOptions,
  CustomDnsSpec,
  Described,
  DnsSpec,
  ExistingAuthorizationReference,
  ExistingCertificateSpec,
  ExistingIssuance,
  ExternalDnsSpec,
  Finding,
  FindingContent,
  FormerCertificateSpec,
  ForwardingRulesSpec,
  GateName,
  INaming,
  IssuanceSettings,
  IssuedBySpec,
  IssuedCertificateOptions,
  LoadBalancerKind,
  LoadBalancerOptions,
  LoadBalancerSpec,
  ManagedCertificateSpec,
  MigrationHostnames,
  MigrationPlan,
  MigrationSettings,
  MigrationSpec,
  NamedResourceKind,
  NewTargetHttpsProxySpec,
  NewTargetSslProxySpec,
  PhaseName,
  PlanFinding,
  PlannedAddresses,
  PlannedAdoptedHttpsProxy,
  PlannedAdoptedSslProxy,
  PlannedAlerts,
  PlannedAttachment,
  PlannedAuthorization,
  PlannedAuthorizationReference,
  PlannedCertificate,
  PlannedClientAuthentication,
  PlannedEntry,
  PlannedExistingCertificate,
  PlannedExistingMap,
  PlannedForwardingRule,
  PlannedIssuance,
  PlannedIssuanceConfig,
  PlannedManagedCertificate,
  PlannedMap,
  PlannedNewHttpsProxy,
  PlannedNewMap,
  PlannedNewSslProxy,
  PlannedProxy,
  PlannedRecord,
  PlannedSelfManagedCertificate,
  PlannedServingCertificate,
  PlannedServingProxy,
  PlannedTraffic,
  PlannedTrafficRecord,
  PlannedUptimeCheck,
  PlannedZone,
  PreviousAddresses,
  PreviousAlias,
  PreviousRecords,
  PrivateCaCertificateSpec,
  PrivateKeySpec,
  SelfManagedCertificateSpec,
  SelfManagedSpec,
  ServedCertificateOptions,
  ServingCertificateSpec,
  ServingProxySpec,
  SslProxyOptions,
  TrafficSpec,
  UncheckedHostname,
  UptimeChecksName,
  ZoneSpec,
} from "../plan";
export { AdminChangeAlerts } from "./admin-change-alerts/admin-change-alerts";
export type { AdminChange } from "./admin-change-alerts/events";
export type { AdminChangeAlertsProps } from "./admin-change-alerts/props";
export {
  Certificate,
  type ExistingCertificateOptions,
  type PrivateCaCertificateOptions,
  type SelfManagedCertificateOptions,
} from "./certificate";
export { CertificateAlerts } from "./certificate-alerts/certificate-alerts";
export type { CertificateAlertsProps, IWatchedMigration } from "./certificate-alerts/props";
export { CertificateIssuer, PrivateKey, type PrivateKeyOptions } from "./certificate-sources";
export { type CloudDnsOptions, type CloudDnsZone, DnsPublication } from "./dns-publication";
export { CertificateMap, DnsAuthorization } from "./existing-resources";
export { CommandGate } from "./gate";
export type { CommandGateProps } from "./gate-props";
export {
  type CrossRegionInternalOptions,
  type GlobalExternalOptions,
  LoadBalancer,
  type RegionalOptions,
} from "./load-balancer";
export { ManagedCertMigration } from "./managed-cert-migration";
export type { ManagedCertMigrationProps, MigrationProps } from "./migration-props";
export { MigrationMilestone } from "./milestone";
export type * from "./output";
export {
  type IRecordPublisher,
  type PublishedRecord,
  RecordToPublish,
  type RecordToPublishProps,
} from "./record-publisher";
export { WildcardCertWithAuth, type WildcardCertWithAuthProps } from "./wildcard-cert-with-auth";
export { AuthorizationType, CertificateScope, Gate, NamedResource, Phase, TrafficTarget } from "./words";
