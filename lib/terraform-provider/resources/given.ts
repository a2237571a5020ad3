import { type ValueObject, withoutNull } from "../value";
import type { ProviderSettings } from "./kind";

/** What the provider block gives to a resource that doesn't say it itself. */
export function given({ project, region, zone }: ProviderSettings): ValueObject {
  return withoutNull({ project: project ?? null, region: region ?? null, zone: zone ?? null });
}
