import type { JournalResource } from "./journal";
import type { Identity } from "./normalize";
import { kindCreatedBy } from "./resource-kinds";

type Target = Readonly<Record<string, string>>;

/** Returns whether a name is of a run: its prefix, or a name that begins with the prefix. */
function isOwnName(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}-`);
}

/** Returns whether a record is at the domain of a run or below it. One behavior sends a name without its final dot. */
export function isOwnRecord(name: string, { prefix, domain }: Pick<Identity, "prefix" | "domain">): boolean {
  return `.${name.replace(/\.$/, "")}`.endsWith(`.${prefix}.${domain}`);
}

/** Returns whether a resource of a journal, or one to create, is of a run, in its project. */
export function isOwnResource({ createdBy, target }: JournalResource, run: Identity): boolean {
  if (kindCreatedBy(createdBy)?.search === undefined) return isOwnTarget(target, run);
  // The service assigns the name: the search for the prefix is limited to the project.
  return (target.parent ?? target.name) === `projects/${run.project}`;
}

/** Returns whether the target of a method names a resource of a run, in its project. */
export function isOwnTarget(target: Target, run: Identity): boolean {
  const { project, name, managedZone, type, region: _, ...words } = target;
  const path = name ?? words.resource;
  if (project === undefined) return path !== undefined && isOwnPath(path, run);
  if (project !== run.project) return false;
  if (type !== undefined || (name !== undefined && managedZone !== undefined)) {
    const isOwnZone = managedZone === run.zone || isOwnName(managedZone ?? "", run.prefix);
    return isOwnZone && isOwnRecord(name ?? "", run);
  }
  const names = [name, managedZone, ...Object.values(words)].filter((word) => word !== undefined);
  return names.length > 0 && names.every((word) => isOwnName(word, run.prefix));
}

/** Returns whether every id of a name such as `projects/P/locations/L/caPools/ID` is of a run, below the location. */
function isOwnPath(path: string, { project, prefix }: Identity): boolean {
  const [projects, id, ...rest] = path.split("/");
  if (projects !== "projects" || id !== project) return false;
  const below = rest[0] === "locations" ? rest.slice(2) : rest;
  const ids = below.filter((_, index) => index % 2 === 1);
  return ids.length > 0 && below.length % 2 === 0 && ids.every((word) => isOwnName(word, prefix));
}
