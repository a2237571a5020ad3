import { foundOrThrow } from "../cloud-error";
import type { Json } from "../front";
import { computeErrors, invalidValue } from "./answers";
import type { Ids } from "./links";
import { type ComputeCollection, isSameScope, linkTo, readLink, resourcePath, type Scope } from "./links";
import type { CertificateLookup } from "./references";
import type { ComputeResource, Resources } from "./resources";

/**
 * Returns a policy by its name, which may contain the project's ID or number; undefined if it does not exist.
 *
 * `name` is the policy's own name, `isForLoadBalancers` whether it has a mode for the validation of clients.
 */
export type ServerTlsPolicyLookup = (
  name: string,
) => { readonly name: string; readonly isForLoadBalancers: boolean } | undefined;

export interface ComputeContext {
  readonly resources: Resources;
  readonly certificates: CertificateLookup;
  readonly ids: Ids;
  /** @default - every policy exists */
  readonly serverTlsPolicy?: ServerTlsPolicyLookup;
}

export interface ResourcePlace {
  readonly scope: Scope;
  readonly path: string;
  /** The present resource; undefined for a new resource. */
  readonly before?: ComputeResource;
}

/** How a resource of a kind can be changed. */
interface ConceptChanges {
  /** Members that a patch may change. @default - all members */
  readonly patchable?: readonly string[];
  /** Whether an update without a fingerprint is rejected; an outdated fingerprint is always rejected. @default false */
  readonly needsFingerprint?: boolean;
  /** Effects of the kind's own methods on a resource, by method name. */
  readonly actions?: Readonly<Record<string, (before: ComputeResource, body: Json) => Json>>;
}

/** Properties of one kind of resource; everything else is the same for all kinds. */
export interface Concept {
  readonly collection: ComputeCollection;
  readonly schema: string;
  /** Name in messages, for example `url_map`. */
  readonly noun: string;
  /** The API's names of the collections of global and of regional resources. */
  readonly methods: { readonly global?: string; readonly regional?: string };
  /**
   * Checks a whole resource and returns it in its stored form, with full links and defaults. Idempotent: a stored form
   * stays the same. Undefined members are omitted.
   *
   * @param body body of an insert or update, or the result of a patch or an action
   * @throws CloudError for a value that the service rejects
   */
  complete(body: Json, place: ResourcePlace, context: ComputeContext): Json;
  readonly changes?: ConceptChanges;
  /** Returns the resources that prevent a deletion. @default - resources that refer to it */
  usersOf?(resource: ComputeResource, context: ComputeContext): readonly ComputeResource[];
  /** Returns the resource as the API does. @default - as stored */
  present?(resource: ComputeResource, context: ComputeContext): Json;
}

/** Returns the action that sets one member, for example `setUrlMap`. @param fallback value of a cleared member */
export function setting(member: string, fallback?: string): (before: ComputeResource, body: Json) => Json {
  return (before, body) => ({ ...before, [member]: body[member] ?? fallback });
}

export interface Linked {
  /** Full link. */
  readonly link: string;
  readonly resource: ComputeResource;
}

/** Resolves a link to a resource of the same region, or a global one. @param field for messages @throws CloudError */
export function followField(
  link: string,
  field: string,
  allowed: readonly ComputeCollection[],
  scope: Scope,
  resources: Resources,
): Linked {
  const parsed = readLink(link, scope.project);
  if (parsed === undefined) throw invalidValue(field, link, "The URL is malformed.");
  const { collection, name } = parsed;
  if (!allowed.some((word) => word === collection))
    throw invalidValue(field, link, `Unexpected resource type '${collection}'; ${allowed.join(" or ")} is expected.`);
  if (!isSameScope({ ...parsed.scope, project: scope.project }, scope)) {
    const wanted = scope.region === undefined ? "a global one" : `one of the region ${scope.region}`;
    throw invalidValue(field, link, `This is not ${wanted}, as the resource that refers to it is.`);
  }
  const path = resourcePath(parsed.scope, collection, name);
  const resource = foundOrThrow(resources.get(path), () => computeErrors.notFound(path));
  return { link: linkTo(path), resource };
}
