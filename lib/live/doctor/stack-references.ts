import { defined } from "../../json/defined";
import { fieldsOf, listOf } from "../../json/fields";
import { isReference } from "../../plan";
import {
  hasComputeScope,
  lastPart,
  parseLocatedName,
  projectIn,
  resourceNameIn,
  withoutLastParts,
  writeLocatedName,
  writeZoneName,
} from "../../resource-names";
import type { StackContents, StackResource } from "../../source";
import { computePath } from "./compute-names";

/** A resource that the migration names but does not create. The resource must exist before the first apply. */
export interface Reference {
  /** ID for the look-up: a path, a project or an address. */
  readonly id: string;
  /**
   * The field that names the resource, for example `urlMap of the target proxy web`.
   *
   * @default - the resource is named on its own
   */
  readonly by?: string;
  /** Whether the outputs of an applied stack contain the resource. @default false */
  readonly isApplied?: boolean;
}

/** The places in synthesized stacks where resources of a kind occur. */
export interface StackColumns {
  readonly types: readonly string[];
  /** Attributes that name a resource of the kind, by resource type; `a.b` is the attribute `b` of the block `a`. */
  readonly namedBy: Readonly<Record<string, readonly string[]>>;
  /**
   * Returns the ID of a resource that an attribute names. Returns `undefined` if the text names a resource of another
   * kind, or if only Terraform knows its project or region.
   *
   * @param at the resource with the attribute, or the resource itself
   */
  readonly idOf: (text: string, at: StackResource) => string | undefined;
  /** Attribute that identifies a resource of the kind. @default "name" */
  readonly identifiedBy?: string;
}

export function namedBy(types: readonly string[], ...attributes: readonly string[]): StackColumns["namedBy"] {
  return Object.fromEntries(types.map((type) => [type, attributes]));
}

/** Returns all resources of a kind that must exist before the first apply of a stack; an ID can occur several times. */
export function referencesInStack(
  { types, namedBy, idOf, identifiedBy = "name" }: StackColumns,
  { resources }: StackContents,
): readonly Reference[] {
  // A reference leads to a resource of the stack itself, or to a value that only Terraform knows.
  const idsIn = (resource: StackResource, path: string) =>
    textsAt(resource.values, path).flatMap((text) =>
      text === "" || isReference(text) ? [] : (idOf(text, resource) ?? []),
    );
  const ofKind = resources.filter(({ type }) => types.includes(type));
  const created = new Set(
    ofKind
      .filter(({ isLookedUp, importId }) => !isLookedUp && importId === undefined)
      .flatMap((resource) => idsIn(resource, identifiedBy)),
  );
  const named = resources.flatMap((resource) =>
    (namedBy[resource.type] ?? []).flatMap((path) =>
      idsIn(resource, path).map((id) => ({ id, by: `${path} of ${resource.address}` })),
    ),
  );
  const lookedUp = ofKind
    .filter(({ isLookedUp }) => isLookedUp)
    .flatMap((resource) => {
      const [id = idsIn(resource, "self_link")[0]] = idsIn(resource, identifiedBy);
      return id === undefined ? [] : [{ id, by: `object of ${resource.address}` }];
    });
  const imported = ofKind.flatMap((resource) => {
    const id = resource.importId === undefined ? undefined : idOfImport(resource.importId, resource, idOf);
    return id === undefined ? [] : [{ id, by: `object that is imported as ${resource.address}` }];
  });
  return [...named, ...lookedUp, ...imported].filter(({ id }) => !created.has(id));
}

function textsAt(values: unknown, path: string): readonly string[] {
  return path
    .split(".")
    .reduce<readonly unknown[]>((at, key) => at.flatMap((value) => [fieldsOf(value)[key]].flat()), [values])
    .filter((value) => typeof value === "string");
}

/** Returns the ID of an imported resource: a path, or `[PROJECT/][REGION/]NAME` as the provider accepts it. */
function idOfImport(text: string, at: StackResource, idOf: StackColumns["idOf"]): string | undefined {
  if (projectIn(text) !== undefined) return idOf(text, at);
  const parts = text.split("/");
  const name = parts.pop() ?? "";
  const region = isRegional(at.type) ? (parts.pop() ?? at.region) : undefined;
  const project = parts.pop() ?? at.project;
  const { region: _region, project: _project, ...reference } = at;
  return idOf(name, { ...reference, ...defined({ project, region }) });
}

/**
 * Returns the function that reads names of Compute Engine resources.
 * @param scope "global" if the kind is always global. @default - depends on the type of the resource
 */
export function computeIdOf(collections: readonly string[], scope?: "global"): StackColumns["idOf"] {
  return (text, { type, project, region }) => {
    const collection = text.includes("/") ? lastPart(withoutLastParts(text, 1)) : collections[0];
    if (collection === undefined || !collections.includes(collection)) return undefined;
    const ofRegion = isRegional(type) && scope !== "global";
    const isPlain = !hasComputeScope(text);
    const needsProject = projectIn(text) === undefined;
    if ((needsProject && project === undefined) || (isPlain && ofRegion && region === undefined)) return undefined;
    return computePath(text, collection, { project: project ?? "", region: ofRegion ? region : undefined });
  };
}

export function managerIdOf(collection: string): StackColumns["idOf"] {
  return (text, { project, values }) => {
    const location = typeof values.location === "string" ? values.location : "global";
    const named = parseLocatedName(resourceNameIn(text));
    if (named !== undefined) return named.collection === collection ? writeLocatedName(named) : undefined;
    if (text.includes("/") || project === undefined || isReference(location)) return undefined;
    return writeLocatedName({ project, location, collection, name: text });
  };
}

export const zoneIdOf: StackColumns["idOf"] = (text, { project }) => {
  const owner = projectIn(text) ?? project;
  return owner === undefined ? undefined : writeZoneName({ project: owner, zone: lastPart(text) });
};

function isRegional(type: string): boolean {
  return /^google_compute_(?:region_|(?:forwarding_rule|address|subnetwork)$)/.test(type);
}

/** Returns the projects that a stack names for resources of the types; projects that the stack creates are left out. */
export function projectsInStack({ resources }: StackContents, types: ReadonlySet<string>): readonly string[] {
  const created = new Set(
    resources.flatMap(({ type, values, isLookedUp }) =>
      type === "google_project" && !isLookedUp ? listOf([values.project_id]) : [],
    ),
  );
  return resources.flatMap(({ type, project }) =>
    project === undefined || created.has(project) || !types.has(type) ? [] : project,
  );
}
