import { type Location, locationIn, projectIn, writeLocation } from "../../resource-names";
import { CloudError } from "../cloud-error";
import { type Call, type Handlers, invalidField, type Json, listNamed, textParameter } from "../front";
import { regions } from "../projects";

export function locationOf(name: string): Location {
  return { project: projectIn(name) ?? "", location: locationIn(name) ?? "" };
}

/** Returns the part of a resource name that identifies its location, `projects/P/locations/L`. */
export function locationPart(name: string): string {
  return writeLocation(locationOf(name));
}

/** Checks a location. @throws CloudError 403 for an impossible project ID, 400 for a location that the service lacks */
function checkLocation(name: string): Location {
  const { project, location } = locationOf(name);
  if (!/^(?:[a-z][a-z0-9-]*|[a-z0-9.-]+:[a-z0-9-]+|\d{1,19})$/.test(project))
    throw new CloudError("PERMISSION_DENIED", `Permission denied on resource project ${project}.`);
  if (location !== "global" && !regions().has(location))
    throw invalidField("parent", `Location ${location} is not found or access is unauthorized.`);
  return { project, location };
}

/** Checks the location of a list call, in which `-` means every location. */
export function checkLocationUnlessAny(parent: string): void {
  if (locationIn(parent) !== "-") checkLocation(parent);
}

const wideIds = {
  pattern: /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
  rule: "1 to 64 letters, digits, '-' and '_', the first a letter",
};
const narrowIds = {
  pattern: /^[a-z][a-z0-9_-]{0,62}$/,
  rule: "1 to 63 of a-z, 0-9, '-' and '_', the first a letter",
};
const authorityIds = { pattern: /^[a-zA-Z0-9_-]{1,63}$/, rule: "1 to 63 letters, digits, '-' and '_'" };
const idRules = {
  dnsAuthorizations: wideIds,
  certificates: wideIds,
  certificateIssuanceConfigs: wideIds,
  certificateMaps: narrowIds,
  certificateMapEntries: narrowIds,
  trustConfigs: narrowIds,
  serverTlsPolicies: wideIds,
  caPools: authorityIds,
  certificateAuthorities: authorityIds,
};

/** The emulated collections of services with locations, as spelled in resource names. */
export type CollectionName = keyof typeof idRules;

/**
 * Returns the resource name for a create call.
 *
 * @param idParameter for example `certificateId`; required by the service, although the description does not mark it as
 * required
 */
export function newResourceName(call: Call, collection: CollectionName, idParameter: string): string {
  const parent = textParameter(call, "parent");
  checkLocation(parent);
  const id = textParameter(call, idParameter);
  const field = idParameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (id === "") throw invalidField(field, "is required");
  const { pattern, rule } = idRules[collection];
  if (!pattern.test(id)) throw invalidField(field, `'${id.slice(0, 100)}' is not an id: ${rule}`);
  return `${parent}/${collection}/${id}`;
}

const labelKey = /^[a-z][a-z0-9_-]{0,62}$/;
const labelValue = /^[a-z0-9_-]{0,63}$/;
const mostLabels = 64;

export function checkResourceLabels(labels: unknown): void {
  if (labels === undefined || labels === null) return;
  const entries = Object.entries(labels as Record<string, unknown>);
  if (entries.length > mostLabels)
    throw invalidField("labels", `has ${entries.length} labels; at most ${mostLabels} are allowed`);
  for (const [key, value] of entries) {
    if (!labelKey.test(key))
      throw invalidField(
        "labels",
        `the key '${key.slice(0, 100)}' is not lower-case letters, digits, '_' and '-', the first a letter`,
      );
    if (!labelValue.test(String(value)))
      throw invalidField("labels", `the value of '${key}' is not lower-case letters, digits, '_' and '-'`);
  }
}

const dnsName = /^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+(?!-)(?=.*[a-z][a-z0-9-]*$)[a-z0-9-]{2,63}(?<!-)$/;

/** Returns whether a text is a domain name in lower case without a trailing period; false for IP addresses. */
export function isDomain(text: string): boolean {
  return dnsName.test(text);
}

/** Returns the domain whose authorization a name needs: the name without `*.`. */
export function baseOf(domain: string): string {
  return domain.startsWith("*.") ? domain.slice(2) : domain;
}

/** The errors of services with locations, with the details of gRPC that their clients read. */
export const resourceErrors = {
  notFound: (name: string) => new CloudError("NOT_FOUND", `Resource '${name}' was not found`, resourceInfo(name)),
  alreadyExists: (name: string, message = `Resource '${name}' already exists`) =>
    new CloudError("ALREADY_EXISTS", message, resourceInfo(name)),
  /** @param by names of the resources that use this one */
  inUse: (name: string, by: readonly string[]) => {
    const users = by.slice(0, 10);
    const message = `can't delete resource '${name}' that is referenced by other resources: ${users.join(", ")}`;
    const violations = users.map((subject) => ({ type: "RESOURCE_STILL_IN_USE", subject, description: name }));
    return new CloudError("FAILED_PRECONDITION", message, {
      details: [{ "@type": "type.googleapis.com/google.rpc.PreconditionFailure", violations }],
    });
  },
};

function resourceInfo(resourceName: string): { readonly details: readonly object[] } {
  return { details: [{ "@type": "type.googleapis.com/google.rpc.ResourceInfo", resourceName }] };
}

export const locationHandlers: Handlers = {
  "certificatemanager.projects.locations.get": (call) => {
    const name = textParameter(call, "name");
    checkLocation(name);
    return describe(name);
  },
  "certificatemanager.projects.locations.list": (call) => {
    const project = projectIn(textParameter(call, "name")) ?? "";
    const locations = ["global", ...regions()].map((id) => describe(writeLocation({ project, location: id })));
    return listNamed(call, "locations", locations);
  },
};

function describe(name: string): Json {
  return { name, locationId: locationOf(name).location };
}
