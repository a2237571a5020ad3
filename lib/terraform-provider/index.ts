/**
 * A stand-in for the google provider, so that real Terraform rehearses against a cloud on the same machine.
 *
 * Its schema is read from the installed bindings, its rules from the provider's documentation; plans and states are checked by Terraform as strictly as it
 * checks any provider, not as leniently as those of the older kind that the real one is. Where that makes a difference:
 *
 * - an attribute that has a default is computed as well;
 * - a state keeps the spelling of the configuration where the service says the same in other words, such as a path for a full link;
 * - a block that the service fills by itself is in the state only where it is configured.
 *
 * What it can't show is what the real provider does beyond its documentation, and other errors than those of the cloud. It is no provider to work with:
 * nothing of it belongs into a mirror.
 *
 * @packageDocumentation
 */
export { type KnownTypes, openKnownTypes } from "./known-types";
export {
  isInCloudBesideStandIn,
  type RealProviderOptions,
  realProviderArguments,
  realProviderEnvironment,
} from "./real-provider";
export type { AttributeType, Block as SchemaBlock } from "./schema";
export { startTerraformProvider, type TerraformProvider, type TerraformProviderOptions } from "./start";
export type { StateBackend } from "./state-backend";
