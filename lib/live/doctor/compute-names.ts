/** Scope of Compute Engine resources whose names have no project or region. */
export interface ComputeScope {
  readonly project: string;
  /** Absent for global resources. */
  readonly region?: string | undefined;
}

const collectionPath = /^(?:projects\/([^/]+)\/)?(?:global|regions\/([^/]+))\/([A-Za-z]+)\/([^/]+)$/;
/** Format of Compute Engine resource names (RFC 1035). A name in another format cannot identify a resource. */
const namePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Returns the path of a resource that is given by its link or by its name, as the Terraform provider reads it. The link
 * may lack its host and project.
 *
 * @param scope scope of a resource given by its name; its project also applies to links without a project
 */
export function computePath(text: string, collection: string, scope: ComputeScope): string {
  const path = text.replace(/^.*?(?=projects\/)/, "").replace(/^https?:\/\/[^/]+\/compute\/[^/]+\//, "");
  const [, project = scope.project, region, named, name] = collectionPath.exec(path) ?? [];
  if (named === collection) return `${placePath({ project, region }, collection)}/${name}`;
  return `${placePath(scope, collection)}/${lastPart(text)}`;
}

/** Returns the path of the collection of all resources of a kind. */
function placePath({ project, region }: ComputeScope, collection: string): string {
  return `projects/${project}/${region === undefined ? "global" : `regions/${region}`}/${collection}`;
}

/** Reports whether a name is valid for a resource of Compute Engine or Network Security. */
export function canBeName(name: string): boolean {
  return namePattern.test(name);
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Returns the path without its last segment, under which the resource is listed. Returns an empty string for a path of
 * one segment.
 */
export function placeOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Returns `--global`, or `--region` with the region of a path. */
export function scopeFlag(path: string): string {
  const region = /\/regions\/([^/]+)\//.exec(`${path}/`)?.[1];
  return region === undefined ? "--global" : `--region=${region}`;
}

/** Returns the project of a path, or an empty string. */
export function projectOf(path: string): string {
  return /^projects\/([^/]+)/.exec(path)?.[1] ?? "";
}
