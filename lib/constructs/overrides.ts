import type { TerraformElement, TerraformStack } from "cdktf";
import { type Fields, fieldsOf } from "../json/fields";

/** Returns what `addOverride` has set on a stack, a resource or a provider. The kits have no public way to read it. */
export function overridesOf(element: TerraformElement | TerraformStack): Fields {
  return fieldsOf(Reflect.get(element, "rawOverrides"));
}
