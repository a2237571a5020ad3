export { isCertificateId, otherCertificateIds, servedCertificateIds } from "./entry-certificates";
export { sourceFromOutputs } from "./from-outputs";
export { type SpecOptions, type SpecSource, sourceFromSpec } from "./from-spec";
export { sourceFromStack } from "./from-stack";
export {
  authorizedDomain,
  isZoneName,
  type MigrationSource,
  type SourceAuthorization,
  type SourceCertificate,
  type SourceEntry,
  type SourceIssuer,
  type SourceMigration,
  type SourceRecord,
  type SourceResource,
  type SourceServingProxy,
  type SourceTraffic,
} from "./model";
export type { StackContents, StackResource } from "./stack-contents";
