import { asText } from "../json/fields";
import { lastPart } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import { classicTypes, domainsOf, hasId, isSame, proxyTypes, type ResourceName, resourceName, serves } from "./kinds";
import type { KnownMigration } from "./known-migrations";
import { nameOfCertificate } from "./lookup";
import { type Change, isChangedWithoutGap, isDeleted } from "./plan-json";
import { directCertificates, isSameMap, isUnreached, mapOf } from "./switch-rules";
import type { World } from "./world";

/** Data that the plan does not contain. */
export interface KnownOutsidePlan {
  /** Migrations of other configurations, whose maps the plan does not contain. @default none */
  readonly migrations?: readonly KnownMigration[];
  /** For how long `verify` has passed by now, by hostname, in milliseconds. @default - no verification is known */
  readonly verifiedMs?: ReadonlyMap<string, number>;
  /** For how long `verify` has to pass before a certificate is deleted, in milliseconds. @default - 3 days */
  readonly leastVerifiedMs?: number;
}

const hourMs = 3_600_000;

/** Returns a danger for each certificate that is deleted before `verify` has passed for all of its names. */
export function retirementDangers(world: World, known: KnownOutsidePlan): readonly PlanDanger[] {
  return world.changes(...classicTypes).flatMap((change) => deletedEarly(change, world, known));
}

function deletedEarly(change: Change, world: World, known: KnownOutsidePlan): readonly PlanDanger[] {
  const { address, type, before } = change;
  // Other rules check a certificate that a proxy has until this apply.
  if (!isDeleted(change) || before.name === undefined || isAttached(change, world)) return [];
  const { migrations = [], verifiedMs = new Map<string, number>(), leastVerifiedMs = 72 * hourMs } = known;
  const owned = migrations
    .flatMap(({ servingProxies = [] }) => servingProxies)
    .flatMap(({ certificates }) => certificates)
    .find(({ id }) => isSame(resourceName(id), nameOfCertificate({ type, values: before })) || isNamed(id, before));
  const names = [...new Set([...domainsOf(before), ...(owned?.domains ?? [])])];
  if (owned === undefined && !mayBeServedByMap(names, world)) return [];
  const early = names.filter((name) => timeOf(name, verifiedMs) < leastVerifiedMs);
  if (early.length === 0 && names.length > 0) return [];
  const shortest = Math.min(...early.map((name) => timeOf(name, verifiedMs)), leastVerifiedMs);
  const passed = early.length === 0 ? "" : `; 'verify' has passed for ${Math.floor(shortest / hourMs)} h`;
  const what = early.length === 0 ? "names that the plan does not contain" : listed(early);
  const message = `${asText(before.name)} is deleted, which a rollback needs for ${what}${passed} of ${leastVerifiedMs / hourMs} h`;
  const code = owned === undefined ? "certificate-deleted-unchecked" : "certificate-deleted-unverified";
  return [danger(code, address, message, { hostnames: early })];
}

/** Returns whether an id is of a certificate of which the plan has only the name. */
function isNamed(id: string, { name, self_link: link, id: ownId }: Change["before"]): boolean {
  return link === undefined && ownId === undefined && lastPart(id) === name;
}

function isAttached({ type, before }: Change, world: World): boolean {
  const name = nameOfCertificate({ type, values: before });
  const held = world.resourcesBefore(...proxyTypes).flatMap(({ values }) => directCertificates(values));
  return held.some((id) => isSame(resourceName(id), name) || isNamed(id, before));
}

/** Returns whether a proxy keeps a map that may serve one of the names. */
function mayBeServedByMap(names: readonly string[], world: World): boolean {
  return world.resourcesAfter(...proxyTypes).some(({ values }) => {
    const map = mapOf(values);
    if (map === undefined) return false;
    return !world.holdsMap(map) || names.some((name) => world.servedBefore.isServed(map, name) !== false);
  });
}

/** Returns for how long a name has been verified, or the wildcard above it; 0 if it does not pass. */
function timeOf(name: string, verifiedMs: ReadonlyMap<string, number>): number {
  const times = [...verifiedMs].filter(([hostname]) => serves(hostname, name)).map(([, time]) => time);
  return Math.max(0, ...times);
}

/** Checks direct certificates of proxies with a map: detached only after the map serves, and deleted last. */
export function detachmentDangers(world: World): readonly PlanDanger[] {
  const detached = world
    .changes(...proxyTypes)
    .filter(({ address, type, before }) => !isUnreached({ address, type, values: before }, world))
    .flatMap(detachedFrom);
  return [
    ...detached.flatMap((detachment) => detachedEarly(detachment, world)),
    ...world.changes(...classicTypes).flatMap((change) => deletedWith(change, detached)),
  ];
}

/** Certificates that a proxy with a map loses. */
interface Detached {
  readonly address: string;
  readonly ids: readonly string[];
  /** The map that the proxy had before; undefined if it gets its first map, or another one. */
  readonly keptMap: ResourceName | undefined;
}

function detachedFrom(change: Change): readonly Detached[] {
  const { address, before, after, unknown } = change;
  if (!isChangedWithoutGap(change)) return [];
  if (!after.certificate_map && !unknown.certificate_map) return [];
  // Certificates that are not known yet are successors, as in a rotation.
  if (unknown.ssl_certificates || unknown.certificate_manager_certificates) return [];
  const kept = directCertificates(after);
  const ids = directCertificates(before).filter((id) => !hasId(kept, id));
  if (ids.length === 0) return [];
  const [former, next] = [mapOf(before), mapOf(after)];
  return [{ address, ids, keptMap: isSameMap(former, next) ? former : undefined }];
}

function detachedEarly({ address, ids, keptMap }: Detached, world: World): readonly PlanDanger[] {
  const names = [...new Set(ids.flatMap((id) => world.certificateDomains(id) ?? []))];
  if (keptMap === undefined) {
    const message = `the proxy gets a map and loses ${listed(ids)} in one apply`;
    return [danger("certificate-detached-with-switch", address, message, { hostnames: names })];
  }
  if (!world.holdsMap(keptMap)) {
    const message = `the proxy loses ${listed(ids)}, and the plan does not contain the map ${keptMap.path}`;
    return [danger("certificate-detached-unchecked", address, message, { hostnames: names })];
  }
  const missing = names.filter((name) => !isServed(keptMap, name, world));
  if (missing.length > 0) {
    const message = `the proxy loses ${listed(ids)}, and the map ${keptMap.path} has no ACTIVE entry for ${listed(missing)}`;
    return [danger("certificate-detached-unmapped", address, message, { hostnames: missing })];
  }
  const unknown = ids.filter((id) => world.certificateDomains(id) === undefined);
  if (unknown.length === 0) return [];
  const message = `the proxy loses ${listed(unknown)}, and the plan does not contain the names of these certificates`;
  return [danger("certificate-detached-unchecked", address, message, { hostnames: names })];
}

/** Returns whether a map serves a name before and after the apply. */
function isServed(map: ResourceName, name: string, world: World): boolean {
  const before = world.servedBefore.chosen(map, name);
  if (before === undefined || !world.servesNow(before.address, name)) return false;
  if (world.servedAfter.isServed(map, name) === false) return false;
  return before.values.state === undefined || before.values.state === "ACTIVE";
}

/** Reports a certificate that is deleted in the apply that detaches it. */
function deletedWith(change: Change, detached: readonly Detached[]): readonly PlanDanger[] {
  const { address, type, before } = change;
  if (!isDeleted(change)) return [];
  const name = nameOfCertificate({ type, values: before });
  return detached
    .filter(({ ids }) => ids.some((id) => isSame(resourceName(id), name)))
    .map((from) => {
      const message = `${asText(before.name)} is detached from ${from.address} in the same apply`;
      return danger("certificate-deleted-with-detachment", address, message, { hostnames: domainsOf(before) });
    });
}
