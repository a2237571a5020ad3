import { defined } from "../../json/defined";
import type { ApiDescription } from "../api-description";
import type { DescriptionDocument, DirectoryItem } from "../document";
import { type Content, etagOf, writeJson } from "./answer";

/**
 * Returns the description with all its addresses under one root.
 *
 * @param rootUrl ends with a slash
 */
export function withRootUrl(document: DescriptionDocument, rootUrl: string): DescriptionDocument {
  const { baseUrl, mtlsRootUrl, endpoints, servicePath = "" } = document;
  return {
    ...document,
    rootUrl,
    ...(baseUrl === undefined ? {} : { baseUrl: `${rootUrl}${servicePath.replace(/^\/+/, "")}` }),
    ...(mtlsRootUrl === undefined ? {} : { mtlsRootUrl: rootUrl }),
    ...(endpoints === undefined
      ? {}
      : { endpoints: endpoints.map((endpoint) => ({ ...endpoint, endpointUrl: rootUrl })) }),
  };
}

/**
 * Returns a description as HTTP content. If the description has an `etag` from an earlier download, the tag of this
 * content replaces it.
 */
export function descriptionContent(document: DescriptionDocument, pretty: boolean): Content {
  const etag = etagOf(writeJson({ ...document, etag: undefined }, pretty));
  return { body: writeJson(document.etag === undefined ? document : { ...document, etag }, pretty), etag };
}

/** Returns the list entry of a description. */
export function directoryItem(
  { name, version, document }: ApiDescription,
  discoveryRestUrl: string,
  preferred: boolean,
): DirectoryItem {
  const { title, description, icons, documentationLink, labels } = document;
  return {
    kind: "discovery#directoryItem",
    id: `${name}:${version}`,
    name,
    version,
    ...defined({ title, description }),
    discoveryRestUrl,
    ...defined({ icons, documentationLink, labels }),
    preferred,
  };
}
