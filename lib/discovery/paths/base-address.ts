import type { Problem } from "../../errors";
import { quote } from "../../text/quote";
import type { DescriptionDocument } from "../document";
import { hasDotSegment } from "./path-template";

type Addresses = Pick<DescriptionDocument, "servicePath" | "rootUrl" | "baseUrl">;

/**
 * Returns the path between the base address and a method's path: empty, or ending with a slash and not beginning with
 * one. Without a `servicePath`, it is the path of the `baseUrl`, below `rootUrl` if there is one.
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

/** A base address that replaces the description's rootUrl, or the location of an endpoint. */
export type EndpointChoice = string | { readonly location: string };

/** Destination of requests: an absolute URL that ends with a slash, or the problem that prevents a destination. */
export type RootAddress = { readonly url: string; readonly deprecated?: true } | { readonly problem: Problem };

export function rootAddress(document: DescriptionDocument, choice: EndpointChoice | undefined): RootAddress {
  if (typeof choice === "object") return regionalAddress(document, choice.location);
  const url = choice ?? document.rootUrl ?? rootOfBaseUrl(document);
  if (url === undefined) {
    const message = `the description of ${quote(document.name)} has no rootUrl: pass the endpoint`;
    return { problem: { code: "endpoint-missing", message } };
  }
  const parts = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i.exec(url);
  if (parts === null || hasDotSegment(parts[1] ?? "") || !URL.canParse(url)) {
    const message = `the endpoint ${quote(url)} is not a base address: use https://HOST/ or http://HOST:PORT/`;
    return { problem: { code: "endpoint-invalid", message } };
  }
  const root = withSlash(url);
  return choice !== undefined && isDeprecated(document, root) ? { url: root, deprecated: true } : { url: root };
}

function rootOfBaseUrl(document: DescriptionDocument): string | undefined {
  const { baseUrl } = document;
  if (baseUrl === undefined) return undefined;
  const [base, below] = [withSlash(baseUrl), servicePathOf(document)];
  if (below === "") return base;
  return base.endsWith(`/${below}`) ? base.slice(0, -below.length) : base.replace(/^([a-z]+:\/\/[^/]+\/).*$/i, "$1");
}

function isDeprecated({ endpoints = [] }: DescriptionDocument, root: string): boolean {
  const same = endpoints.filter(({ endpointUrl }) => endpointUrl !== undefined && withSlash(endpointUrl) === root);
  return same.length > 0 && same.every(({ deprecated }) => deprecated === true);
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

function regionalAddress(document: DescriptionDocument, location: string): RootAddress {
  const ofLocation = (document.endpoints ?? []).filter((endpoint) => endpoint.location === location);
  // A location may be listed twice. A deprecated endpoint is used only if every endpoint of the location is deprecated.
  const taken = ofLocation.find(({ deprecated }) => deprecated !== true) ?? ofLocation[0];
  if (taken?.endpointUrl !== undefined) {
    const root = rootAddress(document, taken.endpointUrl);
    return "problem" in root || taken.deprecated !== true ? root : { ...root, deprecated: true };
  }
  const known = [...new Set((document.endpoints ?? []).map((endpoint) => endpoint.location ?? ""))].sort();
  const rule =
    known.length === 0 ? "the description lists no regional endpoints" : `use one of ${known.map(quote).join(", ")}`;
  return { problem: { code: "endpoint-unknown", message: `${quote(location)} has no endpoint: ${rule}` } };
}
