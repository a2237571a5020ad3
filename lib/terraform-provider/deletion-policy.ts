import { InputError } from "../errors";
import type { ProviderSettings } from "./resources";
import type { Block } from "./schema";
import { textOf, type Value, type ValueObject } from "./value";

/**
 * Adds the deletion policy to a plan or a state: the resource's own, else the provider block's, else `DELETE`. From
 * 7.33 on the provider has this argument on nearly all types, where the schema calls it optional and computed. Earlier
 * arguments of this name, which few types have, are not computed and stay unchanged.
 *
 * @param own value in the configuration or the state; null without a value
 */
export function withDeletionPolicy(
  { attributes }: Block,
  values: ValueObject,
  own: Value,
  { deletionPolicy = "DELETE" }: ProviderSettings,
): ValueObject {
  if (attributes.get("deletion_policy")?.computed !== true) return values;
  return { ...values, deletion_policy: own ?? deletionPolicy };
}

/**
 * Returns whether the service has to delete a resource. With the policy `ABANDON` only the state loses it.
 *
 * @throws InputError `deletion-prevented` with the policy `PREVENT`
 */
export function mayDelete(type: string, state: ValueObject): boolean {
  const policy = textOf(state, "deletion_policy");
  if (policy === "PREVENT") {
    const message = `cannot destroy ${type} '${textOf(state, "id")}': its deletion_policy is "PREVENT"; set deletion_policy = "DELETE" and apply first`;
    throw new InputError("deletion-prevented", message);
  }
  return policy !== "ABANDON";
}
