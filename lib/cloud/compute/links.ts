/**
 * Names and links. A path such as `projects/p1/global/urlMaps/web` is what a resource is called in here and in messages; answers carry the
 * path as a full link; requests may carry either, or the path without its project.
 */

/** The kinds of resources that are emulated, as they stand in paths. */
export type Collection =
  | "addresses"
  | "backendServices"
  | "forwardingRules"
  | "healthChecks"
  | "httpHealthChecks"
  | "sslCertificates"
  | "sslPolicies"
  | "targetHttpProxies"
  | "targetHttpsProxies"
  | "targetSslProxies"
  | "urlMaps";

/** Where resources are: global, or in a region. */
export interface Scope {
  readonly project: string;
  readonly region?: string;
}

export interface ParsedPath {
  readonly scope: Scope;
  /** Any word: also of collections that are not emulated. */
  readonly collection: string;
  readonly name: string;
}

const linkBase = "https://www.googleapis.com/compute/v1/";

/** The full link of a path, as answers have it. */
export function linkTo(path: string): string {
  return linkBase + path;
}

/** The path of a full link that {@link linkTo} made. */
export function pathOfLink(link: string): string {
  return link.startsWith(linkBase) ? link.slice(linkBase.length) : link;
}

/** `projects/p1/global` or `projects/p1/regions/r1`. */
export function pathOfScope({ project, region }: Scope): string {
  return region === undefined ? `projects/${project}/global` : `projects/${project}/regions/${region}`;
}

export function pathOf(scope: Scope, collection: string, name: string): string {
  return `${pathOfScope(scope)}/${collection}/${name}`;
}

export function scopeOf(project: string, region: string | undefined): Scope {
  return region === undefined ? { project } : { project, region };
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.project === b.project && a.region === b.region;
}

const path = /^(?:projects\/([^/]+)\/)?(?:global|regions\/([^/]+))\/([A-Za-z]+)\/([^/]+)$/;
/** Any host: clients that were pointed at an endpoint of their own make links with it. */
const host = /^(?:https?:)?\/\/[^/]+\/compute\/(?:v1|beta|alpha)\//;

/**
 * Reads a link: full, or from `projects/`, `global/` or `regions/` on.
 *
 * @param project of a link that names none
 * @returns undefined for what is no link
 */
export function readLink(link: string, project: string): ParsedPath | undefined {
  const match = path.exec(link.replace(host, ""));
  if (match === null) return undefined;
  const [, named = project, region, collection = "", name = ""] = match;
  return { scope: scopeOf(named, region), collection, name };
}
