import type { ApiDescription, DescriptionDocument, Method, Parameter } from "../../../discovery";
import { formatTable, safe } from "../../text";
import { allowedValues, sentence, typeOf } from "./tree";

/**
 * Returns what applies to every method of an API: tables of common parameters, scopes and endpoints. Empty tables are
 * omitted.
 */
export function apiSections({ parameters = {}, auth, endpoints = [] }: DescriptionDocument): readonly string[] {
  const common = Object.entries(parameters).map(([name, schema]) => [
    name,
    schema.deprecated ? "deprecated" : "",
    typeOf(schema),
    [limits(schema), sentence(schema.description), allowedValues(schema)].filter((part) => part !== "").join("; "),
  ]);
  const scopes = Object.entries(auth?.oauth2?.scopes ?? {}).map(([scope, { description }]) => [
    scope,
    sentence(description),
  ]);
  const places = endpoints.map(({ location = "", endpointUrl = "", deprecated, description }) => [
    location,
    endpointUrl,
    deprecated ? "deprecated" : "",
    sentence(description),
  ]);
  return [
    common.length === 0 ? [] : formatTable(["COMMON PARAMETER", "", "TYPE", ""], common),
    scopes.length === 0 ? [] : formatTable(["SCOPE", ""], scopes),
    places.length === 0 ? [] : formatTable(["LOCATION", "ENDPOINT", "", ""], places),
  ].flat();
}

/** Describes the media uploads of a method, and whether its response may be media. */
export function mediaText(api: ApiDescription, { id, document }: Method): string {
  const { mediaUpload, supportsMediaDownload } = document;
  const lines: string[] = [];
  if (mediaUpload !== undefined) {
    const { accept = [], maxSize, protocols = {} } = mediaUpload;
    lines.push(`media upload: ${accept.length === 0 ? "any type" : accept.join(", ")}; ${sizeText(maxSize)}`);
    if (protocols.simple?.path !== undefined) {
      lines.push(`  simple     ${uploadAddress(api, protocols.simple.path, "media")}`);
      if (protocols.simple.multipart !== false)
        lines.push(`  multipart  ${uploadAddress(api, protocols.simple.path, "multipart")}`);
    }
    if (protocols.resumable?.path !== undefined)
      lines.push(`  resumable  ${uploadAddress(api, protocols.resumable.path, "resumable")}`);
    if (lines.length === 1) lines.push(`  ${id} has no path for uploads`);
  }
  if (supportsMediaDownload === true) lines.push("media download: with alt=media");
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${safe(line)}\n`).join("")}`;
}

function uploadAddress({ document }: ApiDescription, path: string, uploadType: string): string {
  const { rootUrl = "" } = document;
  const root = rootUrl === "" || rootUrl.endsWith("/") ? rootUrl : `${rootUrl}/`;
  return `${root}${path.replace(/^\/+/, "")}?uploadType=${uploadType}`;
}

function sizeText(maxSize: string | undefined): string {
  if (maxSize === undefined) return "any size";
  return /^\d+$/.test(maxSize) ? `at most ${maxSize} bytes` : `at most ${maxSize}`;
}

/** Summarizes the constraints of a value. */
export function limits({ minimum, maximum, pattern, default: usual }: Parameter["schema"]): string {
  const facts = [
    minimum === undefined && maximum === undefined ? "" : `${minimum ?? ""}..${maximum ?? ""}`,
    usual === undefined || usual === "" ? "" : `default ${usual}`,
    pattern === undefined ? "" : `matches ${pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern}`,
  ];
  return safe(facts.filter((part) => part !== "").join("; "));
}
