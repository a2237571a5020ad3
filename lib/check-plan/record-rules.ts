import { isIP } from "node:net";
import { canonicalAddress } from "../hostnames";
import { asText, type Fields, fieldsOf, listOf, textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import {
  bareName,
  classicTypes,
  domainsAbove,
  domainsOf,
  issuanceConfigOf,
  isUploaded,
  managedOf,
  types,
  x509,
} from "./kinds";
import { type Change, isCreated, isDestroyed, type Resource } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { dataAttributes, unplacedName } from "./records";
import { dataOf, isTrafficRecord, type ServedNames, Zones } from "./served-names";
import type { World } from "./world";

/** The other CA that issues managed certificates of Compute Engine; a CAA record for one of the CAs is enough. */
const classicIdentity = "letsencrypt.org";

/** Reports CAA records that forbid Google to issue a managed certificate, if the plan changes either of the two. */
export function caaDangers(world: World): readonly PlanDanger[] {
  const changes = world.changes(types.record).filter(({ deposed, action, before, after }) => {
    return !deposed && action !== "no-op" && (before.type === "CAA" || after.type === "CAA");
  });
  const zones = new Zones(world);
  // CAs see no private zone.
  const isPublic = (record: Resource) => zones.viewOf(record) === "public";
  const after = setsOf(world.resourcesAfter(types.record).filter(isPublic), (address) =>
    world.isUnknown(address, "rrdatas"),
  );
  if (changes.length === 0 && after.size === 0) return [];
  const before = setsOf(world.resourcesBefore(types.record).filter(isPublic), () => false);
  const addresses = new Map(
    changes.flatMap(({ address, before: was, after: next }) =>
      [was, next].map(({ name }) => [bareName(name), address]),
    ),
  );
  const found = new Map<string, { readonly address: string; readonly owner: string; readonly domains: Set<string> }>();
  for (const held of world.resourcesAfter(types.certificate, ...classicTypes)) {
    if (isUploaded(held.type, held.values) || issuanceConfigOf(held.values) !== undefined) continue;
    for (const domain of domainsOf(held.values)) {
      const set = closest(after, domain);
      if (set === undefined || !forbids(set, domain, held)) continue;
      const was = closest(before, domain);
      if (!world.isCreatedNow(held.address) && was !== undefined && forbids(was, domain, held)) continue;
      const address = closest(addresses, domain) ?? held.address;
      const authorization = found.get(address) ?? { address, owner: set.owner, domains: new Set<string>() };
      found.set(address, authorization);
      authorization.domains.add(domain);
    }
  }
  return [...found.values()].map(({ address, owner, domains }) => {
    const names = [...domains].sort();
    const message = `the CAA records of ${owner} forbid Google Trust Services to issue for ${listed(names)}`;
    return danger("caa-forbids-issuance", address, message, { hostnames: names });
  });
}

interface CaaSet {
  readonly owner: string;
  /** As in a zone file; undefined if they are unknown. */
  readonly records: readonly string[] | undefined;
}

function setsOf(records: readonly Resource[], isUnknown: (address: string) => boolean): ReadonlyMap<string, CaaSet> {
  const sets = new Map<string, CaaSet>();
  for (const { address, values } of records) {
    if (values.type !== "CAA") continue;
    const owner = bareName(values.name);
    const isOpen = values.rrdatas === undefined || isUnknown(address);
    const caaSet = sets.get(owner);
    const known =
      isOpen || (caaSet !== undefined && caaSet.records === undefined) ? undefined : textsOf(values.rrdatas);
    // Some providers have a resource for each record.
    sets.set(owner, { owner, records: known === undefined ? undefined : [...(caaSet?.records ?? []), ...known] });
  }
  return sets;
}

/**
 * Returns the value of the closest name at or above a domain. A CA applies the closest record set in the same way
 * (RFC 8659, section 3).
 */
function closest<Value>(values: ReadonlyMap<string, Value>, domain: string): Value | undefined {
  return domainsAbove(domain).flatMap((name) => values.get(name) ?? [])[0];
}

function forbids({ records }: CaaSet, domain: string, held: Resource): boolean {
  if (records === undefined || records.length === 0) return false;
  const { caaConditions, googleIdentity, readCaa } = x509();
  const identities = [googleIdentity, ...(classicTypes.has(held.type) ? [classicIdentity] : [])];
  return identities.every((identity) => {
    const { verdict } = readCaa(domain, records, identity);
    if (verdict !== "restricted") return verdict !== "allowed";
    return caaConditions(domain, records, identity).every((conditions) => excludes(conditions, held));
  });
}

/**
 * Returns whether parameters of a CAA record (RFC 8657) exclude the CA of a managed certificate: it validates by DNS,
 * or by connections to the load balancer, and its ACME accounts are Google's own.
 */
function excludes(conditions: ReadonlyMap<string, string>, { type, values }: Resource): boolean {
  if (conditions.has("accounturi")) return true;
  const methods = conditions.get("validationmethods");
  if (methods === undefined) return false;
  const isByDns = !classicTypes.has(type) && textsOf(managedOf(values).dns_authorizations).length > 0;
  const own = classicTypes.has(type) ? connecting : isByDns ? ["dns-01"] : ["dns-01", ...connecting];
  const allowed = methods.split(",").map((method) => method.trim().toLowerCase());
  return !own.some((method) => allowed.includes(method));
}

/** Methods of domain validation that connect to the load balancer. */
const connecting = ["http-01", "tls-alpn-01"];

/**
 * Finds record sets that are created although the plan already has a set of that name and type: the google provider
 * deletes the existing set and adds its own in one change, without a warning. Only `doctor` finds sets outside of the
 * plan.
 */
export function overwriteDangers(world: World): readonly PlanDanger[] {
  const held = new Map(world.resourcesBefore(types.record).map(({ address, values }) => [keyOf(values), address]));
  return world.changes(types.record).flatMap((change) => {
    const { address, after, deposed } = change;
    // Other DNS providers refuse a record set that exists.
    if (deposed || !isCreated(change) || !/(?:^|\.)google_dns_record_set\./.test(address)) return [];
    const earlier = held.get(keyOf(after));
    if (earlier === undefined || earlier === address || isIncomplete(after.name, after.type)) return [];
    const hostname = bareName(after.name);
    const message = `${hostname} ${asText(after.type)} exists as ${earlier}, and is overwritten`;
    return [danger("record-overwritten", address, message, { hostnames: [hostname] })];
  });
}

function keyOf({ name, type, managed_zone: zone, project }: Fields): string {
  const zoneName = asText(zone ?? "").replace(/^.*\//, "");
  return JSON.stringify([bareName(name), type, zoneName, project ?? null]);
}

function isIncomplete(...fields: readonly unknown[]): boolean {
  return fields.some((field) => typeof field !== "string" || field === "");
}

/** Types of records that decide who serves a name, or whether a certificate can be issued. */
const decisive = new Set(["A", "AAAA", "ALIAS", "CAA", "CNAME", "DS", "HTTPS", "NS", "SVCB"]);

/** Reports changed records that can't be compared with the served names, because the plan lacks their zones. */
export function unplacedDangers({ world, names }: RecordWorld): readonly PlanDanger[] {
  return world.changes(types.record).flatMap(({ address, action, deposed, before, after }) => {
    const values = action === "create" ? after : before;
    const label = unplacedName(values);
    if (deposed || action === "no-op" || label === undefined || !decisive.has(asText(values.type))) return [];
    if (!names.mayHave(label)) return [];
    const what = label === "" || label === "@" ? "of a zone itself" : `'${label}'`;
    return [danger("record-zone-unknown", address, `the ${asText(values.type)} record ${what} is in an unknown zone`)];
  });
}

/**
 * Reports HTTPS and SVCB records (RFC 9460) whose targets and address hints, which clients use in place of A and AAAA,
 * lead elsewhere.
 */
export function httpsDangers({ world, names, zones }: RecordWorld): readonly PlanDanger[] {
  const changes = world.changes(types.record).filter(({ deposed, action }) => !deposed && action !== "no-op");
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const moved = new Set(changes.filter(({ after }) => isTrafficRecord(after)).map(({ after }) => bareName(after.name)));
  return world.resourcesAfter(types.record).flatMap(({ address, values }) => {
    const name = bareName(values.name);
    const isPublic = zones.viewOf({ values }) === "public";
    if (!isServiceRecord(values) || !isPublic || names.namesThrough(name).length === 0) return [];
    const places = new Set(names.resolved([name]));
    // Where clients go without the record is unknown.
    if (![...places].every((place) => isIP(place) > 0) || names.recordsAfter(name, address).some(isOpen)) return [];
    const foreign = placesOf(values, name).filter((foreignPlace) =>
      names.resolved([foreignPlace]).some((place) => !places.has(place)),
    );
    const change = byAddress.get(address);
    const added = foreign.filter((foreignPlace) => !hasPlace(change, foreignPlace, name));
    const what = `${name} ${asText(values.type)}`;
    if (change !== undefined && added.length > 0) {
      const message = `${what} leads to ${listed(added)}, and the name to ${listed([...places])}`;
      return [danger("https-record-leads-elsewhere", address, message, { hostnames: [name] })];
    }
    if (foreign.length === 0 || !moved.has(name)) return [];
    const message = `${what} stays at ${listed(foreign)}, and the name moves to ${listed([...places])}`;
    return [danger("https-record-stays", address, message, { hostnames: [name] })];
  });

  function isOpen({ address }: { readonly address: string }): boolean {
    return dataAttributes.some((attribute) => world.isUnknown(address, attribute));
  }
}

function isServiceRecord({ type }: Fields): boolean {
  return type === "HTTPS" || type === "SVCB";
}

/** Returns whether a record led to a place before its change. */
function hasPlace(change: Change | undefined, place: string, name: string): boolean {
  return change !== undefined && change.action !== "create" && placesOf(change.before, name).includes(place);
}

/** Returns the targets and address hints of a record, without the name itself. */
function placesOf(values: Fields, name: string): readonly string[] {
  const places = dataOf(values).flatMap((text) => {
    const [, target = "."] = text.trim().split(/\s+/);
    const hints = [...text.matchAll(/\bipv[46]hint="?([^"\s]+)"?/g)].flatMap(([, list = ""]) => list.split(","));
    return [bareName(target), ...hints.map((hint) => (isIP(hint) === 6 ? canonicalAddress(hint) : hint))];
  });
  return [...new Set(places)].filter((candidate) => candidate !== "" && candidate !== name);
}

const ruleType = "google_dns_response_policy_rule";

/**
 * Reports changed rules of response policies, which answer clients of some networks in place of the zones.
 */
export function responsePolicyDangers({ world, names }: RecordWorld): readonly PlanDanger[] {
  const changes = world.changes(ruleType).filter(({ deposed, action }) => !deposed && action !== "no-op");
  return changes.flatMap((change) => answersChanged(change, names));
}

function answersChanged(change: Change, names: ServedNames): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const isGone = isDestroyed(change) && action === "delete";
  const name = bareName(isGone ? before.dns_name : after.dns_name);
  const hostnames = servedBy(name, names);
  if (hostnames.length === 0) return [];
  // Without an answer of the rule, clients get the answer of the zones.
  const was = answersOf(action === "create" ? {} : before) ?? names.resolvedBefore([name]);
  const gets = isGone ? names.resolved([name]) : (answersOf(after) ?? names.resolved([name]));
  const leads = (data: readonly string[]) => data.some((datum) => names.addresses.has(datum));
  const [had, has] = [names.resolvedBefore(was), names.resolved(gets)];
  if (listed([...had].sort()) === listed([...has].sort())) return [];
  const clients = "for the clients of the policy's networks";
  const isOpen = JSON.stringify(change.unknown.local_data ?? false).includes("true");
  if (leads(had) && !leads(has) && !isOpen) {
    const message = `${name} leads to ${listed(has)} ${clients}, where no forwarding rule of the plan listens`;
    return [danger("traffic-leaves", address, message, { hostnames })];
  }
  if (leads(had) && leads(has) && has.every((place) => names.addresses.has(place))) return [];
  const message = `${name} leads to ${isOpen ? "an address that is unknown before the apply" : listed(has)} ${clients}`;
  return [danger("response-policy-changed", address, message, { hostnames })];
}

/** Returns the served names for which a rule answers; `*.` stands for all names below. */
function servedBy(name: string, names: ServedNames): readonly string[] {
  if (!name.startsWith("*.")) return name === "" ? [] : names.namesThrough(name);
  const domain = name.slice(2);
  return names.inside(domain).filter((insideName) => insideName !== domain);
}

/** Returns the addresses and targets with which a rule answers; undefined if it answers as the zones do. */
function answersOf(values: Fields): readonly string[] | undefined {
  const { local_data: local, behavior } = values;
  if (behavior === "bypassResponsePolicy") return undefined;
  const sets = listOf(local).flatMap((block) => listOf(fieldsOf(block).local_datas).map(fieldsOf));
  const leading = sets.filter(isTrafficRecord);
  return leading.length === 0 ? undefined : leading.flatMap(({ rrdatas }) => textsOf(rrdatas));
}
