import type { DescriptionDocument } from "../document";

/** What stands between the base address and a method's path: empty, or ending with a slash and not beginning with one. */
export function servicePathOf({ servicePath = "" }: Pick<DescriptionDocument, "servicePath">): string {
  const path = servicePath.replace(/^\/+/, "");
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

/** A path expression below the base address, as in `dns/v1/projects/{project}`; variables and all. */
export function pathBelowRoot(document: Pick<DescriptionDocument, "servicePath">, path: string): string {
  return `${servicePathOf(document)}${path.replace(/^\/+/, "")}`;
}
