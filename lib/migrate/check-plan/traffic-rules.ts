import { authorizedBy } from "./certificate-rules";
import { danger, type PlanDanger } from "./dangers";
import { type Fields, listOf, textsOf } from "./fields";
import type { Change } from "./plan-json";
import {
  bareName,
  domainsOf,
  forwardingRuleTypes,
  hostnameOf,
  isMade,
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
    patterns.some((pattern) => serves(pattern, bareName(record.name)));
  const aliases = new Set(
    held
      .filter(({ type, values }) => type === types.record && values.type === "CNAME" && direct(values))
      .flatMap(({ values }) => textsOf(values.rrdatas).map(bareName)),
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
  if (action !== "update" || same(before.rrdatas, after.rrdatas) || leavesBalancer(before, after, world)) return [];
  const name = String(after.name ?? before.name);
  if (world.isGated(address)) return [];
  const unready = world.before.find(
    ({ type, values }) =>
      type === types.entry &&
      serves(hostnameOf(values), bareName(name)) &&
      values.state !== undefined &&
      values.state !== "ACTIVE",
  );
  if (unready !== undefined) {
    return [
      danger(
        "traffic-before-verification",
        address,
        `${name} moves while its entry ${unready.address} is ${String(unready.values.state)}`,
      ),
    ];
  }
  const building = world.plan.changes.find(
    (other) => !other.deposed && isServing(other.type) && (isMade(other) || other.action === "update"),
  );
  if (building === undefined) {
    return [
      danger(
        "traffic-moves",
        address,
        `${name} moves to ${textsOf(after.rrdatas).join(", ") || "what is not known yet"}`,
      ),
    ];
  }
  return [
    danger("traffic-before-verification", address, `${name} moves in the same apply that changes ${building.address}`),
  ];
}

function isServing(type: string): boolean {
  const own: readonly string[] = [types.certificate, types.map, types.entry];
  return own.includes(type) || proxyTypes.has(type) || forwardingRuleTypes.has(type);
}

/** Back to where the records were: from an address of the load balancer to one that is not. */
function leavesBalancer(before: Fields, after: Fields, world: World): boolean {
  const addresses = new Set(
    [...world.before, ...world.after]
      .filter(({ type }) => forwardingRuleTypes.has(type))
      .map(({ values }) => String(values.ip_address)),
  );
  const known = textsOf(after.rrdatas);
  return (
    known.length > 0 &&
    textsOf(before.rrdatas).some((address) => addresses.has(address)) &&
    !known.some((address) => addresses.has(address))
  );
}

function same(before: unknown, after: unknown): boolean {
  return JSON.stringify([...listOf(before)].sort()) === JSON.stringify([...listOf(after)].sort());
}
