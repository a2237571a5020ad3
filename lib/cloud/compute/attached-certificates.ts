/** Rules for the certificates of a target proxy: a certificate map, or certificates attached directly. */

import { certificateManagerPrefix } from "../../resource-names";
import { CloudError } from "../cloud-error";
import type { Json } from "../front";
import { computeErrors, invalidValue } from "./answers";
import type { ComputeContext, ResourcePlace } from "./concept";
import { followField } from "./concept";
import { certificateManagerName, placeOfName, servicesOf } from "./references";
import { textMember, textMembers } from "./resources";

/** Maximum number of certificates of Compute Engine attached to a proxy directly. */
const mostComputeCertificates = 15;
/** Maximum number of certificates of Certificate Manager attached to a proxy directly; a map holds more. */
const mostManagerCertificates = 100;

interface ProxyKind {
  /** Name in messages, for example `TargetHttpsProxy`. */
  readonly word: string;
  /** Whether the proxy accepts certificates of Certificate Manager without a map. */
  readonly takesManagerCertificates: boolean;
}

/**
 * Checks and normalizes `certificateMap` and `sslCertificates`. A proxy may have both while it moves from one to the
 * other; the map takes precedence. @throws CloudError 400, or 412 if no certificate would be left
 */
export function completeCertificates(body: Json, place: ResourcePlace, kind: ProxyKind, context: ComputeContext): Json {
  const map = textMember(body, "certificateMap");
  const links = textMembers(body, "sslCertificates");
  if (map !== "") checkMap(map, place, context);
  const sslCertificates = completeLinks(links, place, kind, context);
  if (map === "" && links.length === 0) throw withoutCertificates(place, kind);
  return {
    ...body,
    certificateMap: map === "" ? undefined : map,
    sslCertificates: sslCertificates.length === 0 ? undefined : sslCertificates,
  };
}

function checkMap(map: string, { scope }: ResourcePlace, { certificates }: ComputeContext): void {
  if (scope.region !== undefined)
    throw invalidValue("certificateMap", map, "Regional proxies take no certificate map; name certificates directly.");
  const name = certificateManagerName(map);
  if (name === undefined || placeOfName(name).collection !== "certificateMaps")
    throw invalidValue(
      "certificateMap",
      map,
      "The format is //certificatemanager.googleapis.com/projects/{project}/locations/global/certificateMaps/{map}.",
    );
  if (placeOfName(name).location !== "global")
    throw invalidValue("certificateMap", map, "Certificate maps are in the location global.");
  if (!certificates.hasMap(name)) throw computeErrors.notFound(name);
}

function completeLinks(
  links: readonly string[],
  place: ResourcePlace,
  kind: ProxyKind,
  context: ComputeContext,
): readonly string[] {
  const ofManager = links.filter((link) => certificateManagerName(link) !== undefined);
  const most = ofManager.length > 0 ? mostManagerCertificates : mostComputeCertificates;
  if (links.length > most)
    throw invalidValue(
      "sslCertificates",
      `${links.length} certificates`,
      `At most ${most} are allowed; a certificate map holds more.`,
    );
  if (ofManager.length > 0 && ofManager.length < links.length)
    throw invalidValue(
      "sslCertificates",
      links,
      "Certificates of Compute Engine and of Certificate Manager can't be attached together.",
    );
  return links.map((link, index) => {
    const field = `sslCertificates[${index}]`;
    const name = certificateManagerName(link);
    if (name === undefined) return followField(link, field, ["sslCertificates"], place.scope, context.resources).link;
    checkManagerCertificate(link, name, field, place, kind, context);
    return certificateManagerPrefix + name;
  });
}

function checkManagerCertificate(
  link: string,
  name: string,
  field: string,
  { scope }: ResourcePlace,
  kind: ProxyKind,
  { certificates }: ComputeContext,
): void {
  const { collection, location } = placeOfName(name);
  if (collection !== "certificates") throw invalidValue(field, link, "This is not a certificate.");
  if (!kind.takesManagerCertificates)
    throw invalidValue(
      field,
      link,
      `A ${kind.word} takes certificates of Certificate Manager by a certificate map only.`,
    );
  const wanted = scope.region ?? "global";
  if (location !== wanted) throw invalidValue(field, link, `The certificate has to be in the location ${wanted}.`);
  if (!certificates.hasCertificate(name)) throw computeErrors.notFound(name);
  const servedFrom =
    certificates.certificateScope === undefined ? undefined : (certificates.certificateScope(name) ?? "DEFAULT");
  const wantedScope = scope.region === undefined ? "ALL_REGIONS" : "DEFAULT";
  if (servedFrom !== undefined && servedFrom !== wantedScope)
    throw invalidValue(
      field,
      link,
      `Its scope is ${servedFrom}; attached directly to this proxy it has to be ${wantedScope}.`,
    );
}

/**
 * Rejects certificates of Certificate Manager without a map if the URL map leads to no backend service, because the
 * load balancing scheme is unknown then. @throws CloudError 400
 */
export function checkBackendOfCertificates(proxy: Json, urlMap: Json): void {
  const links = textMembers(proxy, "sslCertificates");
  if (textMember(proxy, "certificateMap") !== "" || !links.some((link) => certificateManagerName(link) !== undefined))
    return;
  if (servicesOf(urlMap).some((link) => link.includes("/backendServices/"))) return;
  throw invalidValue(
    "urlMap",
    textMember(proxy, "urlMap"),
    "The URL map of a proxy with certificates of Certificate Manager has to lead to a backend service.",
  );
}

function withoutCertificates({ scope, before }: ResourcePlace, { word }: ProxyKind): CloudError {
  const what =
    scope.region === undefined ? "Certificate Map or at least 1 SSL certificate" : "At least 1 SSL certificate";
  if (before === undefined) return invalidValue("sslCertificates", "", `${what} must be specified.`);
  const message = `${what} must be specified for setting SSL certificates in ${word}.`;
  // Source: hashicorp/terraform-provider-google#17802.
  if (scope.region !== undefined)
    return new CloudError("INVALID_ARGUMENT", `Invalid value for field 'resource': ''. ${message}`);
  return new CloudError("CONDITION_NOT_MET", message);
}
