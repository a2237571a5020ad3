import { DefaultTokenResolver, StringConcat, type TerraformElement, TerraformStack, Token, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** A resource as Terraform knows it. */
export interface Addressable extends TerraformElement {
  readonly terraformResourceType: string;
}

/** Address of a resource within its stack, as in `google_dns_record_set.shop_9A3F01BC`. */
export function addressOf(resource: Addressable): string {
  return `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
}

/**
 * Refers to an attribute of a resource of the same stack. The text is written as Terraform reads it: a token in its place would take
 * a stack trace each time, which is 40 % of the time that a large stack takes.
 */
export function referTo(resource: Addressable, attribute: string): string {
  return `\${${addressOf(resource)}.${attribute}}`;
}

/** Whether two constructs are of one stack, so that a plain address of one is understood in the other. */
export function inSameStack(a: IConstruct, b: IConstruct): boolean {
  return TerraformStack.of(a) === TerraformStack.of(b);
}

/** What a reference resolves to in a stack: the same text in every run, unlike the token that stands for it. */
export function identityIn(stack: TerraformStack, reference: string): string {
  if (!Token.isUnresolved(reference)) return reference;
  const resolver = new DefaultTokenResolver(new StringConcat());
  return String(Tokenization.resolve(reference, { scope: stack, resolver, preparing: false }));
}

/** Leaves out what is undefined, so that optional values can be passed on as they come. */
export function defined<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
