/** Deleted and replaced address records, and deleted zones. */
import { asText } from "../json/fields";
import { danger, listed, type PlanDanger, type PlanDangerCode } from "./dangers";
import { bareName, forwardingRuleTypes, proxyTypes } from "./kinds";
import { type Change, isDestroyed, type Resource } from "./plan-json";
import { aliasTypes, dataOf, isTrafficRecord, type ServedNames, type Zones } from "./served-names";
import { mapOf, proxyAt } from "./switch-rules";
import type { World } from "./world";

/** What rules for records need. */
export interface RecordWorld {
  readonly world: World;
  readonly names: ServedNames;
  readonly zones: Zones;
}

export function zoneDeleted(change: Change, names: ServedNames): readonly PlanDanger[] {
  if (!isDestroyed(change)) return [];
  const origin = bareName(change.before.dns_name);
  const inside = origin === "" ? [] : names.inside(origin);
  if (inside.length === 0) return [];
  const what = change.deposed ? ", which is left from an interrupted replacement," : "";
  const message = `the zone ${origin}${what} is deleted, with the names of ${listed(inside)}`;
  return [danger("zone-deleted", change.address, message, { hostnames: inside })];
}

/** Checks a deleted or replaced record by the records of its name that the same clients use after the apply. */
export function recordDeleted(change: Change, surroundings: RecordWorld): readonly PlanDanger[] {
  const { address, type, action, before, after } = change;
  const { world, names, zones } = surroundings;
  const held: Resource = { address, type, values: before };
  if (!isDestroyed(change) || !isServing(before, world, names)) return [];
  const name = bareName(before.name);
  const what = `${asText(before.name)} ${asText(before.type)}`;
  const finding = (code: PlanDangerCode, why: string) => [
    danger(code, address, `${what} ${why}`, { hostnames: [name] }),
  ];
  if (action !== "delete" && bareName(after.name) === name) {
    return finding("traffic-record-replaced", "is replaced: between deletion and creation the name does not resolve");
  }
  const view = zones.viewOf(held);
  const isForSameClients = (resource: Resource) => zones.viewOf(resource) === view;
  const kept = names
    .otherRecords(name, address)
    .filter((otherRecord) => world.isKept(otherRecord.address) && isForSameClients(otherRecord));
  if (kept.length > 0) return besideKept(change, kept, surroundings);
  if (names.recordsAfter(name, address).some(isForSameClients)) {
    const why = "is deleted and another record is created: in between the name does not resolve";
    return finding("traffic-record-replaced", why);
  }
  const clients = view === "public" ? "" : ` for the clients of its private zone`;
  return finding("traffic-record-deleted", `is deleted, and the name no longer resolves${clients}`);
}

/** Checks a deleted record whose name keeps other records. */
function besideKept(change: Change, kept: readonly Resource[], { names, zones }: RecordWorld): readonly PlanDanger[] {
  const { address, type, before } = change;
  const name = bareName(before.name);
  const what = `${asText(before.name)} ${asText(before.type)}`;
  const own: Resource = { address, type, values: before };
  const alike = kept.filter(({ values }) => values.type === before.type || aliasTypes.has(asText(values.type)));
  const inZone = alike.filter((resource) => zones.areInOneZone(resource, own));
  const leads = (values: Resource["values"]) =>
    names.resolvedBefore(dataOf(values)).some((address) => names.addresses.has(address));
  if (inZone.length > 0) {
    if (!leads(before) || inZone.some(({ values }) => leads(values))) return [];
    const message = `${what} with the address of the load balancer is deleted; the name keeps ${listed(inZone.flatMap(({ values }) => dataOf(values)))}`;
    return [danger("traffic-leaves", address, message, { hostnames: [name] })];
  }
  if (alike.length > 0) {
    const message = `${what} is deleted in one zone, and stays in another zone of the plan`;
    return [danger("traffic-record-deleted-in-zone", address, message, { hostnames: [name] })];
  }
  const code = before.type === "A" ? "traffic-ipv4-deleted" : "traffic-address-family-deleted";
  const message = `${what} is deleted; the name keeps only ${listed([...new Set(kept.map(({ values }) => asText(values.type)))])} records`;
  return [danger(code, address, message, { hostnames: [name] })];
}

/**
 * Returns whether clients of a served name use a record: an entry or a certificate is for the name, or the record leads
 * to a proxy whose map has an entry for the name, also PRIMARY.
 */
function isServing(record: Resource["values"], world: World, names: ServedNames): boolean {
  if (names.isServedThrough(record)) return true;
  if (!isTrafficRecord(record)) return false;
  const data = names.resolvedBefore(dataOf(record));
  const proxiesBefore = world.resourcesBefore(...proxyTypes);
  const proxies = world
    .resourcesBefore(...forwardingRuleTypes)
    .filter(({ values }) => typeof values.ip_address === "string" && data.includes(values.ip_address))
    .flatMap(({ values }) => proxyAt(asText(values.target ?? ""), proxiesBefore) ?? []);
  return proxies.some((proxy) => {
    const map = mapOf(proxy.values);
    if (map === undefined) return false;
    return names.clientNames(bareName(record.name)).some((name) => world.servedBefore.chosen(map, name) !== undefined);
  });
}
