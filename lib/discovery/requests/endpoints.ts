import type { Problem } from "../../errors";
import { quote } from "../../text/quote";
import type { DescriptionDocument } from "../document";
import { hasDotSegment } from "../paths";

/** A base address in place of the description's rootUrl, or the location whose endpoint to use. */
export type EndpointChoice = string | { readonly location: string };

/** Where requests go: absolute, ending with a slash; or why that can't be told. */
export type RootAddress = { readonly url: string } | { readonly problem: Problem };

export function rootAddress(document: DescriptionDocument, choice: EndpointChoice | undefined): RootAddress {
  if (typeof choice === "object") return regionalAddress(document, choice.location);
  const url = choice ?? document.rootUrl ?? document.baseUrl?.replace(/^([a-z]+:\/\/[^/]+\/).*$/i, "$1");
  if (url === undefined) {
    const message = `the description of ${quote(document.name)} has no rootUrl: pass the endpoint`;
    return { problem: { code: "endpoint-missing", message } };
  }
  const parts = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i.exec(url);
  if (parts === null || hasDotSegment(parts[1] ?? "") || !URL.canParse(url)) {
    const message = `the endpoint ${quote(url)} is no base address: use https://HOST/ or http://HOST:PORT/`;
    return { problem: { code: "endpoint-invalid", message } };
  }
  return { url: url.endsWith("/") ? url : `${url}/` };
}

function regionalAddress(document: DescriptionDocument, location: string): RootAddress {
  const ofLocation = (document.endpoints ?? []).filter((endpoint) => endpoint.location === location);
  // A location may be listed twice; one that is on its way out is only taken where there is no other.
  const url = (ofLocation.find(({ deprecated }) => deprecated !== true) ?? ofLocation[0])?.endpointUrl;
  if (url !== undefined) return rootAddress(document, url);
  const known = [...new Set((document.endpoints ?? []).map((endpoint) => endpoint.location ?? ""))].sort();
  const rule =
    known.length === 0 ? "the description lists no regional endpoints" : `use one of ${known.map(quote).join(", ")}`;
  return { problem: { code: "endpoint-unknown", message: `there is no endpoint in ${quote(location)}: ${rule}` } };
}
