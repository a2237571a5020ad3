import type { Json } from "../front";
import type { Concept, Place, Surroundings } from "./concept";
import { isSameScope, linkTo, pathOf, readLink } from "./links";
import { mapServices } from "./references";
import { invalidValue, notFound, requiredField } from "./refusals";
import { textOf, textsOf } from "./resources";
import { checkRulesOfUrlMap } from "./schemes";

/** Which host and path goes to which backend service. Kept whole; its links and the names within it are checked, its routing is not done. */
export const urlMaps: Concept = {
  collection: "urlMaps",
  schema: "UrlMap",
  noun: "url_map",
  global: "urlMaps",
  regional: "regionUrlMaps",
  needsFingerprint: true,
  complete(body, place, surroundings) {
    if (
      body.defaultService === undefined &&
      body.defaultUrlRedirect === undefined &&
      body.defaultRouteAction === undefined
    )
      throw requiredField("defaultService");
    checkPathMatchers(body);
    const completed = mapServices(body, (link, at) => readService(link, at, place, surroundings));
    checkRulesOfUrlMap(completed, place, surroundings.resources);
    return completed;
  },
};

function checkPathMatchers(body: Json): void {
  const names = list(body.pathMatchers).map((matcher) => textOf(matcher, "name"));
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index)
      throw invalidValue(`pathMatchers[${index}].name`, name, "Another path matcher has the same name.");
  }
  const used = list(body.hostRules).map((rule) => textOf(rule, "pathMatcher"));
  for (const [index, name] of used.entries()) {
    if (!names.includes(name))
      throw invalidValue(`hostRules[${index}].pathMatcher`, name, "There is no path matcher of this name.");
  }
  const unused = names.findIndex((name) => !used.includes(name));
  if (unused !== -1)
    throw invalidValue(`pathMatchers[${unused}].name`, names[unused], "No host rule leads to this path matcher.");
  const hosts = list(body.hostRules).flatMap((rule) => textsOf(rule, "hosts"));
  const twice = hosts.find((host, index) => hosts.indexOf(host) !== index);
  if (twice !== undefined) throw invalidValue("hostRules", twice, "This host stands in more than one host rule.");
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Of backend services that understand requests. */
const protocols = ["HTTP", "HTTPS", "HTTP2", "H2C", "GRPC"];

function readService(link: string, at: string, { scope }: Place, { resources }: Surroundings): string {
  const parsed = readLink(link, scope.project);
  if (parsed === undefined) throw invalidValue(at, link, "The URL is malformed.");
  const path = pathOf(parsed.scope, parsed.collection, parsed.name);
  // Buckets are not emulated: nothing is known of them.
  if (parsed.collection === "backendBuckets") return linkTo(path);
  if (parsed.collection !== "backendServices") throw invalidValue(at, link, "This is not a backend service.");
  const service = resources.get(path);
  if (service === undefined) throw notFound(path);
  if (!isSameScope({ ...parsed.scope, project: scope.project }, scope))
    throw invalidValue(at, link, "The URL map and its backend services have to be in the same region, or all global.");
  if (!protocols.includes(textOf(service, "protocol")))
    throw invalidValue(at, link, `Its protocol is ${service.protocol}; it has to be one of ${protocols.join(", ")}.`);
  return linkTo(path);
}
