import type { DescriptionDocument } from "../document";

type Addresses = Pick<DescriptionDocument, "servicePath" | "rootUrl" | "baseUrl">;

/**
 * Returns the path between the base address and a method's path. It is empty, or ends with a slash and does not begin
 * with a slash. If a description has only a `baseUrl`, returns the path of that URL.
 */
export function servicePathOf({ servicePath, rootUrl, baseUrl }: Addresses): string {
  const ofBase = rootUrl === undefined ? /^[a-z]+:\/\/[^/]+([^?#]*)/i.exec(baseUrl ?? "")?.[1] : undefined;
  const path = (servicePath ?? ofBase ?? "").replace(/^\/+/, "");
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

/**
 * Returns a path expression below the base address, including its variables, for example `dns/v1/projects/{project}`.
 */
export function pathBelowRoot(document: Addresses, path: string): string {
  return `${servicePathOf(document)}${path.replace(/^\/+/, "")}`;
}
