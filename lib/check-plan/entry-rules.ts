import type { FindingDetails } from "../findings/finding";
import { textsOf } from "../json/fields";
import { danger, listed, type PlanDanger, type PlanDangerCode } from "./dangers";
import { hasUnknown, hostnameOf, isDeleted, isMade, types } from "./kinds";
import { mapNamed } from "./lookup";
import { isSame, type ResourceName, resourceName, wildcardAbove } from "./names";
import type { Change, Held } from "./plan-json";
import { certificatesBrought } from "./repointing";
import { coverName } from "./served-maps";
import type { World } from "./world";

/** Entries of certificate maps: what is served by hostname before, during and after the apply decides. */
export function entryDangers(world: World): readonly PlanDanger[] {
  return world
    .changes(types.entry)
    .flatMap((change) => [
      ...entryGone(change, world),
      ...entryEmptied(change, world),
      ...entryRepointed(change, world),
      ...mismatched(change, world),
    ]);
}

function entryGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, before } = change;
  if (!isDeleted(change) && !isMoved(change)) return [];
  const map = mapNamed(before.map, before);
  // Where the proxies get another map, the switch is judged.
  if (!isDeleted(change) && !world.staysAttached(map)) return [];
  if (!world.isAttached(map)) return [];
  const outcomes = new Map<string, { readonly outcome: Outcome; readonly names: string[] }>();
  for (const name of world.servedBefore.namesBy(map, { address, type, values: before })) {
    const outcome = outcomeFor(name, change, map, world);
    const key = `${outcome.code} ${outcome.why}`;
    const there = outcomes.get(key);
    if (there === undefined) outcomes.set(key, { outcome, names: [name] });
    else there.names.push(name);
  }
  return [...outcomes.values()].map(({ outcome: { code, why }, names }) => {
    return danger(code, address, `${listed(names)} ${why}`, { hostnames: names });
  });
}

/** What becomes of a hostname whose entry goes. */
interface Outcome {
  readonly code: "entry-deleted" | "entry-replaced" | "entry-deleted-covered";
  /** A sentence that follows the hostname. */
  readonly why: string;
}

function outcomeFor(name: string, { address, action }: Change, map: ResourceName, world: World): Outcome {
  const next = world.servedAfter.chosen(map, name);
  if (next === undefined) return { code: "entry-deleted", why: "is served by it, and by nothing else of the map" };
  const hostname = hostnameOf(next.values);
  const what = `the ${hostname === "PRIMARY" ? "PRIMARY entry" : `entry for ${hostname}`} (${next.address})`;
  const isFor = world.servedAfter.isFor(next, name);
  if (isFor === false || (isFor === undefined && hostname === "PRIMARY")) {
    const domains = listed(world.servedAfter.domainsOf(next)) || "names that the plan does not know";
    return { code: "entry-deleted", why: `would get ${what}, whose certificate is for ${domains}` };
  }
  if (next.address === address && action === "deleteThenCreate") {
    return { code: "entry-replaced", why: "has no entry from its deletion until the new one is active" };
  }
  const isMadeFirst =
    next.address === address || (action === "createThenDelete" && world.isAfter(address, next.address));
  if (world.isMadeNow(next.address) && !isMadeFirst) {
    const why = `loses this entry and gets ${what}, which Terraform makes before or after: it has no entry in between`;
    return { code: "entry-replaced", why };
  }
  const unready = world.whyUnready(next, name);
  if (unready !== undefined)
    return { code: "entry-deleted", why: `would get ${what}, which can't serve yet: ${unready}` };
  return { code: "entry-deleted-covered", why: `will be served by ${what}` };
}

/** Reports whether Terraform replaces an entry with an entry of another map or hostname. */
function isMoved({ action, before, after, deposed }: Change): boolean {
  if (deposed || action !== "createThenDelete") return false;
  return !isSame(mapNamed(before.map, before), mapNamed(after.map, after)) || hostnameOf(before) !== hostnameOf(after);
}

/** An entry that is left without certificates. */
function entryEmptied(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || textsOf(after.certificates).length > 0 || hasUnknown(unknown.certificates)) return [];
  const isLoss = (action === "update" || action === "createThenDelete") && textsOf(before.certificates).length > 0;
  if (!isLoss && !(isMade(change) && namesTaken(change, world).length > 0)) return [];
  const map = world.mapAfter({ address, type, values: after });
  if (map !== undefined && !world.isAttached(map)) return [];
  const hostname = hostnameOf(after);
  const message = `${hostname} is served by an entry without a certificate from then on`;
  return [danger("entry-emptied", address, message, { hostnames: [hostname] })];
}

/** An entry that gets a certificate which can't be served yet. */
function entryRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { action, before, after, deposed } = change;
  if (deposed || (action !== "update" && !(isMade(change) && namesTaken(change, world).length > 0))) return [];
  // Where a proxy gets the map in the same apply, the switch is judged.
  if (action === "update" && world.isIdle(mapNamed(before.map, before))) return [];
  const name = hostnameOf(before.hostname === undefined ? after : before);
  const had = action === "update" ? textsOf(before.certificates) : [];
  const kept = textsOf(after.certificates).filter((id) => hasId(had, id) && world.certificateState(id) === "ACTIVE");
  const domains = kept.map((id) => world.certificateDomains(id));
  const names = action === "update" ? namesNow(change, world) : [name];
  if (kept.length > 0 && names.every((one) => coverName(domains, one) === true)) return [];
  return certificatesBrought(change, "certificates", { what: name, name, had, hostnames: [name] }, world);
}

function namesNow({ address, type, before }: Change, world: World): readonly string[] {
  return world.servedBefore.namesBy(mapNamed(before.map, before), { address, type, values: before });
}

/** An entry that gets certificates of which none is for its hostname, or for another name that it alone serves, as far as the plan knows them. */
function mismatched(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  const held: Held = { address, type, values: after };
  const certificates = world.domainsAfter(held, "certificates");
  const isChanged = JSON.stringify(before.certificates) !== JSON.stringify(after.certificates);
  if (deposed || certificates.length === 0 || !(isMade(change) || (action === "update" && isChanged))) {
    return [];
  }
  const hostname = hostnameOf(after);
  const domains = listed([...new Set(certificates.flatMap((names) => names ?? []))]);
  const details = (names: readonly string[]): FindingDetails => ({ hostnames: names });
  const code: PlanDangerCode = "entry-certificate-mismatch";
  if (coverName(certificates, hostname) === false) {
    const certified = hasUnknown(unknown.certificates) ? `${domains}, by what its configuration refers to` : domains;
    return [danger(code, address, `${hostname} gets a certificate for ${certified}`, details([hostname]))];
  }
  const map = mapNamed(before.map, before);
  const open = (isMade(change) ? [hostname] : namesNow(change, world)).filter((name) => {
    return world.mayMiss(held, "certificates", name) && (isMade(change) || isChosen(held, map, name, world));
  });
  if (open.length > 0) {
    const message = `${listed(open)} gets one of several certificates for ${domains}, and the plan does not show which`;
    return [danger("repointed-to-unknown", address, message, details(open))];
  }
  if (action !== "update" || !world.isAttached(map)) return [];
  const lost = namesNow(change, world).filter((name) => {
    return name !== hostname && world.servedAfter.isServed(map, name) === false;
  });
  if (lost.length === 0) return [];
  const message = `${listed(lost)} can be served by the entry for ${hostname} alone, which gets a certificate for ${domains}`;
  return [danger(code, address, message, details(lost))];
}

/** Whether an entry serves a name after the apply. */
function isChosen({ address }: Held, map: ResourceName, name: string, world: World): boolean {
  return world.servedAfter.chosen(map, name)?.address === address;
}

/**
 * Returns the names that a new entry takes over from the entry of a wildcard, or from the PRIMARY entry. Leaves out
 * names for which that entry has no certificate, because no client is served with them today.
 */
function namesTaken({ type, after, address }: Change, world: World): readonly string[] {
  const map = world.mapAfter({ address, type, values: after });
  if (map === undefined || !world.isAttached(map)) return [];
  const hostname = hostnameOf(after);
  const served = world.servedBefore.chosen(map, hostname);
  if (served === undefined || hostnameOf(served.values) === hostname) return [];
  const isForeign = world.servedBefore.isFor(served, hostname) === false;
  const taken = isForeign ? [] : [hostname];
  const below = world.servedBefore.namesBy(map, served).filter((name) => wildcardAbove(name) === hostname);
  return [...taken, ...below];
}

function hasId(ids: readonly string[], id: string): boolean {
  return ids.some((one) => isSame(resourceName(one), resourceName(id)));
}
