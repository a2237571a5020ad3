/** What Cloud DNS says when it refuses. */
import { CloudError } from "../cloud-error";

/** @param path of the field, as in `managedZone.name` */
export function invalidEntity(path: string, value: unknown, why: string): CloudError {
  const told = String(value).slice(0, 300);
  return new CloudError("INVALID_ARGUMENT", `Invalid value for 'entity.${path}': '${told}' (${why})`);
}

/** @param parameter that names what there isn't, as in `managedZone` */
export function notFound(parameter: string, name: string): CloudError {
  return new CloudError("NOT_FOUND", `The 'parameters.${parameter}' resource named '${name}' does not exist.`);
}

/** @param entity the kind of resource, as in `managedZone` */
export function alreadyExists(entity: string, name: string): CloudError {
  return new CloudError("ALREADY_EXISTS", `The resource 'entity.${entity}' named '${name}' already exists`);
}

/**
 * Reads the name that a user gives a zone or a policy.
 *
 * @param path of the field, as in `managedZone.name`
 * @throws CloudError
 */
export function readName(name: unknown, path: string): string {
  if (typeof name === "string" && /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
  throw invalidEntity(path, name, "1 to 63 of a-z, 0-9 and '-', the first a letter, the last no '-'");
}
