import type { SchemaBlock } from "../schema";
import { isValueObject, isWhollyKnown, membersOf, unknown, type Value, type ValueObject } from "../value";

/** Settings for labels in the provider block. */
export interface LabelSettings {
  readonly defaultLabels: Readonly<Record<string, string>>;
  /** When resources get the label that attributes them to Terraform. */
  readonly attribution: "never" | "creation" | "always";
}

const attributionKey = "goog-terraform-provisioned";

/** Returns whether a resource type has labels of which Terraform manages only its own. */
export function hasManagedLabels({ attributes }: SchemaBlock): boolean {
  return attributes.has("labels") && attributes.has("terraform_labels") && attributes.has("effective_labels");
}

/**
 * Plans `terraform_labels` and `effective_labels`. `terraform_labels` contains the labels of the provider block and of
 * the resource. `effective_labels` also contains all other labels of the resource.
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

/** Returns the three label attributes for the state, from the labels in the service's answer. */
export function labelAttributes(known: ValueObject, answered: ValueObject): ValueObject {
  const among = (name: string) => {
    const before = known[name] ?? null;
    if (!isValueObject(before)) return before === unknown ? answered : before;
    return Object.fromEntries(Object.entries(answered).filter(([key]) => Object.hasOwn(before, key)));
  };
  return { labels: among("labels"), terraform_labels: among("terraform_labels"), effective_labels: answered };
}
