import type { Json } from "../front";
import { invalidValue } from "./answers";
import type { ResourcePlace } from "./concept";
import { pathOfLink } from "./links";
import { certificateManagerName, servicesOf } from "./references";
import { type ComputeResource, pathOfResource, type Resources, textMember, textMembers } from "./resources";

/** Allowed schemes of backend services by the rule's. Classic rules may lead to services that have been migrated. */
const backendSchemes: Readonly<Record<string, readonly string[]>> = {
  EXTERNAL: ["EXTERNAL", "EXTERNAL_MANAGED"],
  EXTERNAL_MANAGED: ["EXTERNAL_MANAGED"],
  INTERNAL_MANAGED: ["INTERNAL_MANAGED"],
};

interface RuleKind {
  readonly scheme: string;
  readonly isGlobal: boolean;
}

/** Checks a rule against its proxy and against the URL map and services of the proxy. @throws CloudError */
export function checkRule(kind: RuleKind, proxy: Json, resources: Resources): void {
  checkCertificates(kind, proxy);
  const service = textMember(proxy, "service");
  const urlMap = resources.get(pathOfLink(textMember(proxy, "urlMap")));
  checkServices(kind.scheme, [...(service === "" ? [] : [service]), ...servicesOf(urlMap ?? {})], resources);
}

/** Checks that only global external load balancers use certificate maps; others use certificates directly. */
function checkCertificates({ scheme, isGlobal }: RuleKind, proxy: Json): void {
  const isInternal = scheme.startsWith("INTERNAL");
  const hasMap = textMember(proxy, "certificateMap") !== "";
  if (isInternal && hasMap)
    throw invalidValue("loadBalancingScheme", scheme, "A target proxy with a certificate map can't be used with it.");
  const isOfManager = textMembers(proxy, "sslCertificates").some((link) => certificateManagerName(link) !== undefined);
  if (!isInternal && isGlobal && isOfManager && !hasMap)
    throw invalidValue(
      "loadBalancingScheme",
      scheme,
      "Certificates of Certificate Manager are attached to a global external load balancer by a certificate map.",
    );
}

function checkServices(scheme: string, links: readonly string[], resources: Resources): void {
  const allowed = backendSchemes[scheme] ?? [];
  for (const link of links) {
    // Backend buckets are not emulated.
    const service = resources.get(pathOfLink(link));
    const found = service === undefined ? undefined : textMember(service, "loadBalancingScheme");
    if (found !== undefined && !allowed.includes(found))
      throw invalidValue(
        "loadBalancingScheme",
        scheme,
        `It leads to ${pathOfLink(link)}, whose scheme is ${found}; it has to be ${allowed.join(" or ")}.`,
      );
  }
}

export function checkRulesOfProxy(proxy: Json, { path }: ResourcePlace, resources: Resources): void {
  for (const rule of resources.usersOf(path)) {
    checkRule({ scheme: schemeOf(rule), isGlobal: rule.region === undefined }, proxy, resources);
  }
}

/** Checks a changed URL map against the rules that lead to it through a proxy. */
export function checkRulesOfUrlMap(urlMap: Json, { path }: ResourcePlace, resources: Resources): void {
  for (const proxy of resources.usersOf(path)) {
    for (const rule of resources.usersOf(pathOfResource(proxy)))
      checkServices(schemeOf(rule), servicesOf(urlMap), resources);
  }
}

function schemeOf(rule: ComputeResource): string {
  return textMember(rule, "loadBalancingScheme");
}
