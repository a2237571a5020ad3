/**
 * Deposed objects: left from an interrupted replacement, and deleted by the next apply. They are harmless only if
 * nothing uses them any more. `certificate-rules` checks deposed certificates, `record-deletions` deposed zones.
 */
import { asText, textsOf } from "../json/fields";
import { lastPart } from "../resource-names";
import { authorizedBy } from "./certificate-rules";
import { danger, listed, type PlanDanger, type PlanDangerCode } from "./dangers";
import {
  addressTypes,
  bareName,
  forwardingRuleTypes,
  hostnameOf,
  isSame,
  managedOf,
  proxyTypes,
  resourceName,
  types,
} from "./kinds";
import { mapNamed, nameOfMap } from "./lookup";
import type { Change, Resource } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { isPart } from "./records";
import { dataOf } from "./served-names";
import { isSameMap, isTakenOver, isTlsTarget, namesOf, proxyAfter, rulesAt } from "./switch-rules";
import type { World } from "./world";

/** What still uses a deposed object. */
interface Use {
  readonly code: PlanDangerCode;
  readonly why: string;
  readonly hostnames: readonly string[];
}

export function deposedDangers(surroundings: RecordWorld): readonly PlanDanger[] {
  return surroundings.world.plan.changes.flatMap((change) => {
    if (!change.deposed || change.action !== "delete") return [];
    const use = useOf(change, surroundings);
    if (use === undefined || (use.hostnames.length === 0 && use.code === "entry-deleted")) return [];
    const message = `the object that is left from an interrupted replacement is deleted, and ${use.why}`;
    return [danger(use.code, change.address, message, { hostnames: use.hostnames })];
  });
}

function useOf(change: Change, surroundings: RecordWorld): Use | undefined {
  const { address, type, before } = change;
  const { world } = surroundings;
  const held: Resource = { address, type, values: before };
  if (type === types.entry) return useOfEntry(held, world);
  if (type === types.map) return useOfMap(held, world);
  if (proxyTypes.has(type)) return useOfProxy(held, world);
  if (forwardingRuleTypes.has(type)) return useOfRule(held, world);
  if (addressTypes.has(type)) return useOfAddress(held, world);
  if (type === types.authorization) return useOfAuthorization(held, world);
  return type === types.record ? useOfRecord(held, surroundings) : undefined;
}

/** Returns whether the object is the same object in the service as the current one, for example after an import. */
function isCurrent({ address, values }: Resource, world: World): boolean {
  const { id } = values;
  return typeof id === "string" && id !== "" && world.at(address)?.values.id === id && world.isThereAfter(address);
}

function useOfEntry(held: Resource, world: World): Use | undefined {
  const map = mapNamed(held.values.map, held.values);
  if (!world.isAttached(map)) return undefined;
  const hostname = hostnameOf(held.values);
  const next = world.servedAfter.chosen(map, hostname);
  const isLost = next === undefined || world.servedAfter.isServed(map, hostname) === false || isCurrent(held, world);
  if (isLost)
    return {
      code: "entry-deleted",
      why: `the map ${map.path} has no other entry for ${hostname}`,
      hostnames: [hostname],
    };
  const why = world.whyUnready(next, hostname);
  if (why === undefined) return undefined;
  return {
    code: "entry-deleted",
    why: `${hostname} gets ${next.address}, which can't serve yet: ${why}`,
    hostnames: [hostname],
  };
}

function useOfMap(held: Resource, world: World): Use | undefined {
  const map = nameOfMap(held);
  const user = world.resourcesAfter(...proxyTypes).find((proxy) => isSameMap(world.mapAfter(proxy), map));
  const attached =
    user ??
    world.resourcesBefore(...proxyTypes).find((proxy) => {
      return world.isKept(proxy.address) && isSameMap(mapOfValues(proxy), map) && world.mapAfter(proxy) === undefined;
    });
  if (attached === undefined) return undefined;
  return { code: "map-deleted", why: `${attached.address} has this map`, hostnames: world.servedBefore.namesOf(map) };
}

function mapOfValues({ values }: Resource) {
  return values.certificate_map ? mapNamed(values.certificate_map, values) : undefined;
}

function useOfProxy(held: Resource, world: World): Use | undefined {
  const rules = world.resourcesAfter(...forwardingRuleTypes).filter(({ values }) => {
    const isKind =
      /targetSslProxies\//.test(asText(values.target)) === (held.type === "google_compute_target_ssl_proxy");
    return isTlsTarget(values.target) && isKind && lastPart(asText(values.target)) === held.values.name;
  });
  const user = rules.find((rule) => {
    const next = proxyAfter(rule, world);
    return next === undefined || isCurrent(held, world);
  });
  if (user === undefined) return undefined;
  return { code: "proxy-deleted", why: `${user.address} leads to it`, hostnames: namesOf(held.values, world) };
}

function useOfRule(held: Resource, world: World): Use | undefined {
  if (!isTlsTarget(held.values.target)) return undefined;
  const current = world.resourcesAfter(held.type).find(({ address }) => address === held.address);
  const isReplaced = current !== undefined && isTakenOver({ ...held, address: "" }, world) && !isCurrent(held, world);
  if (isReplaced) return undefined;
  const ip = asText(held.values.ip_address ?? "its address");
  return { code: "forwarding-rule-deleted", why: `no other rule listens at ${ip} in its place`, hostnames: [] };
}

function useOfAddress(held: Resource, world: World): Use | undefined {
  const ip = asText(held.values.address ?? "");
  if (ip === "") return undefined;
  const [rule] = rulesAt([ip], world);
  const record = world.resourcesAfter(types.record).find(({ values }) => dataOf(values).includes(ip));
  const user = rule ?? record;
  if (user === undefined) return undefined;
  return { code: "address-deleted", why: `${user.address} still has its address ${ip}`, hostnames: [] };
}

function useOfAuthorization(held: Resource, world: World): Use | undefined {
  const domain = bareName(held.values.domain);
  const resource = resourceName(asText(held.values.id ?? ""));
  const users = world.certificatesFor(domain).filter(({ address, values }) => {
    if (!world.isKept(address)) return false;
    return textsOf(managedOf(values).dns_authorizations).some((id) => isSame(resourceName(id), resource));
  });
  if (users.length === 0) return undefined;
  const why = `${listed(users.map(({ address }) => address))} can no longer be renewed`;
  return { code: "authorization-deleted", why, hostnames: [domain] };
}

/** A record set is its name, type and zone: a deposed object and its successor are the same set. */
function useOfRecord(held: Resource, { world, names, zones }: RecordWorld): Use | undefined {
  const { values } = held;
  const name = bareName(values.name);
  const isSameSet = (resource: Resource) =>
    bareName(resource.values.name) === name &&
    resource.values.type === values.type &&
    zones.areInOneZone(resource, held);
  const current = world.resourcesAfter(types.record).filter(isSameSet);
  if (current.length > 0 && isPart(values)) return undefined;
  const domain = authorizedBy(values);
  if (domain !== undefined) {
    const isOther = world
      .resourcesAfter(types.record)
      .some((resource) => !isSameSet(resource) && authorizedBy(resource.values) === domain);
    if (isOther || !world.hasCertificateAfter(domain)) return undefined;
    const why = `certificates for ${domain} can no longer be issued or renewed`;
    return { code: "authorization-record-deleted", why, hostnames: [domain] };
  }
  if (!names.isServedThrough(values) || (current.length === 0 && names.recordsAfter(name, "").length > 0))
    return undefined;
  return { code: "traffic-record-deleted", why: `${name} loses its ${asText(values.type)} records`, hostnames: [name] };
}
