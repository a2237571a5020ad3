/** Certificates of Compute Engine that are deleted last, after the map has served their names for a stated time. */
import { lastPart } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import { classicTypes, domainsOf, isDeleted, proxyTypes } from "./kinds";
import type { KnownMigration } from "./known-migrations";
import { mapNamed, nameOfCertificate } from "./lookup";
import { isSame, resourceName, serves } from "./names";
import type { Change } from "./plan-json";
import { directCertificates } from "./switch-rules";
import type { World } from "./world";

/** What other sources than the plan show. */
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
  // Other rules judge a certificate that a proxy has until this apply.
  if (!isDeleted(change) || before.name === undefined || isAttached(change, world)) return [];
  const { migrations = [], verifiedMs = new Map<string, number>(), leastVerifiedMs = 72 * hourMs } = known;
  const own = migrations
    .flatMap(({ servingProxies = [] }) => servingProxies)
    .flatMap(({ certificates }) => certificates)
    .find(({ id }) => isSame(resourceName(id), nameOfCertificate({ type, values: before })) || isNamed(id, before));
  const names = [...new Set([...domainsOf(before), ...(own?.domains ?? [])])];
  if (own === undefined && !mayBeServedByMap(names, world)) return [];
  const early = names.filter((name) => timeOf(name, verifiedMs) < leastVerifiedMs);
  if (early.length === 0 && names.length > 0) return [];
  const shortest = Math.min(...early.map((name) => timeOf(name, verifiedMs)), leastVerifiedMs);
  const passed = early.length === 0 ? "" : `; 'verify' has passed for ${Math.floor(shortest / hourMs)} h`;
  const what = early.length === 0 ? "names that the plan does not contain" : listed(early);
  const message = `${String(before.name)} is deleted, which a rollback needs for ${what}${passed} of ${leastVerifiedMs / hourMs} h`;
  const code = own === undefined ? "certificate-deleted-unchecked" : "certificate-deleted-unverified";
  return [danger(code, address, message, { hostnames: early })];
}

/** Returns whether an id is of a certificate of which the plan has only the name. */
function isNamed(id: string, { name, self_link: link, id: own }: Change["before"]): boolean {
  return link === undefined && own === undefined && lastPart(id) === name;
}

function isAttached({ type, before }: Change, world: World): boolean {
  const name = nameOfCertificate({ type, values: before });
  const held = world.heldBefore(...proxyTypes).flatMap(({ values }) => directCertificates(values));
  return held.some((id) => isSame(resourceName(id), name) || isNamed(id, before));
}

/** Returns whether a proxy keeps a map that may serve one of the names. */
function mayBeServedByMap(names: readonly string[], world: World): boolean {
  return world.heldAfter(...proxyTypes).some(({ values }) => {
    if (!values.certificate_map) return false;
    const map = mapNamed(values.certificate_map, values);
    return !world.holdsMap(map) || names.some((name) => world.servedBefore.isServed(map, name) !== false);
  });
}

/** Returns for how long a name has been verified, or the wildcard above it; 0 if it does not pass. */
function timeOf(name: string, verifiedMs: ReadonlyMap<string, number>): number {
  const times = [...verifiedMs].filter(([hostname]) => serves(hostname, name)).map(([, time]) => time);
  return Math.max(0, ...times);
}
