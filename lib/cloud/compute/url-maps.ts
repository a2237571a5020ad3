import { foundOrThrow } from "../cloud-error";
import type { Json } from "../front";
import { computeErrors, invalidValue, requiredField } from "./answers";
import type { ComputeContext, Concept, ResourcePlace } from "./concept";
import { isSameScope, linkTo, readLink, resourcePath } from "./links";
import { mapServices } from "./references";
import { textMember, textMembers } from "./resources";
import { checkRulesOfUrlMap } from "./schemes";

/** URL maps. Stored completely; links and names are checked, but requests are not routed. */
export const urlMaps: Concept = {
  collection: "urlMaps",
  schema: "UrlMap",
  noun: "url_map",
  methods: { global: "urlMaps", regional: "regionUrlMaps" },
  changes: { needsFingerprint: true },
  complete(body, place, context) {
    if (
      body.defaultService === undefined &&
      body.defaultUrlRedirect === undefined &&
      body.defaultRouteAction === undefined
    )
      throw requiredField("defaultService");
    checkPathMatchers(body);
    const completed = mapServices(body, (link, at) => readService(link, at, place, context));
    checkRulesOfUrlMap(completed, place, context.resources);
    return completed;
  },
};

function checkPathMatchers(body: Json): void {
  const names = list(body.pathMatchers).map((matcher) => textMember(matcher, "name"));
  const again = indexOfRepeated(names);
  if (again !== -1)
    throw invalidValue(`pathMatchers[${again}].name`, names[again], "Another path matcher has the same name.");
  const used = list(body.hostRules).map((rule) => textMember(rule, "pathMatcher"));
  const lost = indexOfOther(used, names);
  if (lost !== -1) throw invalidValue(`hostRules[${lost}].pathMatcher`, used[lost], "Unknown path matcher.");
  const unused = indexOfOther(names, used);
  if (unused !== -1)
    throw invalidValue(`pathMatchers[${unused}].name`, names[unused], "No host rule leads to this path matcher.");
  const hosts = list(body.hostRules).flatMap((rule) => textMembers(rule, "hosts"));
  const twice = indexOfRepeated(hosts);
  if (twice !== -1) throw invalidValue("hostRules", hosts[twice], "This host is in more than one host rule.");
}

/** Returns the index of the first repeated text; -1 if all are different. */
function indexOfRepeated(texts: readonly string[]): number {
  const seen = new Set<string>();
  return texts.findIndex((text) => seen.size === seen.add(text).size);
}

/** Returns the index of the first unknown text; -1 if all are known. */
function indexOfOther(texts: readonly string[], known: readonly string[]): number {
  const all = new Set(known);
  return texts.findIndex((text) => !all.has(text));
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

const protocols = ["HTTP", "HTTPS", "HTTP2", "H2C", "GRPC"];

function readService(link: string, at: string, { scope }: ResourcePlace, { resources }: ComputeContext): string {
  const parsed = readLink(link, scope.project);
  if (parsed === undefined) throw invalidValue(at, link, "The URL is malformed.");
  const path = resourcePath(parsed.scope, parsed.collection, parsed.name);
  // Backend buckets are not emulated, so their existence is not checked.
  if (parsed.collection === "backendBuckets") return linkTo(path);
  if (parsed.collection !== "backendServices") throw invalidValue(at, link, "This is not a backend service.");
  const service = foundOrThrow(resources.get(path), () => computeErrors.notFound(path));
  if (!isSameScope({ ...parsed.scope, project: scope.project }, scope))
    throw invalidValue(at, link, "The URL map and its backend services have to be in the same region, or all global.");
  if (!protocols.includes(textMember(service, "protocol")))
    throw invalidValue(at, link, `Its protocol is ${service.protocol}; it has to be one of ${protocols.join(", ")}.`);
  return linkTo(path);
}
