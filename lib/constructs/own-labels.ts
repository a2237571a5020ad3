import { type TerraformResource, Token } from "cdktf";
import { isFields } from "../json/fields";

/** Labels of resources before aspects are invoked. An aspect adds labels, and replaces none of a migration. */
export class OwnLabels {
  readonly #labels = new Map<TerraformResource, object>();

  /** Notes the labels of resources. */
  read(resources: readonly TerraformResource[]): void {
    this.#labels.clear();
    for (const resource of resources) {
      const labels = labelsOf(resource);
      if (labels !== undefined) this.#labels.set(resource, { ...labels });
    }
  }

  /** Restores the labels that an aspect has replaced, and keeps those that it has added. */
  restore(): void {
    for (const [resource, own] of this.#labels) Reflect.set(resource, "labels", { ...labelsOf(resource), ...own });
  }
}

function labelsOf(resource: TerraformResource): object | undefined {
  const labels: unknown = Reflect.get(resource, "labelsInput");
  return isFields(labels) && !Token.isUnresolved(labels) ? labels : undefined;
}
