import {
  DefaultTokenResolver,
  StringConcat,
  type TerraformElement,
  type TerraformResource,
  TerraformStack,
  Token,
  Tokenization,
} from "cdktf";
import type { IConstruct } from "constructs";
import type { Described } from "../plan";

/** A resource with an address in Terraform. */
export interface Addressable extends TerraformElement {
  readonly terraformResourceType: string;
}

/** Address of a resource within its stack, as in `google_dns_record_set.shop_9A3F01BC`. */
export function addressOf(resource: Addressable): string {
  return `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
}

/**
 * Returns a reference to an attribute of a resource of the same stack, in Terraform's syntax. Tokens would take 40 % of
 * the time of a large stack, because each token takes a stack trace.
 */
export function referTo(resource: Addressable, attribute: string): string {
  return `\${${addressOf(resource)}.${attribute}}`;
}

/** Returns whether two constructs are in the same stack, where one can refer to the other by its address. */
export function inSameStack(a: IConstruct, b: IConstruct): boolean {
  return TerraformStack.of(a) === TerraformStack.of(b);
}

/** Returns the text that a reference resolves to in a stack. It is the same in every run, unlike the token. */
export function identityIn(stack: TerraformStack, reference: string): string {
  if (!Token.isUnresolved(reference)) return reference;
  const resolver = new DefaultTokenResolver(new StringConcat());
  return String(Tokenization.resolve(reference, { scope: stack, resolver, preparing: false }));
}

/** Returns the values that are not undefined, for configurations with optional arguments. */
export function defined<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

/** Returns the arguments that resources of a plan have in common. */
export function commonArguments(planned: Described & { readonly name: string; readonly project?: string }) {
  const { name, description, labels, project } = planned;
  return { name, description, labels: labels && { ...labels }, project, lifecycle: { createBeforeDestroy: true } };
}

/** Makes a resource depend on another resource, by its address. */
export function addDependency(resource: TerraformResource, address: string): void {
  if (resource.dependsOn === undefined) resource.dependsOn = [address];
  else if (!resource.dependsOn.includes(address)) resource.dependsOn.push(address);
}

/** Makes a resource depend on other resources that it does not depend on yet. */
export function addDependencies(resource: TerraformResource, addresses: readonly string[]): void {
  if (addresses.length > 0) resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), ...addresses])];
}
