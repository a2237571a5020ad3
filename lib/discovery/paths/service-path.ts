import type { DescriptionDocument } from "../document";

type Addresses = Pick<DescriptionDocument, "servicePath" | "rootUrl" | "baseUrl">;

/**
 * What stands between the base address and a method's path: empty, or ending with a slash and not beginning with one. Where a description has only a
 * `baseUrl`, the path of that.
 */
export function servicePathOf({ servicePath, rootUrl, baseUrl }: Addresses): string {
  const ofBase = rootUrl === undefined ? /^[a-z]+:\/\/[^/]+([^?#]*)/i.exec(baseUrl ?? "")?.[1] : undefined;
  const path = (servicePath ?? ofBase ?? "").replace(/^\/+/, "");
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

/** A path expression below the base address, as in `dns/v1/projects/{project}`; variables and all. */
export function pathBelowRoot(document: Addresses, path: string): string {
  return `${servicePathOf(document)}${path.replace(/^\/+/, "")}`;
}
