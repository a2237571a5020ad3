import type { Block } from "../schema";
import { isObject, isWhollyKnown, membersOf, unknown, type Value, type ValueObject } from "../value";

/** What the provider block says of labels. */
export interface LabelSettings {
  readonly defaultLabels: Readonly<Record<string, string>>;
  /** Whether resources are marked as made by Terraform. */
  readonly attribution: "never" | "creation" | "always";
}

const attributionKey = "goog-terraform-provisioned";

/** Whether a resource type has labels of which Terraform manages only its own. */
export function hasManagedLabels({ attributes }: Block): boolean {
  return attributes.has("labels") && attributes.has("terraform_labels") && attributes.has("effective_labels");
}

/**
 * Plans `terraform_labels`, which are the provider's and the resource's own, and `effective_labels`, which are those and whatever else the
 * resource carries.
 */
export function planLabels(
  prior: ValueObject | undefined,
  labels: Value,
  settings: LabelSettings,
): Readonly<Record<"terraform_labels" | "effective_labels", Value>> {
  if (!isWhollyKnown(labels)) return { terraform_labels: unknown, effective_labels: unknown };
  const effectiveBefore = membersOf(prior?.effective_labels);
  const marked =
    Object.hasOwn(effectiveBefore, attributionKey) ||
    settings.attribution === "always" ||
    (settings.attribution === "creation" && prior === undefined);
  const managed: ValueObject = {
    ...settings.defaultLabels,
    ...(marked && settings.attribution !== "never" ? { [attributionKey]: "true" } : {}),
    ...membersOf(labels),
  };
  const managedBefore = membersOf(prior?.terraform_labels);
  const others = Object.entries(effectiveBefore).filter(([key]) => !Object.hasOwn(managedBefore, key));
  return { terraform_labels: managed, effective_labels: { ...Object.fromEntries(others), ...managed } };
}

/** The three attributes as a state has them, by the labels that the service tells. */
export function toldLabels(known: ValueObject, told: ValueObject): ValueObject {
  const among = (name: string) => {
    const before = known[name] ?? null;
    if (!isObject(before)) return before === unknown ? told : before;
    return Object.fromEntries(Object.entries(told).filter(([key]) => Object.hasOwn(before, key)));
  };
  return { labels: among("labels"), terraform_labels: among("terraform_labels"), effective_labels: told };
}
