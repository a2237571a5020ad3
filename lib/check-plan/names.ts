import { splitProject } from "../resource-names";
/** A name of DNS as names are compared: in lower case, without the dot at its end. */
export function bareName(name: unknown): string {
  return String(name ?? "")
    .toLowerCase()
    .replace(/\.$/, "");
}

/** Whether an entry or certificate for a name serves another: equal, or a wildcard for one label. */
export function serves(pattern: string, name: string): boolean {
  return pattern === name || pattern === wildcardAbove(name);
}

/** The wildcard that is for a name; nothing is for a wildcard but itself. */
export function wildcardAbove(name: string): string | undefined {
  const dot = name.indexOf(".");
  return name.startsWith("*.") || dot === -1 ? undefined : `*${name.slice(dot)}`;
}

/** An id of Google Cloud, as ids are compared. */
export interface ResourceName {
  /** Absent where nothing names it, or by its number, which services put in place of the id. */
  readonly project?: string;
  /** The name without its project, as in `locations/global/certificates/c`. */
  readonly path: string;
}

/** @param id with or without the service's address before it; a bare name is the path itself */
export function resourceName(id: string, project?: unknown): ResourceName {
  const named = splitProject(id);
  const owner = named?.project ?? (typeof project === "string" ? project : "");
  const path = named?.path ?? id;
  return owner === "" || /^\d+$/.test(owner) ? { path } : { project: owner, path };
}

/** Whether two ids may be of the same resource: of a project that is not known, it may be. */
export function isSame(a: ResourceName, b: ResourceName): boolean {
  return a.path === b.path && (a.project === undefined || b.project === undefined || a.project === b.project);
}
