import { InputError } from "../errors";
import { projectInTarget } from "../resource-names";
import type { ProviderSettings } from "./resources";
import type { SchemaBlock } from "./schema";
import { membersOf, textValue, type Value, type ValueObject } from "./value";

/**
 * Returns the settings of a provider block; unknown values count as absent.
 *
 * @param fallbackToken token for a block without a token
 */
export function readSettings(config: ValueObject, fallbackToken: string): ProviderSettings {
  const { default_labels: labels, add_terraform_attribution_label: marks } = config;
  const strategy = textValue(config, "terraform_attribution_label_addition_strategy");
  return {
    project: optionalText(config, "project"),
    region: optionalText(config, "region"),
    zone: optionalText(config, "zone"),
    userProjectOverride: config.user_project_override === true,
    billingProject: optionalText(config, "billing_project"),
    deletionPolicy: optionalText(config, "deletion_policy"),
    accessToken: optionalText(config, "access_token") ?? fallbackToken,
    defaultLabels: Object.fromEntries(
      Object.entries(membersOf(labels)).filter((label): label is [string, string] => typeof label[1] === "string"),
    ),
    attribution: marks === false ? "never" : strategy === "PROACTIVE" ? "always" : "creation",
  };
}

/**
 * Returns the project whose quota a request counts against with `user_project_override`: the provider block's billing
 * project, or the resource's own.
 *
 * @param target path of the request
 * @param owner project of the resource, for targets without a project
 * @returns undefined without the override; for clients that never send a project: polls of Compute Engine's operations,
 * and log buckets except their creation; and for Cloud DNS without a billing project
 */
export function userProjectOf(
  { userProjectOverride, billingProject }: ProviderSettings,
  target: string,
  owner?: string,
): string | undefined {
  if (!userProjectOverride || withoutUserProject.some((path) => path.test(target))) return undefined;
  if (billingProject !== undefined) return billingProject;
  return target.startsWith("/dns/") ? undefined : (projectInTarget(target) ?? owner);
}

const withoutUserProject = [/^\/compute\/.*\/operations\//, /^\/v2\/(?!.*\/buckets:createAsync)/] as const;

function optionalText(config: ValueObject, name: string): string | undefined {
  const text = textValue(config, name);
  return text === "" ? undefined : text;
}

/**
 * Adds the deletion policy to a plan or a state: the resource's own, else the provider block's, else `DELETE`. From
 * 7.33 on the provider has this argument on nearly all types, where the schema calls it optional and computed. Earlier
 * arguments of this name, which few types have, are not computed and stay unchanged.
 *
 * @param configured value in the configuration or the state; null without a value
 */
export function withDeletionPolicy(
  { attributes }: SchemaBlock,
  values: ValueObject,
  configured: Value,
  { deletionPolicy = "DELETE" }: ProviderSettings,
): ValueObject {
  if (attributes.get("deletion_policy")?.computed !== true) return values;
  return { ...values, deletion_policy: configured ?? deletionPolicy };
}

/**
 * Returns whether the service has to delete a resource. With the policy `ABANDON` only the state loses it.
 *
 * @throws InputError `deletion-prevented` with the policy `PREVENT`
 */
export function mayDelete(type: string, state: ValueObject): boolean {
  const policy = textValue(state, "deletion_policy");
  if (policy === "PREVENT") {
    const message = `cannot destroy ${type} '${textValue(state, "id")}': its deletion_policy is "PREVENT"; set deletion_policy = "DELETE" and apply first`;
    throw new InputError("deletion-prevented", message);
  }
  return policy !== "ABANDON";
}
