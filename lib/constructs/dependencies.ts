import type { TerraformResource } from "cdktf";

/** Puts one resource after another by its address. */
export function addDependency(resource: TerraformResource, address: string): void {
  if (resource.dependsOn === undefined) resource.dependsOn = [address];
  else if (!resource.dependsOn.includes(address)) resource.dependsOn.push(address);
}

/** Puts one resource after many others that it does not know of yet. */
export function addDependencies(resource: TerraformResource, addresses: readonly string[]): void {
  if (addresses.length > 0) resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), ...addresses])];
}
