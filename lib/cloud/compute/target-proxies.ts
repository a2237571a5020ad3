import { locationIn } from "../../resource-names";
import { foundOrThrow } from "../cloud-error";
import type { Json } from "../front";
import { networkSecurityPrefix, serverTlsPolicyName } from "../network-security";
import { computeErrors, invalidValue, requiredField } from "./answers";
import { checkBackendOfCertificates, completeCertificates } from "./attached-certificates";
import { type ComputeContext, type Concept, followField, type Linked, type ResourcePlace, setting } from "./concept";
import type { ComputeCollection } from "./links";
import { textMember } from "./resources";
import { checkRulesOfProxy } from "./schemes";

/** Proxies that terminate TLS for an application load balancer. */
export const targetHttpsProxies: Concept = {
  collection: "targetHttpsProxies",
  schema: "TargetHttpsProxy",
  noun: "target_https_proxy",
  methods: { global: "targetHttpsProxies", regional: "regionTargetHttpsProxies" },
  complete(body, place, context) {
    const kind = { word: "TargetHttpsProxy", takesManagerCertificates: true };
    checkKeepAlive(body, place);
    const urlMap = followRequired(body, "urlMap", "urlMaps", place, context);
    const completed = {
      quicOverride: "NONE",
      proxyBind: false,
      tlsEarlyData: "DISABLED",
      ...completeCertificates(body, place, kind, context),
      urlMap: urlMap.link,
      sslPolicy: completePolicy(body, place, context),
      serverTlsPolicy: completeServerTlsPolicy(body, place, context),
    };
    checkBackendOfCertificates(completed, urlMap.resource);
    checkRulesOfProxy(completed, place, context.resources);
    return completed;
  },
  changes: {
    actions: {
      setCertificateMap: setting("certificateMap"),
      setSslCertificates: setting("sslCertificates"),
      setUrlMap: setting("urlMap"),
      setSslPolicy: setting("sslPolicy"),
      setQuicOverride: setting("quicOverride", "NONE"),
    },
  },
};

/** Proxies that forward requests without TLS. */
export const targetHttpProxies: Concept = {
  collection: "targetHttpProxies",
  schema: "TargetHttpProxy",
  noun: "target_http_proxy",
  methods: { global: "targetHttpProxies", regional: "regionTargetHttpProxies" },
  complete(body, place, context) {
    checkKeepAlive(body, place);
    const { link } = followRequired(body, "urlMap", "urlMaps", place, context);
    const completed = { proxyBind: false, ...body, urlMap: link };
    checkRulesOfProxy(completed, place, context.resources);
    return completed;
  },
  changes: { actions: { setUrlMap: setting("urlMap") } },
};

/** Proxies that terminate TLS for a network load balancer. */
export const targetSslProxies: Concept = {
  collection: "targetSslProxies",
  schema: "TargetSslProxy",
  noun: "target_ssl_proxy",
  methods: { global: "targetSslProxies" },
  complete(body, place, context) {
    const kind = { word: "TargetSslProxy", takesManagerCertificates: false };
    const certified = completeCertificates(body, place, kind, context);
    const { link, resource } = followRequired(body, "service", "backendServices", place, context);
    if (resource.protocol !== "SSL" && resource.protocol !== "TCP")
      throw invalidValue("service", link, `Its protocol is ${resource.protocol}; it has to be SSL or TCP.`);
    const completed = {
      proxyHeader: "NONE",
      ...certified,
      service: link,
      sslPolicy: completePolicy(body, place, context),
    };
    checkRulesOfProxy(completed, place, context.resources);
    return completed;
  },
  changes: {
    actions: {
      setCertificateMap: setting("certificateMap"),
      setSslCertificates: setting("sslCertificates"),
      setBackendService: setting("service"),
      setSslPolicy: setting("sslPolicy"),
      setProxyHeader: setting("proxyHeader", "NONE"),
    },
  },
};

function followRequired(
  body: Json,
  member: string,
  collection: ComputeCollection,
  { scope }: ResourcePlace,
  { resources }: ComputeContext,
): Linked {
  const link = textMember(body, member);
  if (link === "") throw requiredField(member);
  return followField(link, member, [collection], scope, resources);
}

/** Returns the full link to an SSL policy. @throws CloudError if the policy does not exist */
function completePolicy(body: Json, { scope }: ResourcePlace, { resources }: ComputeContext): string | undefined {
  const link = textMember(body, "sslPolicy");
  return link === "" ? undefined : followField(link, "sslPolicy", ["sslPolicies"], scope, resources).link;
}

const keepAliveSeconds = { least: 5, mostGlobal: 1_200, mostRegional: 600 };

function checkKeepAlive({ httpKeepAliveTimeoutSec: seconds }: Json, { scope }: ResourcePlace): void {
  const { least, mostGlobal, mostRegional } = keepAliveSeconds;
  const most = scope.region === undefined ? mostGlobal : mostRegional;
  if (seconds !== undefined && (Number(seconds) < least || Number(seconds) > most))
    throw invalidValue("httpKeepAliveTimeoutSec", seconds, `It has to be from ${least} to ${most}.`);
}

/**
 * Returns the link of the policy. @throws CloudError 400 for another location or no mutual TLS, 404 if it is missing
 */
function completeServerTlsPolicy(
  body: Json,
  { scope }: ResourcePlace,
  { serverTlsPolicy: lookUp }: ComputeContext,
): string | undefined {
  const link = textMember(body, "serverTlsPolicy");
  if (link === "") return undefined;
  const name = serverTlsPolicyName(link);
  const field = "serverTlsPolicy";
  if (name === undefined) throw invalidValue(field, link, "This is not a server TLS policy.");
  const wanted = scope.region ?? "global";
  if (locationIn(name) !== wanted)
    throw invalidValue(field, link, `The policy has to be in the location ${wanted}, as the proxy is.`);
  if (lookUp === undefined) return networkSecurityPrefix + name;
  const found = foundOrThrow(lookUp(name), () => computeErrors.notFound(name));
  if (!found.isForLoadBalancers)
    throw invalidValue(field, link, "The policy has no mtlsPolicy with a clientValidationMode.");
  return networkSecurityPrefix + found.name;
}
