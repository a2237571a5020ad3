import { authorizedBy } from "./certificate-rules";
import { danger, type PlanDanger } from "./dangers";
import { type Fields, fieldsOf, listOf, textsOf } from "./fields";
import type { Change } from "./plan-json";
import { bestOf, directCertificates, isTlsTarget, presents, proxyAt } from "./switch-rules";
import {
  bareName,
  domainsOf,
  forwardingRuleTypes,
  type Held,
  hostnameOf,
  isMade,
  lastOf,
  proxyTypes,
  serves,
  types,
  type World,
} from "./world";

/** Step 8: address records of names that are served are changed in place, and only once what they lead to has been verified. */
export function trafficDangers(world: World): readonly PlanDanger[] {
  const isServed = servedNames(world);
  return [
    ...world
      .changes(types.record)
      .filter(({ deposed, before, after }) => !deposed && (isServed(before) || isServed(after)))
      .flatMap((change) => [...recordGone(change, world), ...recordMoved(change, world)]),
    ...world.changes(types.zone).flatMap((change) => zoneGone(change, world)),
  ];
}

function zoneGone({ address, action, before, deposed }: Change, world: World): readonly PlanDanger[] {
  if (deposed || (action !== "delete" && action !== "deleteThenCreate")) return [];
  const origin = bareName(before.dns_name);
  const names = servedPatterns(world).map((pattern) => pattern.replace(/^\*\./, ""));
  const inside = names.filter((name) => name === origin || name.endsWith(`.${origin}`));
  if (origin === "" || inside.length === 0) return [];
  const listed = [...new Set(inside)].sort().slice(0, 5).join(", ");
  return [danger("zone-deleted", address, `the zone ${origin} is deleted, with the names of ${listed}`)];
}

/** What entries and certificates are for. */
function servedPatterns({ before, after }: World): readonly string[] {
  return [...before, ...after].flatMap(({ type, values }) => {
    if (type === types.entry) return [hostnameOf(values)];
    return type === types.certificate ? domainsOf(values) : [];
  });
}

const addressTypes = new Set(["A", "AAAA", "CNAME"]);

/** Judges records: those of served names, and those that aliases of served names lead to. */
function servedNames(world: World): (record: Fields) => boolean {
  const held = [...world.before, ...world.after];
  const patterns = servedPatterns(world);
  const direct = (record: Fields) =>
    addressTypes.has(String(record.type)) &&
    authorizedBy(record) === undefined &&
    patterns.some((pattern) => isBehind(pattern, bareName(record.name), world));
  const aliases = new Set(
    held
      .filter(({ type, values }) => type === types.record && values.type === "CNAME" && direct(values))
      .flatMap(({ values }) => dataOf(values).map(bareName)),
  );
  return (record) => direct(record) || (addressTypes.has(String(record.type)) && aliases.has(bareName(record.name)));
}

function recordGone({ address, action, before }: Change, world: World): readonly PlanDanger[] {
  const what = `${String(before.name)} ${String(before.type)}`;
  if (action === "createThenDelete" || action === "deleteThenCreate") {
    return [
      danger("traffic-record-replaced", address, `${what} is replaced, and for a moment the name resolves to nothing`),
    ];
  }
  if (action !== "delete") return [];
  const kept = (held: World["before"]) =>
    held.filter(
      ({ type, values, address: other }) =>
        type === types.record &&
        other !== address &&
        bareName(values.name) === bareName(before.name) &&
        addressTypes.has(String(values.type)),
    );
  const stays = kept(world.before).some(({ address: other }) => world.after.some((held) => held.address === other));
  if (stays)
    return [danger("traffic-address-family-deleted", address, `${what} is deleted; another record of the name stays`)];
  if (kept(world.after).length > 0) {
    return [
      danger(
        "traffic-record-replaced",
        address,
        `${what} is deleted and another record made: in between the name resolves to nothing`,
      ),
    ];
  }
  return [danger("traffic-record-deleted", address, `${what} is deleted, and the name resolves to nothing`)];
}

function recordMoved(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  if (action !== "update" || sameData(before, after)) return [];
  const name = String(after.name ?? before.name);
  if (isEmptied(change)) {
    return [danger("traffic-record-deleted", address, `${name} keeps no address, and resolves to nothing`)];
  }
  const led = dataOf(after).join(", ") || "what is not known yet";
  if (leavesBalancer(before, after, world)) {
    return [danger("traffic-leaves", address, `${name} moves to ${led}, where no forwarding rule of the plan listens`)];
  }
  if (world.isGated(address)) return [];
  const unready = whyUnready(bareName(name), dataOf(after), world);
  if (unready !== undefined) {
    return [danger("traffic-before-verification", address, `${name} moves while ${unready}`)];
  }
  const building = world.plan.changes.find(
    (other) => !other.deposed && isServing(other.type) && (isMade(other) || other.action === "update"),
  );
  if (building === undefined) return [danger("traffic-moves", address, `${name} moves to ${led}`)];
  return [
    danger("traffic-before-verification", address, `${name} moves in the same apply that changes ${building.address}`),
  ];
}

/** Why the load balancer can't serve yet what is led to these addresses; `undefined` where it can, or nobody can say. */
function whyUnready(record: string, targets: readonly string[], world: World): string | undefined {
  const proxies = world.before
    .filter(({ type, values }) => forwardingRuleTypes.has(type) && targets.includes(String(values.ip_address)))
    .filter(({ values }) => isTlsTarget(values.target))
    .flatMap(({ values }) => proxyAt(String(values.target), world.before) ?? []);
  const bare = proxies.find((proxy) => !presents(proxy, world));
  if (bare !== undefined) return `${bare.address} has neither a map nor certificates`;
  const maps = proxies.map((proxy) => world.mapAfter(proxy));
  const isThere = ({ type, values }: Held) =>
    type === types.entry && (maps.length === 0 || maps.includes(lastOf(String(values.map ?? ""))));
  const entries = world.before.filter(isThere);
  for (const name of namesLedBy(record, world)) {
    const entry = bestOf(entries, name) ?? entries.find(({ values }) => hostnameOf(values) === "PRIMARY");
    const why = entry === undefined ? undefined : world.whyUnready(entry);
    if (entry !== undefined && why !== undefined) return `${why} (${entry.address})`;
    const lacking = maps.find((map) =>
      world.before.some(({ type, values }) => type === types.map && values.name === map),
    );
    if (entry === undefined && lacking !== undefined) return `the map ${lacking} has no entry for ${name}`;
  }
  for (const id of proxies
    .filter((_, index) => maps[index] === undefined)
    .flatMap(({ values }) => directCertificates(values))) {
    const state = world.certificateState(id);
    if (state !== undefined && state !== "ACTIVE") return `the certificate ${id} is ${state}`;
  }
  return undefined;
}

/** The served names whose traffic goes where a record leads: its own, those of a wildcard, and those of aliases that lead to it. */
function namesLedBy(record: string, world: World): readonly string[] {
  const isAlias = ({ type, values }: Held) =>
    type === types.record && values.type === "CNAME" && dataOf(values).map(bareName).includes(record);
  const owners = [record, ...world.before.filter(isAlias).map(({ values }) => bareName(values.name))];
  const patterns = servedPatterns(world);
  return owners.flatMap((owner) => {
    if (patterns.some((pattern) => serves(pattern, owner))) return [owner];
    return patterns.filter((pattern) => isBehind(pattern, owner, world));
  });
}

/** Whether a served name resolves by the record of a name: its own, or a wildcard that no record of its own goes before. */
function isBehind(pattern: string, record: string, world: World): boolean {
  if (serves(pattern, record)) return true;
  if (!record.startsWith("*.") || !pattern.replace(/^\*\./, "").endsWith(record.slice(1))) return false;
  return !world.before.some(
    ({ type, values }) =>
      type === types.record && addressTypes.has(String(values.type)) && bareName(values.name) === pattern,
  );
}

function isServing(type: string): boolean {
  const own: readonly string[] = [types.certificate, types.map, types.entry];
  return own.includes(type) || proxyTypes.has(type) || forwardingRuleTypes.has(type);
}

/** From an address of the load balancer to none of its own: back to where the records were, or away. */
function leavesBalancer(before: Fields, after: Fields, world: World): boolean {
  const addresses = new Set(
    [...world.before, ...world.after]
      .filter(({ type }) => forwardingRuleTypes.has(type))
      .map(({ values }) => String(values.ip_address)),
  );
  const known = dataOf(after);
  return (
    known.length > 0 &&
    dataOf(before).some((address) => addresses.has(address)) &&
    !known.some((address) => addresses.has(address))
  );
}

/** What a record leads to, by its routing policy too; what a policy gives no weight gets no traffic. */
function dataOf({ rrdatas, routing_policy: policy }: Fields): readonly string[] {
  return [...textsOf(rrdatas), ...policyData(policy)];
}

function policyData(policy: unknown): readonly string[] {
  if (Array.isArray(policy)) return policy.flatMap(policyData);
  const { weight, rrdatas, ip_address: ip, external_endpoints: endpoints, ...blocks } = fieldsOf(policy);
  if (weight === 0) return [];
  const own = typeof ip === "string" ? [ip] : [];
  return [...textsOf(rrdatas), ...own, ...textsOf(endpoints), ...Object.values(blocks).flatMap(policyData)];
}

/** Whether a record set keeps nothing that it leads to. */
function isEmptied({ before, after, unknown }: Change): boolean {
  const { ttl, id, ...data } = unknown;
  if (JSON.stringify(data).includes("true") || dataOf(before).length === 0) return false;
  return listOf(after.rrdatas).length === 0 && listOf(after.routing_policy).length === 0;
}

function sameData(before: Fields, after: Fields): boolean {
  const shown = ({ rrdatas, routing_policy: policy }: Fields) =>
    JSON.stringify([[...listOf(rrdatas)].sort(), listOf(policy)]);
  return shown(before) === shown(after);
}
