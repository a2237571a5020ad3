import { listOf, textsOf } from "../json/fields";
import { commandLine } from "../text/command-line";
import { danger, listed, type PlanDanger } from "./dangers";
import { addressTypes, forwardingRuleTypes, hasUnknown, hostnameOf, isGone, isMade, proxyTypes, types } from "./kinds";
import { mapNamed, nameOfMap } from "./lookup";
import { isSame, resourceName, serves } from "./names";
import type { Change } from "./plan-json";
import { directCertificates, isTlsTarget, mapTaken, ruleRepointed } from "./switch-rules";
import type { World } from "./world";

/** Entries, maps, proxies and forwarding rules: what clients are served by stays until something else serves them. */
export function servingDangers(world: World): readonly PlanDanger[] {
  const served = new Set(world.heldBefore(...forwardingRuleTypes).map(({ values }) => String(values.ip_address ?? "")));
  return [
    ...world
      .changes(types.entry)
      .flatMap((change) => [
        ...entryGone(change, world),
        ...entryEmptied(change, world),
        ...repointed(change, "certificates", world),
        ...mismatched(change, world),
      ]),
    ...world.changes(types.map).flatMap((change) => mapGone(change, world)),
    ...world
      .changes(...proxyTypes)
      .flatMap((change) => [
        ...proxyGone(change),
        ...mapTaken(change, world),
        ...repointed(change, "certificate_manager_certificates", world),
        ...repointed(change, "ssl_certificates", world),
        ...certificateTaken(change, world),
      ]),
    ...world
      .changes(...forwardingRuleTypes)
      .flatMap((change) => [...ruleGone(change), ...ruleRepointed(change, world)]),
    ...world.changes(...addressTypes).flatMap((change) => addressGone(change, served)),
  ];
}

function entryGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, before, action } = change;
  if (!isGone(change) && !isMoved(change)) return [];
  const map = mapNamed(before.map, before);
  if (!isGone(change) && !world.staysAttached(map)) return [];
  if (!world.isAttached(map)) return [];
  const hostname = hostnameOf(before);
  if (action === "deleteThenCreate") {
    return [
      danger("entry-replaced", address, `${hostname} has no entry from its deletion until the new one is active`),
    ];
  }
  const cover = world.entriesAfter.find(map, hostname);
  if (cover === undefined || cover.address === address || world.at(cover.address) === undefined)
    return [danger("entry-deleted", address, `${hostname} is served by it, and by nothing else of the map`)];
  return [
    danger("entry-deleted-covered", address, `${hostname} will be served by the entry ${hostnameOf(cover.values)}`),
  ];
}

/** Whether an entry is made anew for another map or hostname, and then deleted where it was. */
function isMoved({ action, before, after, deposed }: Change): boolean {
  if (deposed || action !== "createThenDelete") return false;
  return !isSame(mapNamed(before.map, before), mapNamed(after.map, after)) || hostnameOf(before) !== hostnameOf(after);
}

/** An entry that is left without certificates; what a proxy has directly is judged by {@link certificateTaken}. */
function entryEmptied(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || textsOf(after.certificates).length > 0 || hasUnknown(unknown.certificates)) return [];
  const isLoss = (action === "update" || action === "createThenDelete") && textsOf(before.certificates).length > 0;
  if (!isLoss && !(isMade(change) && takesOver(change, world))) return [];
  const map = world.mapAfter({ address, type, values: after });
  if (map !== undefined && !world.isAttached(map)) return [];
  return [
    danger("entry-emptied", address, `${hostnameOf(after)} is served by an entry without a certificate from then on`),
  ];
}

function mapGone(change: Change, world: World): readonly PlanDanger[] {
  if (!isGone(change)) return [];
  const map = nameOfMap({ address: change.address, values: change.before });
  return world.isAttached(map) ? [danger("map-deleted", change.address, `a target proxy has the map ${map.path}`)] : [];
}

function proxyGone(change: Change): readonly PlanDanger[] {
  if (!isGone(change)) return [];
  const code = change.action === "delete" ? "proxy-deleted" : "proxy-replaced";
  return [
    danger(
      code,
      change.address,
      `the target proxy ${String(change.before.name ?? "")} answers nobody from its deletion on`,
    ),
  ];
}

function ruleGone(change: Change): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  const moves = !deposed && action === "createThenDelete" && before.ip_address !== after.ip_address;
  if (!(isGone(change) || moves) || !isTlsTarget(before.target)) return [];
  return [
    danger(
      "forwarding-rule-deleted",
      address,
      `nothing listens at ${String(before.ip_address ?? "its address")} any more`,
    ),
  ];
}

/** @param served addresses of forwarding rules */
function addressGone(change: Change, served: ReadonlySet<string>): readonly PlanDanger[] {
  const { address, before } = change;
  const ip = String(before.address ?? "");
  if (!isGone(change) || ip === "" || (!served.has(ip) && listOf(before.users).length === 0)) return [];
  return [
    danger("address-deleted", address, `${ip} is given back, and somebody else may get it while DNS leads there`),
  ];
}

/** An entry that gets certificates of which none is for its hostname, as far as the plan knows them. */
function mismatched(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, after, unknown, deposed } = change;
  const hostname = hostnameOf(after);
  const ids = textsOf(after.certificates);
  const changes = action === "update" || isMade(change);
  if (deposed || !changes || hostname === "PRIMARY" || ids.length === 0 || hasUnknown(unknown.certificates)) return [];
  const domains = ids.map((id) => world.certificateDomains(id));
  if (domains.some((known) => known === undefined || known.some((domain) => serves(domain, hostname)))) return [];
  const names = listed(domains.flatMap((known) => known ?? []));
  return [danger("entry-certificate-mismatch", address, `${hostname} gets a certificate for ${names}`)];
}

/** A proxy without a map that loses a certificate, and with it names that none of its others is for. */
function certificateTaken({ address, action, before, after, unknown }: Change, world: World): readonly PlanDanger[] {
  const isOpen = hasUnknown(unknown.certificate_manager_certificates) || hasUnknown(unknown.ssl_certificates);
  const isMapped = after.certificate_map || before.certificate_map || hasUnknown(unknown.certificate_map);
  if ((action !== "update" && action !== "createThenDelete") || isOpen || isMapped) return [];
  const kept = directCertificates(after);
  const lost = directCertificates(before).filter((id) => !hasId(kept, id));
  if (lost.length === 0) return [];
  const others = kept.map((id) => world.certificateDomains(id));
  const losses = lost.map((id) => world.certificateDomains(id));
  if (kept.length > 0 && (others.includes(undefined) || losses.includes(undefined))) {
    const message = `it loses ${lost.join(", ")}, and has ${kept.join(", ")}`;
    return [danger("certificate-detached-unknown", address, message)];
  }
  const names = lost.flatMap((id, index) => losses[index] ?? [id]);
  const missing = names.filter((name) => !others.some((domains) => domains?.some((domain) => serves(domain, name))));
  if (missing.length === 0) return [];
  return [danger("certificate-detached", address, `no certificate of the proxy is for ${listed(missing)} any more`)];
}

function hasId(ids: readonly string[], id: string): boolean {
  return ids.some((one) => isSame(resourceName(one), resourceName(id)));
}

/** An entry or proxy that gets a certificate which can't be served yet. */
function repointed(change: Change, attribute: string, world: World): readonly PlanDanger[] {
  const { address, action, before, after, unknown } = change;
  if (change.deposed || (action !== "update" && !(isMade(change) && takesOver(change, world)))) return [];
  // A map goes before the certificates that a proxy has of Compute Engine.
  if (attribute === "ssl_certificates" && (after.certificate_map || unknown.certificate_map)) return [];
  const inactive = world.hasOpenCondition(address) ? "repointed-behind-condition" : "repointed-to-inactive";
  const had = action === "update" ? textsOf(before[attribute]) : [];
  const added = textsOf(after[attribute]).filter((id) => !hasId(had, id));
  const dangers: PlanDanger[] = [];
  const what =
    change.type === types.entry
      ? hostnameOf(before.hostname === undefined ? after : before)
      : String(before.name ?? after.name ?? "");
  for (const id of added) {
    const state = world.certificateState(id);
    if (state === "ACTIVE") continue;
    if (state === undefined) {
      const message = `${what} gets ${id}, of which the plan knows nothing`;
      dangers.push(danger("repointed-to-unknown", address, message, waitFor(id)));
    } else if (!world.isGated(address)) {
      dangers.push(danger(inactive, address, `${what} gets ${id}, which is ${state}`));
    }
  }
  if (!hasUnknown(unknown[attribute])) return dangers;
  const waiting = world.referredUnready(address, attribute);
  if (waiting === undefined || waiting.length > 0) {
    if (world.isGated(address, waiting)) return dangers;
    const named = listed(waiting ?? ["a certificate that is not known yet"]);
    dangers.push(
      danger(inactive, address, `${what} gets ${named} as soon as it is made, which is before it is issued`),
    );
  }
  return dangers;
}

/** How to see whether a certificate of Certificate Manager is active; those of Compute Engine nobody here can ask for. */
function waitFor(id: string): string | undefined {
  const name = /projects\/[^/]+\/locations\/[^/]+\/certificates\/[^/]+$/.exec(id)?.[0];
  if (name === undefined) return undefined;
  return commandLine("cert-migration", "wait", "--certificate", name);
}

/** Whether a new entry takes a hostname over from a wildcard or PRIMARY entry that serves it now. */
function takesOver({ type, after, address }: Change, world: World): boolean {
  if (type !== types.entry) return false;
  const map = world.mapAfter({ address, type, values: after });
  if (map === undefined) return false;
  const hostname = hostnameOf(after);
  const served = world.entriesBefore.find(map, hostname) ?? world.entriesBefore.exact(map, "PRIMARY");
  return served !== undefined && hostnameOf(served.values) !== hostname;
}
