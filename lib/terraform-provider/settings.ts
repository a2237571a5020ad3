import type { ProviderSettings } from "./resources";
import { membersOf, textOf, type ValueObject } from "./value";

/** What a provider block says; what is not known yet counts as absent. @param fallbackToken where the block names no token */
export function readSettings(config: ValueObject, fallbackToken: string): ProviderSettings {
  const { default_labels: labels, add_terraform_attribution_label: marks } = config;
  const strategy = textOf(config, "terraform_attribution_label_addition_strategy");
  return {
    project: optionalText(config, "project"),
    region: optionalText(config, "region"),
    zone: optionalText(config, "zone"),
    accessToken: optionalText(config, "access_token") ?? fallbackToken,
    defaultLabels: Object.fromEntries(
      Object.entries(membersOf(labels)).filter((label): label is [string, string] => typeof label[1] === "string"),
    ),
    attribution: marks === false ? "never" : strategy === "PROACTIVE" ? "always" : "creation",
  };
}

function optionalText(config: ValueObject, name: string): string | undefined {
  const text = textOf(config, name);
  return text === "" ? undefined : text;
}
