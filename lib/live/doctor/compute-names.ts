/** Where resources of Compute Engine are that are named without their place. */
export interface ComputeScope {
  readonly project: string;
  /** Absent for global ones. */
  readonly region?: string | undefined;
}

const collectionPath = /^(?:projects\/([^/]+)\/)?(?:global|regions\/([^/]+))\/([A-Za-z]+)\/([^/]+)$/;
/** What every name of Compute Engine is (RFC 1035); a name of another form names nothing. */
const namePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The path of a resource that is named by its link, with or without host and project, or by its name alone: as Terraform's provider reads it.
 *
 * @param scope of what is named by its name alone; its project also that of a link without one
 */
export function computePath(text: string, collection: string, scope: ComputeScope): string {
  const path = text.replace(/^.*?(?=projects\/)/, "").replace(/^https?:\/\/[^/]+\/compute\/[^/]+\//, "");
  const [, project = scope.project, region, named, name] = collectionPath.exec(path) ?? [];
  if (named === collection) return `${placePath({ project, region }, collection)}/${name}`;
  return `${placePath(scope, collection)}/${lastPart(text)}`;
}

/** The path of all resources of a kind. */
function placePath({ project, region }: ComputeScope, collection: string): string {
  return `projects/${project}/${region === undefined ? "global" : `regions/${region}`}/${collection}`;
}

/** Whether a name can be one of Compute Engine, or of Network Security. */
export function canBeName(name: string): boolean {
  return namePattern.test(name);
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path without its last part, where the resource is listed; the empty text for what has one part. */
export function placeOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** `--global`, or `--region` with the region of a path. */
export function scopeFlag(path: string): string {
  const region = /\/regions\/([^/]+)\//.exec(`${path}/`)?.[1];
  return region === undefined ? "--global" : `--region=${region}`;
}

/** The project of a path, or the empty text. */
export function projectOf(path: string): string {
  return /^projects\/([^/]+)/.exec(path)?.[1] ?? "";
}
