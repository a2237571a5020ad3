import { projectInTarget } from "../resource-names";
import type { ProviderSettings } from "./resources";
import { membersOf, textOf, type ValueObject } from "./value";

/**
 * Returns the settings of a provider block; unknown values count as absent.
 *
 * @param fallbackToken token for a block without a token
 */
export function readSettings(config: ValueObject, fallbackToken: string): ProviderSettings {
  const { default_labels: labels, add_terraform_attribution_label: marks } = config;
  const strategy = textOf(config, "terraform_attribution_label_addition_strategy");
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
  const text = textOf(config, name);
  return text === "" ? undefined : text;
}
