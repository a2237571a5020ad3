import { type Collection, isSameScope, linkTo, pathOf, readLink, type Scope } from "./links";
import { invalidValue, notFound } from "./refusals";
import type { Resource, Resources } from "./resources";

export interface Linked {
  /** Full link. */
  readonly link: string;
  readonly resource: Resource;
}

/**
 * Resolves a link in a body.
 *
 * @param field place of the link, for messages
 * @param scope scope of the resource that contains the link; the target has to be in the same region, or global like it
 * @throws CloudError for a text that is not a valid link, or a link without a target or to another kind
 */
export function follow(
  link: string,
  field: string,
  allowed: readonly Collection[],
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
  const path = pathOf(parsed.scope, collection, name);
  const resource = resources.get(path);
  if (resource === undefined) throw notFound(path);
  return { link: linkTo(path), resource };
}
