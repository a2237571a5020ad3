import type { DescriptionDocument } from "../document";

type Addresses = Pick<DescriptionDocument, "servicePath" | "rootUrl" | "baseUrl">;

/**
 * Returns the path between the base address and a method's path. It is empty, or ends with a slash and does not begin
 * with a slash. If a description has no `servicePath`, returns the path of its `baseUrl`, below `rootUrl` if there is one.
 */
export function servicePathOf({ servicePath, rootUrl, baseUrl }: Addresses): string {
  const path = (servicePath ?? pathOfBaseUrl(baseUrl ?? "", rootUrl)).replace(/^\/+/, "");
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

function pathOfBaseUrl(baseUrl: string, rootUrl: string | undefined): string {
  if (rootUrl === undefined) return /^[a-z]+:\/\/[^/]+([^?#]*)/i.exec(baseUrl)?.[1] ?? "";
  const root = rootUrl.endsWith("/") ? rootUrl : `${rootUrl}/`;
  return baseUrl.startsWith(root) ? (/^[^?#]*/.exec(baseUrl.slice(root.length))?.[0] ?? "") : "";
}

/**
 * Returns a path expression below the base address, including its variables, for example `dns/v1/projects/{project}`.
 */
export function pathBelowRoot(document: Addresses, path: string): string {
  return `${servicePathOf(document)}${path.replace(/^\/+/, "")}`;
}
