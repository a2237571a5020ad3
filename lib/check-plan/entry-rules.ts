import { textsOf } from "../json/fields";
import { groupBy } from "../json/group-by";
import { parseLocatedName, resourceNameIn } from "../resource-names";
import { commandLine } from "../text/command-line";
import { danger, listed, type PlanDanger } from "./dangers";
import { hasId, hasUnknown, hostnameOf, isSame, type ResourceName, types, wildcardAbove } from "./kinds";
import { coverName, mapNamed } from "./lookup";
import { type Change, isChangedWithoutGap, isCreated, isDeleted, type Resource } from "./plan-json";
import type { World } from "./world";

/** Checks entries of certificate maps by the hostnames that they serve before, during and after the apply. */
export function entryDangers(world: World): readonly PlanDanger[] {
  return world
    .changes(types.entry)
    .flatMap((change) => [
      ...entryDeleted(change, world),
      ...entryEmptied(change, world),
      ...entryRepointed(change, world),
      ...mismatched(change, world),
    ]);
}

function entryDeleted(change: Change, world: World): readonly PlanDanger[] {
  const { address, before } = change;
  if (!isDeleted(change) && !isMoved(change)) return [];
  const map = mapNamed(before.map, before);
  // If the proxies get another map, `mapTaken` checks the new map.
  if (!isDeleted(change) && !world.staysAttached(map)) return [];
  if (!world.isAttached(map)) return [];
  const outcomes = namesNow(change, world).map((name) => ({ name, ...outcomeFor(name, change, map, world) }));
  return [...groupBy(outcomes, ({ code, why }) => `${code} ${why}`).values()].flatMap((alike) => {
    const hostnames = alike.map(({ name }) => name);
    return alike
      .slice(0, 1)
      .map(({ code, why }) => danger(code, address, `${listed(hostnames)} ${why}`, { hostnames }));
  });
}

/** Effect on a hostname whose entry is deleted. */
interface Outcome {
  readonly code: "entry-deleted" | "entry-replaced" | "entry-deleted-covered";
  /** The predicate of a sentence whose subject is the hostname. */
  readonly why: string;
}

function outcomeFor(name: string, { address, action }: Change, map: ResourceName, world: World): Outcome {
  const next = world.servedAfter.chosen(map, name);
  if (next === undefined) return { code: "entry-deleted", why: "has no other entry in the map" };
  const hostname = hostnameOf(next.values);
  const what = `the ${hostname === "PRIMARY" ? "PRIMARY entry" : `entry for ${hostname}`} (${next.address})`;
  const isFor = world.servedAfter.isFor(next, name);
  if (isFor === false || (isFor === undefined && hostname === "PRIMARY")) {
    const domains = listed(world.servedAfter.domainsOf(next)) || "names that are unknown";
    return { code: "entry-deleted", why: `would get ${what}, whose certificate is for ${domains}` };
  }
  if (next.address === address && action === "deleteThenCreate") {
    return { code: "entry-replaced", why: "has no entry from its deletion until the new one is active" };
  }
  const isMadeFirst =
    next.address === address || (action === "createThenDelete" && world.isAfter(address, next.address));
  if (world.isCreatedNow(next.address) && !isMadeFirst) {
    return { code: "entry-replaced", why: `loses this entry and gets ${what}, which Terraform may create later` };
  }
  const unready = world.whyUnready(next, name);
  if (unready === undefined) return { code: "entry-deleted-covered", why: `will be served by ${what}` };
  return { code: "entry-deleted", why: `would get ${what}, which can't serve yet: ${unready}` };
}

/** Reports whether Terraform replaces an entry with an entry of another map or hostname. */
function isMoved({ action, before, after, deposed }: Change): boolean {
  if (deposed || action !== "createThenDelete") return false;
  return !isSame(mapNamed(before.map, before), mapNamed(after.map, after)) || hostnameOf(before) !== hostnameOf(after);
}

/** Reports an entry that keeps no certificates. */
function entryEmptied(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, before, after, unknown, deposed } = change;
  if (deposed || textsOf(after.certificates).length > 0 || hasUnknown(unknown.certificates)) return [];
  const isLoss = isChangedWithoutGap(change) && textsOf(before.certificates).length > 0;
  if (!isLoss && !(isCreated(change) && namesTaken(change, world).length > 0)) return [];
  const map = world.mapAfter({ address, type, values: after });
  if (map !== undefined && !world.isAttached(map)) return [];
  const hostname = hostnameOf(after);
  const message = `the entry of ${hostname} keeps no certificate`;
  return [danger("entry-emptied", address, message, { hostnames: [hostname] })];
}

/** Reports an entry that gets a certificate before the certificate is ACTIVE. */
function entryRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { action, before, after, deposed } = change;
  if (deposed || (action !== "update" && !(isCreated(change) && namesTaken(change, world).length > 0))) return [];
  // If a proxy gets the map in the same apply, `mapTaken` checks the map.
  if (action === "update" && world.isIdle(mapNamed(before.map, before))) return [];
  const name = hostnameOf(before.hostname === undefined ? after : before);
  const had = action === "update" ? textsOf(before.certificates) : [];
  const kept = textsOf(after.certificates).filter((id) => hasId(had, id) && world.certificateState(id) === "ACTIVE");
  const domains = kept.map((id) => world.certificateDomains(id));
  const names = action === "update" ? namesNow(change, world) : [name];
  if (kept.length > 0 && names.every((candidate) => coverName(domains, candidate) === true)) return [];
  return certificatesBrought(change, "certificates", { what: name, name, had, hostnames: [name] }, world);
}

function namesNow({ address, type, before }: Change, world: World): readonly string[] {
  return world.servedBefore.namesBy(mapNamed(before.map, before), { address, type, values: before });
}

/** Reports an entry whose new certificates don't contain its hostname, or another name that only this entry serves. */
function mismatched(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  const held: Resource = { address, type, values: after };
  const certificates = world.domainsAfter(held, "certificates");
  const isChanged = JSON.stringify(before.certificates) !== JSON.stringify(after.certificates);
  if (deposed || certificates.length === 0 || !(isCreated(change) || (action === "update" && isChanged))) return [];
  const hostname = hostnameOf(after);
  const domains = listed([...new Set(certificates.flatMap((names) => names ?? []))]);
  const code = "entry-certificate-mismatch";
  if (coverName(certificates, hostname) === false) {
    const source = hasUnknown(unknown.certificates) ? ", according to the references in the configuration" : "";
    return [danger(code, address, `${hostname} gets a certificate for ${domains}${source}`, { hostnames: [hostname] })];
  }
  const map = mapNamed(before.map, before);
  const open = (isCreated(change) ? [hostname] : namesNow(change, world)).filter((name) => {
    return world.mayMiss(held, "certificates", name) && (isCreated(change) || isChosen(held, map, name, world));
  });
  if (open.length > 0) {
    const message = `${listed(open)} gets one of several certificates for ${domains}, and the plan does not show which`;
    return [danger("repointed-to-unknown", address, message, { hostnames: open })];
  }
  if (action !== "update" || !world.isAttached(map)) return [];
  const lost = namesNow(change, world).filter((name) => {
    return name !== hostname && world.servedAfter.isServed(map, name) === false;
  });
  if (lost.length === 0) return [];
  const message = `only the entry for ${hostname} can serve ${listed(lost)}, and its new certificate is for ${domains}`;
  return [danger(code, address, message, { hostnames: lost })];
}

/** Returns whether an entry serves a name after the apply. */
function isChosen({ address }: Resource, map: ResourceName, name: string, world: World): boolean {
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

/** An entry or a proxy that gets certificates. */
interface Receiver {
  /** Hostname of an entry, or name of a proxy, for messages. */
  readonly what: string;
  /** Hostname of an entry. If the certificate is unknown, certificates for this name count. */
  readonly name?: string;
  /** Ids of its certificates before the apply. */
  readonly had: readonly string[];
  /** Hostnames whose handshakes fail. */
  readonly hostnames: readonly string[];
  /** Returns whether a certificate must be ACTIVE immediately. @default - every certificate */
  readonly isNeeded?: (id: string) => boolean;
}

/** Reports certificates that an entry or a proxy gets before they are ACTIVE. */
export function certificatesBrought(
  { address, after, unknown }: Change,
  attribute: string,
  { what, name, had, hostnames, isNeeded = () => true }: Receiver,
  world: World,
): readonly PlanDanger[] {
  const inactive = world.hasOpenCondition(address) ? "repointed-behind-condition" : "repointed-to-inactive";
  const dangers: PlanDanger[] = [];
  for (const id of textsOf(after[attribute])) {
    if (hasId(had, id) || !isNeeded(id)) continue;
    const state = world.certificateState(id);
    if (state === "ACTIVE") continue;
    if (state === undefined) {
      const message = `${what} gets ${id}, which the plan does not contain`;
      dangers.push(danger("repointed-to-unknown", address, message, { hostnames, command: waitFor(id) }));
    } else if (!world.isGatedFor(address, [id])) {
      dangers.push(danger(inactive, address, `${what} gets ${id}, which is ${state}`, { hostnames }));
    }
  }
  if (!hasUnknown(unknown[attribute])) return dangers;
  const waiting = world.referredUnready(address, attribute, name);
  if (waiting !== undefined && (waiting.length === 0 || world.isGated(address, waiting))) return dangers;
  const named = listed(waiting ?? ["a certificate that is unknown before the apply"]);
  const message = `${what} gets ${named} immediately after its creation, before it is issued`;
  return [...dangers, danger(inactive, address, message, { hostnames })];
}

/** Returns the command that waits for a certificate of Certificate Manager; undefined for Compute Engine. */
function waitFor(id: string): string | undefined {
  const name = resourceNameIn(id);
  if (parseLocatedName(name)?.collection !== "certificates") return undefined;
  return commandLine("cert-migration", "wait", "--certificate", name);
}
