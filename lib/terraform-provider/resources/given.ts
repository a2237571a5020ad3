import type { ValueObject } from "../value";
import type { ProviderSettings } from "./kind";

/** What the provider block gives to a resource that doesn't say it itself. */
export function given({ project, region, zone }: ProviderSettings): ValueObject {
  return dropNull({ project: project ?? null, region: region ?? null, zone: zone ?? null });
}

/** Only what is there. */
export function dropNull(values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
