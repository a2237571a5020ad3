/**
 * A stand-in for the google provider, so that real Terraform rehearses against a cloud on the same machine.
 *
 * Its schema is read from the installed bindings. Its rules were compared with the provider's source code at 6.50.0,
 * and its requests with recordings of the provider. Terraform checks the stand-in's plans with all its rules. It checks
 * the real provider's plans less strictly, because that provider uses the legacy type system of plugin SDK v2.
 * Terraform only logs a warning about an unexpected state after an apply; a rehearsal treats the warning as an error.
 * The strict checks make these differences necessary:
 *
 * - an attribute that has a default is also computed;
 * - a state keeps the spelling of the configuration if the service's answer is equivalent, such as a path for a full
 *   link;
 * - a block that the service fills by itself is in the state only if it is configured.
 *
 * The stand-in does not reproduce all behavior of the real provider. Its only errors are the errors of the cloud.
 * Do not use it as a provider for real projects, and do not put it into a provider mirror.
 *
 * @packageDocumentation
 */
export { type KnownTypes, openKnownTypes } from "./known-types";
export {
  type RealProviderOptions,
  realProviderArguments,
  realProviderEnvironment,
} from "./real-provider";
export {
  type HostedRecord,
  hostedRecordOf,
  hostedRecordTypes,
  type RecordHost,
  type RecordProviders,
  recordProviderSources,
  startRecordProviders,
  zoneLookups,
} from "./record-providers";
export { derivedDataTypes } from "./resources";
export type { AttributeType, ProviderRequirement, SchemaBlock } from "./schema";
export { startTerraformProvider, type TerraformProvider, type TerraformProviderOptions } from "./start";
export type { StateBackend } from "./state-backend";
