/** NS and DS records, and the signing of zones: what leads resolvers to the records of served names. */
import { listOf, textsOf } from "../json/fields";
import { authorizedBy } from "./certificate-rules";
import { danger, listed, type PlanDanger } from "./dangers";
import { bareName, domainsAbove, hasUnknown, types } from "./kinds";
import { type Change, isCreated, isDestroyed, type Resource } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { dataAttributes, signedZone, signingTypes } from "./records";
import { dataOf, isPrivate, isTrafficRecord } from "./served-names";

export function delegationDangers(surroundings: RecordWorld): readonly PlanDanger[] {
  const { world } = surroundings;
  const records = world.changes(types.record).filter(({ deposed, action }) => !deposed && action !== "no-op");
  const isOf = (type: string) => (change: Change) => change.before.type === type || change.after.type === type;
  return [
    ...records.filter(isOf("NS")).flatMap((change) => delegationChanged(change, surroundings)),
    ...records.filter(isOf("DS")).flatMap((change) => signatureChanged(change, surroundings)),
    ...world.changes(types.zone).flatMap((change) => zoneUnsigned(change, surroundings)),
    ...world.changes(...signingTypes).flatMap((change) => signingEnded(change, surroundings)),
  ];
}

function delegationChanged(change: Change, surroundings: RecordWorld): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const name = bareName(after.name) || bareName(before.name);
  const values = action === "create" ? after : before;
  const zone = surroundings.zones.zoneOf({ values });
  // The NS records of a zone at its own origin delegate nothing.
  if (zone !== undefined && (bareName(zone.values.dns_name) === name || isPrivate(zone))) return [];
  const hostnames = namesAt(name, surroundings);
  if (hostnames.length === 0) return [];
  const what = `${name}, with the names of ${listed(hostnames)},`;
  if (isDestroyed(change)) {
    if (action === "delete" && hasRecords(hostnames, zone, surroundings)) return [];
    return [danger("delegation-deleted", address, `${what} is no longer delegated`, { hostnames })];
  }
  if (action === "update" && isSameData(change)) return [];
  if (surroundings.zones.at(name).some((resource) => isReadyZone(resource, change, hostnames, surroundings))) return [];
  if (action === "update") {
    const message = `${what} is delegated to ${listed(dataOf(after)) || "other name servers"}`;
    return [danger("delegation-changed", address, message, { hostnames })];
  }
  if (hostnames.every((hostname) => surroundings.names.isNew(hostname))) return [];
  return [danger("delegation-hides-records", address, `${what} is delegated to other name servers`, { hostnames })];
}

/** Returns the served names, and the names of DNS authorizations, at and below a domain. */
function namesAt(domain: string, { names, world }: RecordWorld): readonly string[] {
  const authorized = [
    ...world.resourcesBefore(types.authorization).map(({ values }) => bareName(values.domain)),
    ...world.resourcesBefore(types.record).flatMap(({ values }) => authorizedBy(values) ?? []),
  ];
  const challenges = authorized.filter((hostname) => {
    return hostname !== "" && domainsAbove(`_acme-challenge.${hostname}`).includes(domain);
  });
  return [...new Set([...names.inside(domain), ...challenges])].sort();
}

/** Returns whether a zone keeps, for each of these names that has records, records of the name. */
function hasRecords(hostnames: readonly string[], zone: Resource | undefined, { world, zones }: RecordWorld): boolean {
  if (zone === undefined) return false;
  const kept = world.resourcesAfter(types.record).filter((held) => {
    return world.isKept(held.address) && zones.zoneOf(held)?.address === zone.address;
  });
  const owners = new Set(kept.flatMap(({ values }) => (isTrafficRecord(values) ? bareName(values.name) : [])));
  const authorized = new Set(kept.flatMap(({ values }) => authorizedBy(values) ?? []));
  const recordsBefore = world.resourcesBefore(types.record);
  return hostnames.every((name) => {
    const isRecord = recordsBefore.some(({ values }) => isTrafficRecord(values) && bareName(values.name) === name);
    const isAuthorized = recordsBefore.some(({ values }) => authorizedBy(values) === name);
    if (!isRecord && !isAuthorized) return false;
    return (!isRecord || owners.has(name)) && (!isAuthorized || authorized.has(name));
  });
}

/** Returns whether a record delegates to a zone of the plan that already has the records of these names. */
function isReadyZone(zone: Resource, change: Change, hostnames: readonly string[], surroundings: RecordWorld): boolean {
  const { world } = surroundings;
  const servers = textsOf(zone.values.name_servers).map(bareName).sort();
  const data = dataOf(change.after).map(bareName).sort();
  const isTarget =
    servers.length > 0 && data.length > 0
      ? servers.join() === data.join()
      : dataAttributes.some((dataAttribute) => {
          return world.sourcesOf(change.address, dataAttribute, new Set([types.zone])).includes(zone.address);
        });
  return isTarget && !isPrivate(zone) && hasRecords(hostnames, zone, surroundings);
}

function signatureChanged(change: Change, surroundings: RecordWorld): readonly PlanDanger[] {
  const { address, action, after, before, unknown } = change;
  const { world, zones } = surroundings;
  const name = bareName(after.name) || bareName(before.name);
  const hostnames = namesAt(name, surroundings);
  // Without a DS record, resolvers validate nothing.
  if (hostnames.length === 0 || action === "delete") return [];
  const nameServerRecords = world.resourcesBefore(types.record).filter(({ values }) => {
    return values.type === "DS" && bareName(values.name) === name;
  });
  if (nameServerRecords.length > 0) {
    const had = new Set(nameServerRecords.flatMap(({ values }) => keysOf(values)));
    const isOpen = dataAttributes.some((dataAttribute) => hasUnknown(unknown[dataAttribute]));
    const isKept = nameServerRecords.some((resource) => resource.address !== address && world.isKept(resource.address));
    if (isOpen || isKept || keysOf(after).some((key) => had.has(key))) return [];
    const message = `the DS record of ${name} is replaced, with the names of ${listed(hostnames)}`;
    return [danger("dnssec-broken", address, message, { hostnames })];
  }
  const signed = zones.at(name).filter((zone) => !isPrivate(zone));
  if (signed.some((zone) => isSigned(zone.values) && world.isKept(zone.address))) return [];
  const isUnsigned = signed.length > 0 && signed.every((zone) => zone.values.dnssec_config !== undefined);
  const message = `${name} gets a DS record, with the names of ${listed(hostnames)}`;
  if (!isUnsigned) return [danger("dnssec-unchecked", address, message, { hostnames })];
  return [danger("dnssec-broken", address, `${message}, and its zone is not signed`, { hostnames })];
}

/** Returns the keys of a DS record in one spelling. */
function keysOf(values: Resource["values"]): readonly string[] {
  return dataOf(values).map((datum) => datum.toLowerCase().trim().replace(/\s+/g, " "));
}

function zoneUnsigned(change: Change, { names }: RecordWorld): readonly PlanDanger[] {
  const { address, action, before, after, unknown } = change;
  const isOpen =
    JSON.stringify(unknown.dnssec_config ?? false).includes("true") && listOf(after.dnssec_config).length === 0;
  if (action !== "update" || !isSigned(before) || isSigned(after) || isOpen || isPrivate({ values: before })) return [];
  return unsigned(address, bareName(before.dns_name), names.inside(bareName(before.dns_name)));
}

/** Checks the resources with which other providers sign a zone. */
function signingEnded(change: Change, { names, zones }: RecordWorld): readonly PlanDanger[] {
  const { address, type, action, before, after } = change;
  const was = signedZone(type, before);
  if (was === undefined || isCreated(change)) return [];
  if (action !== "delete" && signedZone(type, after) !== undefined) return [];
  const origin = bareName(zones.zoneOf({ values: { managed_zone: was } })?.values.dns_name);
  return origin === "" ? [] : unsigned(address, origin, names.inside(origin));
}

function unsigned(address: string, origin: string, hostnames: readonly string[]): readonly PlanDanger[] {
  if (hostnames.length === 0) return [];
  const message = `the zone ${origin} is no longer signed, with the names of ${listed(hostnames)}`;
  return [danger("dnssec-disabled", address, message, { hostnames })];
}

/** Returns whether a zone is signed; in the state `transfer`, its signatures stay. */
function isSigned({ dnssec_config: config }: Resource["values"]): boolean {
  const [first] = listOf(config) as readonly { readonly state?: unknown }[];
  return first?.state === "on" || first?.state === "transfer";
}

function isSameData({ before, after, unknown }: Change): boolean {
  if (dataAttributes.some((dataAttribute) => hasUnknown(unknown[dataAttribute]))) return false;
  const text = (values: Resource["values"]) => dataOf(values).map(bareName).sort().join();
  return text(before) === text(after);
}
