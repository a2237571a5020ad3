import { asText, type Fields, listOf } from "../json/fields";
import { authorizedBy } from "./certificate-rules";
import { danger, listed, type PlanDanger } from "./dangers";
import { addressTypes, bareName, forwardingRuleTypes, hasUnknown, proxyTypes, types } from "./kinds";
import { coverName } from "./lookup";
import { type Change, isCreated, isDeleted, type Resource } from "./plan-json";
import { type RecordWorld, recordDeleted, zoneDeleted } from "./record-deletions";
import { dataAttributes, isSameSet, proxyService } from "./records";
import { dataOf, isTrafficRecord, type ServedNames } from "./served-names";
import {
  certificateAttributes,
  directCertificates,
  isTlsTarget,
  isWithoutRule,
  mayAcceptTls,
  presents,
  proxyAfter,
  proxyAt,
  rulesAt,
} from "./switch-rules";
import type { World } from "./world";

/** Checks step 8, the address records of served names: changed in place, and only after the verification. */
export function trafficDangers({ world, names, zones }: RecordWorld): readonly PlanDanger[] {
  const building = world.plan.changes.find(isBuilding)?.address;
  const surroundings = { world, names, building, zones };
  const records = world.changes(types.record).filter(({ deposed }) => !deposed);
  const served = records.filter(({ before, after }) => names.isServedThrough(before) || names.isServedThrough(after));
  const gone = new Set(served.filter(isDeleted).map(({ before }) => bareName(before.name)));
  const moved = served.flatMap((change) => [
    ...recordMoved(change, surroundings),
    ...(gone.has(bareName(change.after.name)) ? [] : recordCreated(change, surroundings)),
  ]);
  const refused = new Set(moved.filter(({ severity }) => severity === "error").map(({ subject }) => subject));
  const unserved = records
    .filter(({ address }) => !refused.has(address))
    .flatMap((change) => unservedDangers(change, surroundings));
  const proxied = records.flatMap(recordProxied(surroundings));
  const replaced = new Set([...unserved, ...proxied].map(({ subject }) => subject));
  return [
    ...records.flatMap((change) => recordDeleted(change, surroundings)),
    ...proxied,
    ...moved.filter(({ subject }) => !replaced.has(subject)),
    ...unserved,
    ...world.changes(types.zone).flatMap((change) => zoneDeleted(change, names)),
  ];
}

interface Surroundings extends RecordWorld {
  /** Address of a resource of the load balancer that this apply creates or changes. */
  readonly building: string | undefined;
}

function recordMoved(change: Change, surroundings: Surroundings): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const { names, world } = surroundings;
  if (action !== "update" || sameData(before, after)) return [];
  const name = asText(after.name ?? before.name);
  const hostnames = [bareName(name)];
  if (isEmptied(change)) {
    const message = `${name} keeps no address and no longer resolves`;
    return [danger("traffic-record-deleted", address, message, { hostnames })];
  }
  const split = splitTraffic(change, world, names);
  if (split !== undefined) return [danger("traffic-split", address, `${name} leads to ${split}`, { hostnames })];
  if (leavesBalancer(before, after, names)) {
    const message = `${name} moves to ${targetsOf(after)}, where no forwarding rule of the plan listens`;
    return [danger("traffic-leaves", address, message, { hostnames })];
  }
  return checkMovedTraffic(change, surroundings, "traffic-moves", `${name} moves`);
}

/** Checks a new record of a name that has no such record in the plan. */
function recordCreated(change: Change, surroundings: Surroundings): readonly PlanDanger[] {
  const { address, action, after } = change;
  const { names, world } = surroundings;
  const name = bareName(after.name);
  // No client uses a name without a previous address.
  if (action !== "create" || !isTrafficRecord(after) || names.namesThrough(name).length === 0) return [];
  const split = splitTraffic(change, world, names);
  if (split !== undefined) {
    return [danger("traffic-split", address, `${asText(after.name)} leads to ${split}`, { hostnames: [name] })];
  }
  const data = names.resolved(dataOf(after));
  if (data.length > 0 && names.areAddressesKnown && names.addresses.size > 0) {
    if (!data.some((datum) => names.addresses.has(datum))) return [];
  }
  const what = `${asText(after.name)} gets ${asText(after.type)} records`;
  return checkMovedTraffic(change, surroundings, "traffic-appears", what);
}

function targetsOf(record: Fields): string {
  return dataOf(record).join(", ") || "an address that is unknown before the apply";
}

/** Checks whether the load balancer can serve clients that move to it. */
function checkMovedTraffic(
  { address, after }: Change,
  { world, names, building }: Surroundings,
  code: "traffic-moves" | "traffic-appears",
  what: string,
): readonly PlanDanger[] {
  if (world.isGated(address)) return [];
  const unready = whyUnready(bareName(after.name), names.resolved(dataOf(after)), world, names);
  const hostnames = [bareName(after.name)];
  if (unready !== undefined) {
    return [danger("traffic-before-verification", address, `${what} while ${unready}`, { hostnames })];
  }
  // No client uses a name that is new in all zones.
  if (building === undefined || (code === "traffic-appears" && names.isNew(bareName(after.name)))) {
    return [danger(code, address, `${what}, to ${targetsOf(after)}`, { hostnames })];
  }
  const message = `${what} in the same apply that changes ${building}`;
  return [danger("traffic-before-verification", address, message, { hostnames })];
}

/** Describes a record set with addresses of the load balancer and unknown addresses; undefined for other sets. */
function splitTraffic(
  { address, before, after, unknown }: Change,
  world: World,
  names: ServedNames,
): string | undefined {
  if (after.type !== "A" && after.type !== "AAAA") return undefined;
  const name = bareName(after.name);
  const others = (held: readonly Resource[]) => {
    return held.filter(({ values }) => isSameSet(values, after)).flatMap(({ values }) => dataOf(values));
  };
  const data = dataOf(after);
  const all = new Set([...data, ...others(names.recordsAfter(name, address))]);
  const balancer = [...all].filter((address) => names.addresses.has(address));
  if (balancer.length === 0) return undefined;
  const there = new Set([...dataOf(before), ...others(names.otherRecords(name, address))]);
  const strange = data.filter((datum) => !names.isKnown(datum) && !there.has(datum));
  if (strange.length > 0) {
    return `${listed(balancer)} of the load balancer and to ${listed(strange)}, which the plan does not contain`;
  }
  if (!dataAttributes.some((dataAttribute) => hasUnknown(unknown[dataAttribute])) || leadsToRules(address, world))
    return undefined;
  return `${listed(balancer)} of the load balancer and to an address that is unknown before the apply and belongs to no forwarding rule`;
}

/** Returns whether the addresses that a record gets in this apply belong to forwarding rules. */
function leadsToRules(address: string, world: World): boolean {
  const wanted = new Set([...addressTypes, ...forwardingRuleTypes]);
  const made = dataAttributes
    .flatMap((attribute) => world.sourcesOf(address, attribute, wanted))
    .filter((one) => world.isCreatedNow(one));
  const rules = world.resourcesAfter(...forwardingRuleTypes).map((rule) => rule.address);
  const used = new Set([...rules, ...rules.flatMap((rule) => world.sourcesOf(rule, "ip_address", addressTypes))]);
  return made.length > 0 && made.every((one) => used.has(one));
}

/** Returns why the load balancer can't serve traffic to these addresses yet; undefined if it can, or if unknown. */
function whyUnready(record: string, targets: readonly string[], world: World, names: ServedNames): string | undefined {
  const there = world.resourcesBefore(...proxyTypes);
  const proxies = world
    .resourcesBefore(...forwardingRuleTypes)
    .filter(({ values }) => targets.includes(asText(values.ip_address)) && isTlsTarget(values.target))
    .flatMap(({ values }) => proxyAt(asText(values.target), there) ?? []);
  const bare = proxies.find((proxy) => !presents(proxy, world));
  if (bare !== undefined) return `${bare.address} has neither a map nor certificates`;
  const maps = proxies.flatMap((proxy) => world.mapAfter(proxy) ?? []);
  for (const name of names.namesThrough(record)) {
    for (const map of maps) {
      const entry = world.servedBefore.chosen(map, name);
      const why = entry === undefined ? undefined : world.whyUnready(entry);
      if (entry !== undefined && why !== undefined) return `${why} (${entry.address})`;
      if (entry === undefined && world.holdsMap(map)) return `the map ${map.path} has no entry for ${name}`;
    }
    // It is unknown which proxy serves the address, so any entry for the name that can't serve counts.
    const lone = proxies.length === 0 ? world.servedBefore.chosenFromAnyMap(name) : undefined;
    const why = lone === undefined ? undefined : world.whyUnready(lone);
    if (lone !== undefined && why !== undefined) return `${why} (${lone.address})`;
  }
  for (const { values } of proxies.filter((proxy) => world.mapAfter(proxy) === undefined)) {
    for (const id of directCertificates(values)) {
      const state = world.certificateState(id);
      if (state !== undefined && state !== "ACTIVE") return `the certificate ${id} is ${state}`;
    }
  }
  return undefined;
}

/** Fields whose changes don't affect traffic. */
const unserved = new Set([
  "description",
  "effective_labels",
  "fingerprint",
  "label_fingerprint",
  "labels",
  "state",
  "terraform_labels",
  "timeouts",
  "update_time",
]);

/** Returns whether the apply creates or changes a resource of the load balancer. */
function isBuilding(change: Change): boolean {
  const { type, action, deposed, before, after, unknown } = change;
  const own: readonly string[] = [types.certificate, types.map, types.entry];
  if (deposed || !(own.includes(type) || proxyTypes.has(type) || forwardingRuleTypes.has(type))) return false;
  if (action !== "update") return isCreated(change);
  const fields = new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(unknown)]);
  return [...fields].some((field) => {
    if (unserved.has(field)) return false;
    return JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  });
}

/** Returns whether a record changes from an address of the load balancer to other addresses. */
function leavesBalancer(before: Fields, after: Fields, names: ServedNames): boolean {
  const known = names.resolved(dataOf(after));
  return (
    known.length > 0 &&
    names.resolvedBefore(dataOf(before)).some((address) => names.addresses.has(address)) &&
    !known.some((address) => names.addresses.has(address))
  );
}

/** Returns whether a record set keeps no data. */
function isEmptied({ before, after, unknown }: Change): boolean {
  const { ttl, id, ...data } = unknown;
  if (JSON.stringify(data).includes("true") || dataOf(before).length === 0) return false;
  return listOf(after.rrdatas).length === 0 && listOf(after.routing_policy).length === 0;
}

function sameData(before: Fields, after: Fields): boolean {
  const shown = ({ rrdatas, routing_policy: policy }: Fields) =>
    JSON.stringify([[...listOf(rrdatas)].sort(), listOf(policy)]);
  return shown(before) === shown(after) && proxyService(before) === proxyService(after);
}

/**
 * Checks the addresses that a record gets and that its name did not have: whether a certificate for the name is there,
 * and whether a forwarding rule accepts TLS connections.
 */
function unservedDangers(change: Change, surroundings: RecordWorld): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const { world, names, zones } = surroundings;
  const isMove = action === "update" || (action === "create" && names.resolvesBefore(bareName(after.name)));
  if (!isMove || !isTrafficRecord(after)) return [];
  const name = bareName(after.name);
  const had = new Set(names.resolvedBefore(dataOf(before)));
  const gets = names.resolved(dataOf(after)).filter((one) => !had.has(one));
  const what = `${asText(after.name)} moves to`;
  const deaf = gets.flatMap((get) => whyDeaf(get, world)).concat(whyOpenDeaf(change, world));
  if (deaf.length > 0) {
    return [danger("traffic-to-no-listener", address, `${what} ${listed(deaf)}`, { hostnames: [name] })];
  }
  const proxies = rulesAt(gets, world).flatMap((rule) => proxyAfter(rule, world) ?? []);
  const isPublic = zones.viewOf({ values: after }) === "public";
  const missing = proxies.flatMap((proxy) => {
    return isPublic ? names.clientNames(name).filter((clientName) => isUnserved(proxy, clientName, surroundings)) : [];
  });
  if (missing.length === 0) return [];
  const hostnames = [...new Set(missing)];
  const message = `${what} ${listed(gets)}, where no certificate is for ${listed(hostnames)}`;
  return [danger("traffic-to-unserved-name", address, message, { hostnames })];
}

/** Returns why nothing accepts TLS connections at an address; empty if something may accept them. */
function whyDeaf(ip: string, world: World): readonly string[] {
  const rules = rulesAt([ip], world);
  if (rules.length > 0) {
    return rules.some(mayAcceptTls)
      ? []
      : [`${ip}, where ${listed(rules.map(({ address }) => address))} accepts no TLS`];
  }
  const reserved = world.resourcesAfter(...addressTypes).find(({ values }) => values.address === ip);
  return reserved !== undefined && isWithoutRule(reserved, world)
    ? [`${ip} (${reserved.address}), where no forwarding rule listens`]
    : [];
}

/** Returns the same for data that is unknown before the apply, by the references in the configuration. */
function whyOpenDeaf({ address, unknown }: Change, world: World): readonly string[] {
  const open = dataAttributes.filter((attribute) => unknown[attribute] !== undefined && unknown[attribute] !== false);
  const wanted = new Set([...addressTypes, ...forwardingRuleTypes]);
  const sources = open.flatMap((attribute) => world.sourcesOf(address, attribute, wanted));
  const after = new Map(world.resourcesAfter(...wanted).map((held) => [held.address, held]));
  return sources.flatMap((source) => {
    const held = after.get(source);
    if (held === undefined) return [];
    if (forwardingRuleTypes.has(held.type)) return mayAcceptTls(held) ? [] : [`${source}, which accepts no TLS`];
    const rules = [...forwardingRuleTypes]
      .flatMap((type) => world.resourcesAfter(type))
      .filter((rule) => {
        return world.sourcesOf(rule.address, "ip_address", addressTypes).includes(source);
      });
    if (rules.length > 0) return rules.some(mayAcceptTls) ? [] : [`${source}, where no forwarding rule accepts TLS`];
    return isWithoutRule(held, world) ? [`${source}, where no forwarding rule listens`] : [];
  });
}

/** Returns whether a proxy certainly has no certificate for a name after the apply. */
function isUnserved(proxy: Resource, name: string, { world, names }: RecordWorld): boolean {
  // Clients of a wildcard record request names below it.
  if (name.startsWith("*.") && names.namesThrough(name).length > 0) return false;
  const map = world.mapAfter(proxy);
  if (map !== undefined) return world.holdsMap(map) && world.servedAfter.isServed(map, name) === false;
  if (proxy.values.certificate_map || world.isUnknown(proxy.address, "certificate_map")) return false;
  const direct = certificateAttributes.flatMap((attribute) => world.domainsAfter(proxy, attribute));
  return direct.length > 0 && coverName(direct, name) === false;
}

/** Returns a rule for records whose provider begins to answer with the addresses of its own proxies. */
function recordProxied({ names }: RecordWorld): (change: Change) => readonly PlanDanger[] {
  return ({ address, action, before, after }) => {
    const service = proxyService(after);
    if (action === "delete" || service === undefined || proxyService(before) !== undefined) return [];
    const name = bareName(after.name);
    const domain = authorizedBy(after) ?? authorizedBy(before);
    if (domain !== undefined) {
      const message = `${name} gets addresses of ${service} in place of its CNAME, and certificates for ${domain} can no longer be issued or renewed`;
      return [danger("authorization-record-proxied", address, message, { hostnames: [domain] })];
    }
    if (action === "create" && !names.resolvesBefore(name)) return [];
    if (!names.isServedThrough(after)) return [];
    const message = `clients of ${name} connect to ${service} in place of ${listed(dataOf(after)) || "the record's data"}`;
    return [danger("traffic-record-proxied", address, message, { hostnames: names.clientNames(name) })];
  };
}
