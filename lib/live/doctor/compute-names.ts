import {
  type ComputeScope,
  lastPart,
  locationIn,
  parseComputeName,
  projectIn,
  regionIn,
  resourceNameIn,
  withoutComputeHost,
  withoutLastParts,
  writeComputeName,
} from "../../resource-names";

/** Format of Compute Engine resource names (RFC 1035). A name in another format cannot identify a resource. */
const namePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Returns the path of a resource that is given by its link or by its name, as the Terraform provider reads it. The link
 * may lack its host and project.
 *
 * @param scope scope of a resource given by its name; its project also applies to links without a project
 */
export function computePath(text: string, collection: string, scope: ComputeScope): string {
  const named = parseComputeName(withoutComputeHost(resourceNameIn(text)), scope.project);
  if (named?.collection === collection) return writeComputeName(named);
  return writeComputeName({ ...scope, collection, name: lastPart(text) });
}

export function canBeName(name: string): boolean {
  return namePattern.test(name);
}

/** Returns the path without its last segment, under which the resource is listed; empty for one segment. */
export function placeOf(path: string): string {
  return withoutLastParts(path, 1);
}

/** Returns the flags with which `gcloud compute` finds a resource. */
export function computeFlags(path: string): readonly [project: string, scope: string] {
  const region = regionIn(path);
  return [`--project=${projectOfPath(path)}`, region === undefined ? "--global" : `--region=${region}`];
}

/** Returns the flags with which other `gcloud` commands find a resource in a location. */
export function locationFlags(path: string): readonly string[] {
  return [`--location=${locationIn(path)}`, `--project=${projectOfPath(path)}`];
}

export function projectOfPath(path: string): string {
  return projectIn(path) ?? "";
}
