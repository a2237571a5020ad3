import { type ValueObject, withoutNull } from "../value";
import type { ProviderSettings } from "./kind";

/** Returns the provider block's values for attributes that a resource omits. */
export function given({ project, region, zone }: ProviderSettings): ValueObject {
  return withoutNull({ project: project ?? null, region: region ?? null, zone: zone ?? null });
}
