/** Errors of Compute Engine. Clients branch on the reasons, and some clients on the texts. */
import { CloudError } from "../cloud-error";

/** Returns the error for an invalid value. @param field for example `urlMap` or `pathMatchers[0].name` */
export function invalidValue(field: string, value: unknown, why: string): CloudError {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new CloudError("INVALID_ARGUMENT", `Invalid value for field 'resource.${field}': '${shown}'. ${why}`);
}

export function requiredField(field: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `Required field 'resource.${field}' not specified`, { reason: "required" });
}

export function notFound(path: string): CloudError {
  return new CloudError("NOT_FOUND", `The resource '${path}' was not found`);
}

export function alreadyExists(path: string): CloudError {
  return new CloudError("ALREADY_EXISTS", `The resource '${path}' already exists`);
}

/** Returns the error for a resource in use. @param noun kind of the resource, for example `url_map` */
export function inUse(noun: string, path: string, user: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `The ${noun} resource '${path}' is already being used by '${user}'`, {
    reason: "resourceInUseByAnotherResource",
  });
}

/** Returns the error for an outdated fingerprint: another client has changed the resource. */
export function staleFingerprint(): CloudError {
  return new CloudError("CONDITION_NOT_MET", "Invalid fingerprint.");
}

export function staleLabels(): CloudError {
  return new CloudError("CONDITION_NOT_MET", "Labels fingerprint either invalid or resource labels have changed");
}

export function quotaExceeded(metric: string, limit: number): CloudError {
  return new CloudError("RESOURCE_EXHAUSTED", `Quota '${metric}' exceeded.  Limit: ${limit}.0 globally.`, {
    httpStatus: 403,
    reason: "quotaExceeded",
  });
}

export function notEmulated(what: string): CloudError {
  return new CloudError("UNIMPLEMENTED", `the rehearsal cloud does not emulate ${what}`);
}
