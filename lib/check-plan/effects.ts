import { textsOf } from "../json/fields";
import { lastPart } from "../resource-names";
import {
  addressTypes,
  bareName,
  classicTypes,
  forwardingRuleTypes,
  hasUnknown,
  hostnameOf,
  isSame,
  proxyTypes,
  types,
} from "./kinds";
import { type Change, isDestroyed } from "./plan-json";
import { dataOf, type ServedNames } from "./served-names";
import type { World } from "./world";

/** What a plan changes for clients of a hostname. */
export interface HostnameEffect {
  /** Hostname, or `PRIMARY` for clients that match no other entry. */
  readonly hostname: string;
  /** What changes: the certificates that clients get, the map of a proxy, or where DNS leads them. */
  readonly part: "certificates" | "map" | "address";
  /** Names of certificates, of a map, or data of records; empty if there are none. */
  readonly before: readonly string[];
  /** As `before`, after the apply; the address in Terraform of a resource whose name is unknown before the apply. */
  readonly after: readonly string[];
  /** What Terraform does: one step, or two in their order. */
  readonly when: string;
  /** Gates that run before the change: addresses in Terraform; `a condition` for a check of Terraform. */
  readonly protectedBy: readonly string[];
  /** Address of the changed resource in Terraform. */
  readonly address: string;
}

/** Returns the effects of a plan on each hostname, sorted by hostname. Hostnames without effect are left out. */
export function hostnameEffects(world: World, names: ServedNames): readonly HostnameEffect[] {
  const effects = [
    ...world.changes(types.entry).flatMap((change) => entryEffects(change, world)),
    ...world.changes(...proxyTypes).flatMap((change) => proxyEffects(change, world)),
    ...world.changes(types.record).flatMap((change) => recordEffects(change, world, names)),
  ];
  return effects.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ hostname, part, address }: HostnameEffect): string {
  return `${hostname} ${part} ${address}`;
}

function entryEffects(change: Change, world: World): readonly HostnameEffect[] {
  const { address, before, after } = change;
  const was = textsOf(before.certificates).map(lastPart);
  const next = [
    ...(isGone(change) ? [] : textsOf(after.certificates).map(lastPart)),
    ...unknownSources(change, "certificates", certificateTypes, world),
  ];
  const hostname = hostnameOf(isGone(change) ? before : after);
  return effectsOf([hostname], "certificates", was, next, change, world, address);
}

function proxyEffects(change: Change, world: World): readonly HostnameEffect[] {
  const { address, type, before, after } = change;
  const mapOf = (values: Change["before"]) => {
    return typeof values.certificate_map === "string" && values.certificate_map !== ""
      ? [lastPart(values.certificate_map)]
      : [];
  };
  const was = mapOf(before);
  const next = isGone(change) ? [] : [...mapOf(after), ...unknownSources(change, "certificate_map", mapTypes, world)];
  const maps = [
    world.mapAfter({ address, type, values: before }),
    isGone(change) ? undefined : world.mapAfter({ address, type, values: after }),
  ].flatMap((map) => map ?? []);
  const first = maps[0];
  const isMoved = was.join() !== next.join() || maps.some((map) => first !== undefined && !isSame(map, first));
  if (!isMoved && !isGone(change)) return [];
  const hostnames = [
    ...new Set(maps.flatMap((map) => [...world.servedBefore.namesOf(map), ...world.servedAfter.namesOf(map)])),
  ];
  return effectsOf(hostnames, "map", was, next, change, world, address);
}

function recordEffects(change: Change, world: World, names: ServedNames): readonly HostnameEffect[] {
  const { address, before, after } = change;
  if (!names.isServedThrough(before) && !names.isServedThrough(after)) return [];
  const was = [...dataOf(before)].sort();
  const next = isGone(change) ? [] : [...dataOf(after), ...unknownSources(change, "rrdatas", leadTypes, world)].sort();
  return effectsOf([bareName(isGone(change) ? before.name : after.name)], "address", was, next, change, world, address);
}

function effectsOf(
  hostnames: readonly string[],
  part: HostnameEffect["part"],
  before: readonly string[],
  after: readonly string[],
  change: Change,
  world: World,
  address: string,
): readonly HostnameEffect[] {
  if (change.deposed || change.action === "no-op") return [];
  if (before.join() === after.join() && !isDestroyed(change)) return [];
  const protectedBy = isGone(change)
    ? []
    : [...world.gatesBefore(address), ...(world.hasOpenCondition(address) ? ["a condition"] : [])];
  return hostnames.map((hostname) => ({
    hostname,
    part,
    before,
    after,
    when: whenWords[change.action],
    protectedBy,
    address,
  }));
}

const whenWords: Readonly<Record<Change["action"], string>> = {
  "no-op": "not",
  create: "when Terraform creates it",
  update: "when Terraform updates it in place",
  delete: "when Terraform deletes it",
  deleteThenCreate: "deleted first, then created",
  createThenDelete: "created first, then deleted",
};

function isGone({ action }: Change): boolean {
  return action === "delete";
}

const certificateTypes: ReadonlySet<string> = new Set([types.certificate, ...classicTypes]);
const mapTypes: ReadonlySet<string> = new Set([types.map]);
const leadTypes: ReadonlySet<string> = new Set([...addressTypes, ...forwardingRuleTypes]);

/** Returns the resources to which an attribute refers whose value is unknown before the apply. */
function unknownSources(
  { address, unknown }: Change,
  attribute: string,
  wanted: ReadonlySet<string>,
  world: World,
): readonly string[] {
  if (!hasUnknown(unknown[attribute])) return [];
  const sources = world.sourcesOf(address, attribute, wanted);
  return sources.length > 0 ? sources : ["known after the apply"];
}
