/**
 * Names of Google Cloud resources and links to them. This module is the only place that writes and parses them;
 * `test/resource-names/one-place.test.ts` checks that, with a list of exceptions.
 *
 * Parts of a name are not empty and contain no slash; a part may be a reference for Terraform. Functions named `write…`
 * and `parse…` are exact inverses. Functions named `…In` find a part in any spelling of a name or link.
 */

export {
  describeIdsOfService,
  describeIdsOfTerraform,
  fixedRecordName,
  importsOf,
  type LeftOutResource,
} from "./import-ids";

/** Scope of resources of Compute Engine. */
export interface ComputeScope {
  readonly project: string;
  /** Absent for global resources. */
  readonly region?: string | undefined;
}

/** `projects/P/global/COLLECTION/NAME` or `projects/P/regions/R/COLLECTION/NAME`. */
export interface ComputeName extends ComputeScope {
  readonly collection: string;
  readonly name: string;
}

/** Scope of resources of Certificate Manager and Network Security: `projects/P/locations/L`. */
export interface Location {
  readonly project: string;
  /** `global`, a region, or `-` for all locations in a request. */
  readonly location: string;
}

/** `projects/P/locations/L/COLLECTION/NAME`. */
export interface LocatedName extends Location {
  readonly collection: string;
  readonly name: string;
}

/** `projects/P/locations/global/certificateMaps/MAP/certificateMapEntries/ENTRY`. */
export interface MapEntryName {
  readonly project: string;
  readonly map: string;
  readonly entry: string;
}

/** `projects/P/managedZones/ZONE`. */
export interface ZoneName {
  readonly project: string;
  readonly zone: string;
}

/** Form of a project id, for messages; {@link isProjectId} checks this form. */
export const projectIdForm = "6 to 30 lowercase letters, digits and hyphens; a letter first, no hyphen last";

/**
 * Returns whether a text has the form of a project id or of a project number. The id of a legacy project in a domain
 * has the domain before it, as in `example.com:shop`; no minimum length is documented for the part after the colon.
 *
 * Source: https://docs.cloud.google.com/resource-manager/docs/creating-managing-projects
 */
export function isProjectId(text: string): boolean {
  return /^[a-z][a-z0-9-]{4,28}[a-z0-9]$|^(?:[a-z0-9-]+\.)+[a-z]+:[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$|^\d{1,20}$/.test(
    text,
  );
}

export function writeProject(project: string): string {
  return `projects/${project}`;
}

/** Returns `global` or `regions/R`. */
export function writeRegion(region: string | undefined): string {
  return region === undefined ? "global" : `regions/${region}`;
}

/** Returns `projects/P/global` or `projects/P/regions/R`. */
export function writeComputeScope({ project, region }: ComputeScope): string {
  return `${writeProject(project)}/${writeRegion(region)}`;
}

export function writeComputeName(name: ComputeName): string {
  return `${writeComputeScope(name)}/${name.collection}/${name.name}`;
}

export function writeLocation({ project, location }: Location): string {
  return `${writeProject(project)}/locations/${location}`;
}

export function writeLocatedName(name: LocatedName): string {
  return `${writeProject(name.project)}/${writeLocatedPath(name)}`;
}

/** Returns `locations/L/COLLECTION/NAME`, the path below a project. */
export function writeLocatedPath({ location, collection, name }: Omit<LocatedName, "project">): string {
  return `locations/${location}/${collection}/${name}`;
}

export function writeMapEntryName({ project, map, entry }: MapEntryName): string {
  const mapName = writeLocatedName({ project, location: "global", collection: "certificateMaps", name: map });
  return `${mapName}/certificateMapEntries/${entry}`;
}

export function writeZoneName({ project, zone }: ZoneName): string {
  return `${writeProject(project)}/managedZones/${zone}`;
}

/**
 * Parses the name of a resource of Compute Engine.
 *
 * @param project project of a text that begins with `global/` or `regions/`; without it, the text must name a project
 * @returns undefined for any other text
 */
export function parseComputeName(text: string, project?: string): ComputeName | undefined {
  const match = /^(?:projects\/([^/]+)\/)?(?:global|regions\/([^/]+))\/([A-Za-z]+)\/([^/]+)$/.exec(text);
  const [, owner = project, region, collection = "", name = ""] = match ?? [];
  if (match === null || owner === undefined) return undefined;
  return { project: owner, ...(region === undefined ? {} : { region }), collection, name };
}

/** Parses `projects/P/locations/L/COLLECTION/NAME`. Returns undefined for any other text. */
export function parseLocatedName(text: string): LocatedName | undefined {
  const match = /^projects\/([^/]+)\/locations\/([^/]+)\/([A-Za-z]+)\/([^/]+)$/.exec(text);
  if (match === null) return undefined;
  const [, project = "", location = "", collection = "", name = ""] = match;
  return { project, location, collection, name };
}

/** Parses the name of an entry of a certificate map. Returns undefined for any other text. */
export function parseMapEntryName(text: string): MapEntryName | undefined {
  const match = /^projects\/([^/]+)\/locations\/global\/certificateMaps\/([^/]+)\/certificateMapEntries\/([^/]+)$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, project = "", map = "", entry = ""] = match;
  return { project, map, entry };
}

/** Parses `projects/P/managedZones/ZONE`. Returns undefined for any other text. */
export function parseZoneName(text: string): ZoneName | undefined {
  const [, project, zone] = /^projects\/([^/]+)\/managedZones\/([^/]+)$/.exec(text) ?? [];
  return project === undefined || zone === undefined ? undefined : { project, zone };
}

/** Returns whether a text is `projects/P/notificationChannels/NUMBER`. */
export function isNotificationChannel(text: string): boolean {
  return /^projects\/[^/\s]+\/notificationChannels\/[0-9]+$/.test(text);
}

/** A label of RFC 1035, the format of names in Compute Engine. */
const label = "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?";
const reservedAddress = new RegExp(
  `^(?:(?:https://[^/\\s]+/compute/[^/\\s]+/)?(?:projects/[^/\\s]+/)?(?:global|regions/${label})/addresses/)?${label}$`,
);

/**
 * Returns whether a text has a form in which a forwarding rule accepts a reserved address: a link, the part of the link
 * after project or version, or the bare name.
 */
export function isReservedAddress(text: string): boolean {
  return reservedAddress.test(text);
}

/** Prefix of names of Certificate Manager in fields of other services, for example in target proxies. */
export const certificateManagerPrefix = "//certificatemanager.googleapis.com/";

/**
 * Removes the prefix of Certificate Manager: {@link certificateManagerPrefix}, or the URL of the API, as gcloud sends
 * it. Returns any other text unchanged.
 */
export function withoutCertificateManager(link: string): string {
  return link.replace(/^(?:https?:)?\/\/certificatemanager\.googleapis\.com\/(?:v1\/)?/, "");
}

/**
 * Removes host and version of Compute Engine from a link. The host may be any, because clients with a custom endpoint
 * use it in links. Returns any other text unchanged.
 */
export function withoutComputeHost(link: string): string {
  return link.replace(/^(?:https?:)?\/\/[^/]+\/compute\/(?:v1|beta|alpha)\//, "");
}

/** Returns a link or name from `projects/` on; unchanged if it does not name a project. */
export function resourceNameIn(link: string): string {
  return link.replace(/^(?:.*?\/)?(?=projects\/)/s, "");
}

/** Returns the project that a name or link contains. */
export function projectIn(text: string): string | undefined {
  return /(?:^|\/)projects\/([^/]+)/.exec(text)?.[1];
}

/** Returns the project in the path of a request, without the query and the name of a custom method. */
export function projectInTarget(target: string): string | undefined {
  return /^[^?]*?\/projects\/([^/?]+?)(?::[a-z]+[A-Z]\w*)?(?:[/?]|$)/.exec(target)?.[1];
}

/** Returns the name in the path of a request, from `projects/` on. */
export function nameInTarget(target: string): string | undefined {
  return /projects\/[^?]+/.exec(target)?.[0];
}

/** Returns the parent in the path of a request that creates a resource, and the id in its query, still encoded. */
export function createdInTarget(target: string): { readonly parent: string; readonly id: string } | undefined {
  const [, parent, id] = /(projects\/[^?]+)\?(?:.*&)?[a-zA-Z]+Id=([^&]+)/.exec(target) ?? [];
  return parent === undefined || id === undefined ? undefined : { parent, id };
}

/** Returns the quoted name of the resource that exists already according to the message of an error. */
export function existingNameIn(message: string): string | undefined {
  return /'(projects\/[^'\s]+)' already exists/.exec(message)?.[1];
}

/** Replaces the project of a text that begins with `projects/`. Returns any other text unchanged. */
export function replaceProject(text: string, replace: (project: string) => string): string {
  return text.replace(/^projects\/([^/]+)/, (_, project: string) => writeProject(replace(project)));
}

/** Returns whether a text is a name or link, not only the last part of one. */
export function isNameOrLink(text: string): boolean {
  return /^(?:https?:|\/\/|projects\/)/.test(text) || isComputePath(text);
}

/** Returns whether a text begins with `global/` or `regions/`, as names of Compute Engine do below their project. */
export function isComputePath(text: string): boolean {
  return /^(?:global|regions)\//.test(text);
}

/** Returns whether a text contains the scope of a resource of Compute Engine: `global/` or `regions/R/`. */
export function hasComputeScope(text: string): boolean {
  return /(?:^|\/)(?:global|regions\/[^/]+)\//.test(text);
}

/** Returns whether a name ends with `/regions/R`, as names of regions do. */
export function isRegion(text: string): boolean {
  return /\/regions\/[^/]+$/.test(text);
}

/** Returns whether a text contains a name of a certificate of Certificate Manager, by the google provider's pattern. */
export function hasCertificateName(text: string): boolean {
  return /projects\/.*\/locations\/.*\/certificates\/.*/.test(text);
}

/** Returns whether a text contains such a name after {@link certificateManagerPrefix}, by the provider's pattern. */
export function hasCertificateLink(text: string): boolean {
  return /\/\/certificatemanager\.googleapis\.com\/projects\/.*\/locations\/.*\/certificates\//.test(text);
}

/** Splits a name or link into the project and the path below it, for example `locations/global/certificates/c`. */
export function splitProject(text: string): { readonly project: string; readonly path: string } | undefined {
  const [, project, path] = /(?:^|\/)projects\/([^/]+)\/(.+)$/.exec(text) ?? [];
  return project === undefined || path === undefined ? undefined : { project, path };
}

/** Returns a name without its project, which has an id and a number: the service may return either. */
export function withoutProject(name: string): string {
  return splitProject(name)?.path ?? name;
}

/** Returns the region that the name of a resource of Compute Engine contains. */
export function regionIn(text: string): string | undefined {
  return /(?:^|\/)regions\/([^/]+)/.exec(text)?.[1];
}

/** Returns the location that a name contains. */
export function locationIn(text: string): string | undefined {
  return /(?:^|\/)locations\/([^/]+)/.exec(text)?.[1];
}

/** Returns the last part of a name; a text without a slash unchanged. */
export function lastPart(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

/** Returns a name without its last parts; an empty string if there are no more. @param count number of these parts */
export function withoutLastParts(text: string, count: number): string {
  return text.split("/").slice(0, -count).join("/");
}
