import { danger, type PlanDanger } from "./dangers";
import { listOf, textsOf } from "./fields";
import type { Change } from "./plan-json";
import { directCertificates, isTlsTarget, mapTaken, ruleRepointed } from "./switch-rules";
import {
  addressTypes,
  bareId,
  forwardingRuleTypes,
  hasUnknown,
  hostnameOf,
  isMade,
  lastOf,
  proxyTypes,
  serves,
  types,
  type World,
} from "./world";

/** Entries, maps, proxies and forwarding rules: what clients are served by stays until something else serves them. */
export function servingDangers(world: World): readonly PlanDanger[] {
  return [
    ...world
      .changes(types.entry)
      .flatMap((change) => [
        ...entryGone(change, world),
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
    ...world.changes(...addressTypes).flatMap((change) => addressGone(change, world)),
  ];
}

function isGone({ action, deposed }: Change): boolean {
  return !deposed && (action === "delete" || action === "deleteThenCreate");
}

function entryGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, before, action } = change;
  const map = lastOf(String(before.map ?? ""));
  const moves = isMoved(change) && world.staysAttached(map);
  if (!(isGone(change) || moves) || !world.isAttached(map)) return [];
  const hostname = hostnameOf(before);
  if (action === "deleteThenCreate") {
    return [
      danger("entry-replaced", address, `${hostname} has no entry from its deletion until the new one is active`),
    ];
  }
  const cover = world.after.find(
    ({ type, values, address: other }) =>
      type === types.entry &&
      other !== address &&
      lastOf(String(values.map ?? "")) === map &&
      serves(hostnameOf(values), hostname) &&
      world.before.some((held) => held.address === other),
  );
  if (cover === undefined)
    return [danger("entry-deleted", address, `${hostname} is served by it, and by nothing else of the map`)];
  return [
    danger("entry-deleted-covered", address, `${hostname} will be served by the entry ${hostnameOf(cover.values)}`),
  ];
}

/** Whether an entry is made anew for another map or hostname, and then deleted where it was. */
function isMoved({ action, before, after, deposed }: Change): boolean {
  if (deposed || action !== "createThenDelete") return false;
  return (
    lastOf(String(before.map ?? "")) !== lastOf(String(after.map ?? "")) || hostnameOf(before) !== hostnameOf(after)
  );
}

function mapGone(change: Change, world: World): readonly PlanDanger[] {
  const name = String(change.before.name ?? "");
  if (!isGone(change) || !world.isAttached(name)) return [];
  return [danger("map-deleted", change.address, `a target proxy has the map ${name}`)];
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

function addressGone(change: Change, world: World): readonly PlanDanger[] {
  const { address, before } = change;
  const ip = String(before.address ?? "");
  const isServed = world.before.some(({ type, values }) => {
    return forwardingRuleTypes.has(type) && values.ip_address !== undefined && String(values.ip_address) === ip;
  });
  if (!isGone(change) || ip === "" || (!isServed && listOf(before.users).length === 0)) return [];
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
  const listed = domains.flatMap((known) => known ?? []).join(", ");
  return [danger("entry-certificate-mismatch", address, `${hostname} gets a certificate for ${listed}`)];
}

/** A proxy without a map that loses a certificate, and with it names that none of its others is for. */
function certificateTaken({ address, action, before, after, unknown }: Change, world: World): readonly PlanDanger[] {
  const isOpen = hasUnknown(unknown.certificate_manager_certificates) || hasUnknown(unknown.ssl_certificates);
  const isMapped = after.certificate_map || before.certificate_map || hasUnknown(unknown.certificate_map);
  if (action !== "update" || isOpen || isMapped) return [];
  const kept = directCertificates(after);
  const lost = directCertificates(before).filter((id) => !kept.includes(id));
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
  return [danger("certificate-detached", address, `no certificate of the proxy is for ${missing.join(", ")} any more`)];
}

/** An entry or proxy that gets a certificate which can't be served yet. */
function repointed(change: Change, attribute: string, world: World): readonly PlanDanger[] {
  const { address, action, before, after, unknown } = change;
  if (change.deposed || (action !== "update" && !(isMade(change) && takesOver(change, world)))) return [];
  // A map goes before the certificates that a proxy has of Compute Engine.
  if (attribute === "ssl_certificates" && (after.certificate_map || unknown.certificate_map)) return [];
  const inactive = world.hasOpenCondition(address) ? "repointed-behind-condition" : "repointed-to-inactive";
  const had = new Set(action === "update" ? textsOf(before[attribute]).map(bareId) : []);
  const added = textsOf(after[attribute]).filter((id) => !had.has(bareId(id)));
  const dangers: PlanDanger[] = [];
  const what =
    change.type === types.entry
      ? hostnameOf(before.hostname === undefined ? after : before)
      : String(before.name ?? after.name ?? "");
  for (const id of added) {
    const state = world.certificateState(id);
    if (state === "ACTIVE") continue;
    if (state === undefined) {
      dangers.push(danger("repointed-to-unknown", address, `${what} gets ${id}, of which the plan knows nothing`));
    } else if (!world.isGated(address)) {
      dangers.push(danger(inactive, address, `${what} gets ${id}, which is ${state}`));
    }
  }
  if (hasUnknown(unknown[attribute]) && !world.isGated(address)) {
    const referred = world.referredCertificates(address, attribute);
    const waiting = referred.filter(({ ready }) => !ready).map((one) => one.address);
    if (referred.length === 0 || waiting.length > 0) {
      const named = waiting.join(", ") || "a certificate that is not known yet";
      dangers.push(
        danger(inactive, address, `${what} gets ${named} as soon as it is made, which is before it is issued`),
      );
    }
  }
  return dangers;
}

/** Whether a new entry takes a hostname over from a wildcard or PRIMARY entry that serves it now. */
function takesOver({ type, after }: Change, world: World): boolean {
  if (type !== types.entry) return false;
  const map = lastOf(String(after.map ?? ""));
  const hostname = hostnameOf(after);
  return world.before.some(
    ({ type: other, values }) =>
      other === types.entry &&
      lastOf(String(values.map ?? "")) === map &&
      hostnameOf(values) !== hostname &&
      (hostnameOf(values) === "PRIMARY" || serves(hostnameOf(values), hostname)),
  );
}
