import {
  DefaultTokenResolver,
  ref,
  StringConcat,
  type TerraformElement,
  type TerraformResource,
  TerraformStack,
  Token,
  Tokenization,
} from "cdktf";
import type { IConstruct } from "constructs";
import { type Described, referenceIn } from "../plan";
import { withoutStackTraces } from "./stack-traces";

/** A resource with an address in Terraform. */
export interface Addressable extends TerraformElement {
  readonly terraformResourceType: string;
}

/**
 * Address of a resource within its stack, as in `google_dns_record_set.shop_9A3F01BC`. From then on, the kit refuses to
 * override the resource's logical id, because the address is in other resources.
 */
export function addressOf(resource: Addressable): string {
  fixLogicalId(resource);
  return `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
}

const fixed = new WeakSet<Addressable>();

/**
 * Makes the kit refuse another logical id of a resource. Otherwise, the kit ignores it once an attribute of the
 * resource has been read. This requests the resource's `fqn`, without the trace of its token.
 */
export function fixLogicalId(resource: Addressable): void {
  if (fixed.has(resource)) return;
  fixed.add(resource);
  withoutStackTraces(() => resource.fqn);
}

/**
 * Returns a reference to an attribute of a resource of the same stack, in Terraform's syntax. Tokens would take 40 % of
 * the time of a large stack, because each token takes a stack trace.
 */
export function referTo(resource: Addressable, attribute: string): string {
  return `\${${addressOf(resource)}.${attribute}}`;
}

/** A reference in Terraform's syntax; neither the placeholder of a token nor an escaped `$${`. */
const plainReference = /(?<!\$)\$\{(?!TfToken\[)((?:[^{}"]|"[^"]*")+)\}/g;

/**
 * Returns a text for use in any stack of the app: its references to the given stack become tokens, which are the same
 * references within the stack, and cross-stack references in every other stack.
 */
export function acrossStacks(stack: TerraformStack, text: string): string {
  return text.replace(plainReference, (_, expression: string) => Token.asString(ref(expression.trim(), stack)));
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

/** Returns a text as a name of letters, digits and `_`; variables in it are replaced by their names. */
export function identifierIn(stack: TerraformStack, text: string): string {
  return identityIn(stack, text)
    .replace(/\$\{ *var\.([^} ]*) *\}/g, "$1")
    .replace(/[^A-Za-z0-9_]/g, "_");
}

/**
 * Returns a reader of the tokens of a stack: `var.zone` for a token of a variable. A list with a token has no name as a
 * whole, because its item has it.
 */
export function tokenReader(stack: TerraformStack): (value: unknown) => string | undefined {
  return (value) => {
    if (value === null || value === undefined || Array.isArray(value)) return undefined;
    // The kit finds the token of a list only in a list.
    const token: unknown = typeof value === "string" && value.startsWith("#{") ? [value] : value;
    if (!Token.isUnresolved(token)) return undefined;
    const resolver = new DefaultTokenResolver(new StringConcat());
    try {
      const text = String(Tokenization.resolve(token, { scope: stack, resolver, preparing: false }));
      return referenceIn(text) ?? text;
    } catch {
      // A token of another app, or text in the form of one.
      return "a token that this app does not have";
    }
  };
}

/** Returns the values that are not undefined, for configurations with optional arguments. */
export function definedArguments<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T {
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
