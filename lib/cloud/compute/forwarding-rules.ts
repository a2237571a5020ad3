import { foundOrThrow } from "../cloud-error";
import type { Json } from "../front";
import { drawIpAddress, type IpVersion, readIpAddress } from "./addresses";
import { computeErrors, invalidValue, notEmulated, requiredField } from "./answers";
import type { ComputeContext, Concept, ResourcePlace } from "./concept";
import { followField, type Linked, setting } from "./concept";
import { type ComputeCollection, isSameScope, readLink, resourcePath } from "./links";
import { type ComputeResource, pathOfResource, textMember } from "./resources";
import { checkRule } from "./schemes";

/** Forwarding rules: an address and port that lead to a target proxy. Other targets are not emulated. */
export const forwardingRules: Concept = {
  collection: "forwardingRules",
  schema: "ForwardingRule",
  noun: "forwarding_rule",
  methods: { global: "globalForwardingRules", regional: "forwardingRules" },
  complete(body, place, context) {
    if (body.backendService !== undefined) throw notEmulated("forwarding rules to a backendService");
    refuseServiceConnect(textMember(body, "target"));
    const loadBalancingScheme = completeScheme(body, place);
    const isExternal = loadBalancingScheme.startsWith("EXTERNAL");
    const completed = {
      networkTier: isExternal ? "PREMIUM" : undefined,
      ...body,
      loadBalancingScheme,
      IPProtocol: completeProtocol(body),
      portRange: completePort(body),
    };
    const target = followTarget(completed, place, context);
    const kind = { scheme: loadBalancingScheme, isGlobal: place.scope.region === undefined };
    checkRule(kind, target.resource, context.resources);
    const { ipAddress } = chooseAddress(completed, place, context);
    checkConflict(ipAddress, { ...completed, target: target.link }, place, context);
    return {
      ...completed,
      IPAddress: ipAddress,
      target: target.link,
    };
  },
  changes: {
    patchable: [
      "allowGlobalAccess",
      "externalManagedBackendBucketMigrationState",
      "externalManagedBackendBucketMigrationTestingPercentage",
      "loadBalancingScheme",
      "networkTier",
      "sourceIpRanges",
    ],
    actions: { setTarget: setting("target") },
  },
};

/** Bundles of Google APIs that a rule of Private Service Connect leads to. */
const apiBundles: ReadonlySet<string> = new Set(["all-apis", "vpc-sc"]);

/** Refuses rules of Private Service Connect: to a bundle of Google APIs, or to a service attachment. */
function refuseServiceConnect(target: string): void {
  const isAttachment = /(?:^|\/)serviceAttachments\/[^/]+$/.test(target);
  if (apiBundles.has(target) || isAttachment)
    throw notEmulated(`forwarding rules of Private Service Connect (target ${target.slice(0, 200)})`);
}

/** Load balancing schemes of target proxies with a load balancer of Google's. */
const schemes = ["EXTERNAL", "EXTERNAL_MANAGED", "INTERNAL_MANAGED"];

function completeScheme(body: Json, { before }: ResourcePlace): string {
  const scheme = textMember(body, "loadBalancingScheme") || "EXTERNAL";
  if (!schemes.includes(scheme)) throw notEmulated(`forwarding rules of the loadBalancingScheme ${scheme}`);
  const former = textMember(before ?? {}, "loadBalancingScheme");
  if (former !== "" && former.startsWith("EXTERNAL") !== scheme.startsWith("EXTERNAL"))
    throw invalidValue("loadBalancingScheme", scheme, `It can't be changed from ${former}.`);
  return scheme;
}

function completeProtocol(body: Json): string {
  const protocol = textMember(body, "IPProtocol") || "TCP";
  if (protocol !== "TCP") throw invalidValue("IPProtocol", protocol, "A rule to a target proxy is for TCP.");
  return protocol;
}

/**
 * Returns the port range; `443` and `443-443` are equal. A rule without a port is returned without a port, because the
 * provider has no default for it.
 */
function completePort(body: Json): string | undefined {
  const given = textMember(body, "portRange");
  if (body.ports !== undefined || body.allPorts === true)
    throw invalidValue(
      body.ports === undefined ? "allPorts" : "ports",
      body.ports ?? true,
      "A rule to a target proxy has a portRange.",
    );
  if (given === "") return undefined;
  const [, first = "", last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(given) ?? [];
  const port = Number(first);
  if (first === "" || port < 1 || port > 65_535)
    throw invalidValue("portRange", given, "Must be a port from 1 to 65535.");
  if (port !== Number(last)) throw invalidValue("portRange", given, "A rule to a target proxy has a single port.");
  return `${port}-${port}`;
}

/** Returns the port of a stored rule. The default depends on its target: 80 without TLS, otherwise 443. */
export function portOf(rule: Json): number {
  const stated = textMember(rule, "portRange").split("-")[0];
  if (stated !== undefined && stated !== "") return Number(stated);
  return readLink(textMember(rule, "target"), "")?.collection === "targetHttpProxies" ? 80 : 443;
}

const proxies: readonly ComputeCollection[] = ["targetHttpsProxies", "targetHttpProxies", "targetSslProxies"];

function followTarget(body: Json, { scope }: ResourcePlace, { resources }: ComputeContext): Linked {
  const link = textMember(body, "target");
  if (link === "") throw requiredField("target");
  const parsed = readLink(link, scope.project);
  if (parsed !== undefined && /^target/.test(parsed.collection) && !proxies.some((word) => word === parsed.collection))
    throw notEmulated(`forwarding rules to ${parsed.collection}`);
  // A classic load balancer in the standard tier has a regional rule and a global proxy.
  const isStandard = body.loadBalancingScheme === "EXTERNAL" && body.networkTier === "STANDARD";
  const isGlobalTarget = parsed !== undefined && parsed.scope.region === undefined;
  return followField(
    link,
    "target",
    proxies,
    isStandard && isGlobalTarget ? { project: scope.project } : scope,
    resources,
  );
}

interface Chosen {
  readonly ipAddress: string;
  readonly ipVersion: IpVersion;
}

function chooseAddress(body: Json, place: ResourcePlace, context: ComputeContext): Chosen {
  const given = textMember(body, "IPAddress");
  const wanted = textMember(body, "ipVersion");
  if (given === "") return drawAddress(body, wanted === "IPV6" ? "IPV6" : "IPV4", context);
  const ipAddress = readIpAddress(given)?.ipAddress ?? textMember(reservationAt(given, place, context), "address");
  const ipVersion = ipAddress.includes(":") ? "IPV6" : "IPV4";
  if (wanted !== "" && wanted !== "UNSPECIFIED_VERSION" && wanted !== ipVersion)
    throw invalidValue("ipVersion", wanted, `The address ${ipAddress} is of ${ipVersion}.`);
  for (const reserved of context.resources.addresses.reservationsOf(ipAddress)) {
    checkReservation(reserved, given, body, place);
  }
  return { ipAddress, ipVersion };
}

function drawAddress(body: Json, ipVersion: IpVersion, { resources, ids }: ComputeContext): Chosen {
  const internal = textMember(body, "loadBalancingScheme").startsWith("INTERNAL");
  const ipAddress = drawIpAddress({ ipVersion, internal }, ids, (candidate) => !resources.addresses.isTaken(candidate));
  return { ipAddress, ipVersion };
}

function reservationAt(link: string, { scope }: ResourcePlace, { resources }: ComputeContext): ComputeResource {
  const parsed = readLink(link, scope.project);
  if (parsed === undefined || parsed.collection !== "addresses")
    throw invalidValue("IPAddress", link, "Must be an IP address or the URL of a reserved one.");
  const path = resourcePath(parsed.scope, parsed.collection, parsed.name);
  return foundOrThrow(resources.get(path), () => computeErrors.notFound(path));
}

/** Checks the scope of a reserved address. A cross-region internal load balancer uses one address of each region. */
function checkReservation(reserved: ComputeResource, given: string, body: Json, { scope }: ResourcePlace): void {
  const isInternal = textMember(body, "loadBalancingScheme").startsWith("INTERNAL");
  if ((reserved.addressType === "INTERNAL") !== isInternal)
    throw invalidValue("IPAddress", given, `The address is reserved as ${reserved.addressType}.`);
  const parsed = readLink(reserved.selfLink, scope.project);
  const isInReach = parsed !== undefined && isSameScope({ ...parsed.scope, project: scope.project }, scope);
  if (!isInReach && !(isInternal && scope.region === undefined))
    throw invalidValue("IPAddress", given, "Invalid IP address specified.");
}

function checkConflict(ipAddress: string, body: Json, { path }: ResourcePlace, { resources }: ComputeContext): void {
  const holder = resources.addresses
    .rulesAt(ipAddress)
    .find(
      (rule) => pathOfResource(rule) !== path && portOf(rule) === portOf(body) && rule.IPProtocol === body.IPProtocol,
    );
  if (holder !== undefined)
    throw invalidValue("IPAddress", ipAddress, "Specified IP address is in-use and would result in a conflict.");
}
