import { CloudError } from "../cloud-error";
import { type Call, type Json, listPage, listRequestOf, textParameter } from "../front";
import { projectNumberOf } from "../projects";

/** Returns the error for an invalid value. @param path path of the field, for example `managedZone.name` */
export function invalidEntity(path: string, value: unknown, why: string): CloudError {
  const text = String(value).slice(0, 300);
  return new CloudError("INVALID_ARGUMENT", `Invalid value for 'entity.${path}': '${text}' (${why})`);
}

/** The errors of Cloud DNS for resources that are missing or exist already. */
export const dnsErrors = {
  /** @param parameter for example `managedZone` */
  notFound: (parameter: string, name: string) =>
    new CloudError("NOT_FOUND", `The 'parameters.${parameter}' resource named '${name}' does not exist.`),
  /** @param entity kind of the resource, for example `managedZone` */
  alreadyExists: (entity: string, name: string) =>
    new CloudError("ALREADY_EXISTS", `The resource 'entity.${entity}' named '${name}' already exists`),
};

/** Reads the name of a zone or a policy. @param path for example `managedZone.name` @throws CloudError */
export function readDnsName(name: unknown, path: string): string {
  if (typeof name === "string" && /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
  throw invalidEntity(path, name, "1 to 63 of a-z, 0-9 and '-', the first a letter, the last no '-'");
}

/** Returns the answer of a list call. @param kind for example `dns#managedZonesListResponse` */
export function dnsListAnswer<Item extends Json>(
  call: Call,
  kind: string,
  field: string,
  all: readonly Item[],
  keyOf: (item: Item) => string,
): Json {
  const sizes = { defaultSize: 100, mostSize: 1_000, keyOf };
  const { items, ...next } = listPage(all, listRequestOf(call, "maxResults"), sizes);
  return { kind, [field]: items, ...next };
}

/** Quotas of a new project; reported, not enforced. */
const quota = {
  kind: "dns#quota",
  managedZones: 10_000,
  rrsetsPerManagedZone: 10_000,
  rrsetAdditionsPerChange: 1_000,
  rrsetDeletionsPerChange: 1_000,
  resourceRecordsPerRrset: 100,
  totalRrdataSizePerChange: 100_000,
};

/** Returns a project; every requested project exists. */
export function describeProject(call: Call): Json {
  const id = textParameter(call, "project");
  return { kind: "dns#project", id, number: projectNumberOf(id), quota };
}
