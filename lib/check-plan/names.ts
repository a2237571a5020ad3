import { asText } from "../json/fields";
import { splitProject } from "../resource-names";

/** Returns a DNS name for comparisons: in lower case, without the final dot. */
export function bareName(name: unknown): string {
  return asText(name ?? "")
    .toLowerCase()
    .replace(/\.$/, "");
}

/** Returns whether an entry or certificate for a pattern serves a name: equal, or a wildcard for one label. */
export function serves(pattern: string, name: string): boolean {
  return pattern === name || pattern === wildcardAbove(name);
}

/** Returns the wildcard that matches a name; undefined for a wildcard. */
export function wildcardAbove(name: string): string | undefined {
  const dot = name.indexOf(".");
  return name.startsWith("*.") || dot === -1 ? undefined : `*${name.slice(dot)}`;
}

/** Returns a domain, without the `*.` of a wildcard, and all of its parent domains. */
export function domainsAbove(domain: string): readonly string[] {
  const labels = domain.replace(/^\*\./, "").split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** The id of a resource of Google Cloud, for comparisons. */
export interface ResourceName {
  /** Absent if it is unknown, or a project number, which services write in place of the id. */
  readonly project?: string;
  /** The name without its project, as in `locations/global/certificates/c`. */
  readonly path: string;
}

/** @param id with or without the address of the service; a bare name is the path */
export function resourceName(id: string, project?: unknown): ResourceName {
  const named = splitProject(id);
  const owner = named?.project ?? (typeof project === "string" ? project : "");
  const path = named?.path ?? id;
  return owner === "" || /^\d+$/.test(owner) ? { path } : { project: owner, path };
}

/** Returns whether two ids may belong to the same resource. An unknown project matches any project. */
export function isSame(a: ResourceName, b: ResourceName): boolean {
  return a.path === b.path && (a.project === undefined || b.project === undefined || a.project === b.project);
}

export function hasId(ids: readonly string[], id: string): boolean {
  return ids.some((candidate) => isSame(resourceName(candidate), resourceName(id)));
}
