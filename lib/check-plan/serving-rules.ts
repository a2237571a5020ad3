import { asText, listOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { certificatesBrought, entryDangers } from "./entry-rules";
import {
  addressTypes,
  forwardingRuleTypes,
  hasUnknown,
  isChangedWithoutGap,
  isDeleted,
  proxyTypes,
  types,
} from "./kinds";
import { isTakenOver, isUnreached, movedFrom } from "./listeners";
import { nameOfMap } from "./lookup";
import { hasId } from "./names";
import type { Change, Resource } from "./plan-json";
import { coverName } from "./served-maps";
import {
  certificateAttributes,
  directCertificates,
  isTlsTarget,
  mapTaken,
  namesOf,
  proxyAt,
  ruleRepointed,
} from "./switch-rules";
import type { World } from "./world";

/** Checks maps, their entries, proxies, forwarding rules and addresses. */
export function servingDangers(world: World): readonly PlanDanger[] {
  const served = new Set(
    world.resourcesBefore(...forwardingRuleTypes).map(({ values }) => asText(values.ip_address ?? "")),
  );
  return [
    ...entryDangers(world),
    ...world.changes(types.map).flatMap((change) => mapDeleted(change, world)),
    ...world
      .changes(...proxyTypes)
      .filter(({ address, type, before, action }) => {
        return action === "create" || !isUnreached({ address, type, values: before }, world);
      })
      .flatMap((change) => [
        ...proxyDeleted(change, world),
        ...mapTaken(change, world),
        ...proxyRepointed(change, world),
        ...certificateTaken(change, world),
      ]),
    ...world
      .changes(...forwardingRuleTypes)
      .flatMap((change) => [...ruleDeleted(change, world), ...ruleRepointed(change, world)]),
    ...world.changes(...addressTypes).flatMap((change) => addressDeleted(change, served)),
  ];
}

function mapDeleted(change: Change, world: World): readonly PlanDanger[] {
  if (!isDeleted(change)) return [];
  const map = nameOfMap({ address: change.address, values: change.before });
  if (!world.isAttached(map)) return [];
  const hostnames = world.servedBefore.namesOf(map);
  return [danger("map-deleted", change.address, `a target proxy has the map ${map.path}`, { hostnames })];
}

function proxyDeleted(change: Change, world: World): readonly PlanDanger[] {
  if (!isDeleted(change)) return [];
  const code = change.action === "delete" ? "proxy-deleted" : "proxy-replaced";
  const message = `the target proxy ${asText(change.before.name ?? "")} serves no connection after its deletion`;
  return [danger(code, change.address, message, { hostnames: namesOf(change.before, world) })];
}

function ruleDeleted(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, deposed } = change;
  const moved = !deposed && action === "createThenDelete" ? movedFrom(change) : undefined;
  if (!(isDeleted(change) || moved !== undefined) || !isTlsTarget(before.target)) return [];
  if (moved !== undefined && before.ip_address === after.ip_address) {
    if (isTakenOver({ address, type: change.type, values: before }, world)) return [];
  }
  const proxy = proxyAt(asText(before.target), world.resourcesBefore(...proxyTypes));
  const hostnames = proxy === undefined ? [] : namesOf(proxy.values, world);
  const place = moved ?? asText(before.ip_address ?? "its address");
  const message = `no forwarding rule listens at ${place} after the apply`;
  return [danger("forwarding-rule-deleted", address, message, { hostnames })];
}

/** @param served addresses of forwarding rules */
function addressDeleted(change: Change, served: ReadonlySet<string>): readonly PlanDanger[] {
  const { address, before } = change;
  const ip = asText(before.address ?? "");
  if (!isDeleted(change) || ip === "" || (!served.has(ip) && listOf(before.users).length === 0)) return [];
  const message = `${ip} is released, and another customer may get it while DNS points to it`;
  return [danger("address-deleted", address, message)];
}

/** Reports a proxy without a map that loses a certificate whose names its other certificates don't contain. */
function certificateTaken(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, before, after, unknown } = change;
  const isMapped = after.certificate_map || before.certificate_map || hasUnknown(unknown.certificate_map);
  if (!isChangedWithoutGap(change) || isMapped) return [];
  const kept = directCertificates(after);
  const lost = directCertificates(before).filter((id) => !hasId(kept, id));
  if (lost.length === 0) return [];
  const held = { address, type, values: after };
  const others = certificateAttributes.flatMap((attribute) => world.domainsAfter(held, attribute));
  const losses = lost.map((id) => world.certificateDomains(id));
  const isOpen = certificateAttributes.some((attribute) => hasUnknown(unknown[attribute]));
  if (others.length > 0 && (others.includes(undefined) || losses.includes(undefined))) {
    if (isOpen) return [];
    const message = `the proxy loses ${lost.join(", ")} and keeps ${kept.join(", ")}`;
    const hostnames = [...new Set(losses.flatMap((loss) => loss ?? []))];
    return [danger("certificate-detached-unknown", address, message, { hostnames })];
  }
  const names = [...new Set(lost.flatMap((id, index) => losses[index] ?? [id]))];
  const missing = names.filter((name) => coverName(others, name) === false);
  const open = names.filter((name) => {
    return (
      missing.length === 0 &&
      isOpen &&
      certificateAttributes.every((certificateAttribute) => !isCertain(held, certificateAttribute, name, world))
    );
  });
  if (open.length > 0) {
    const message = `the proxy gets some of several certificates, and the plan does not show whether a certificate is for ${listed(open)}`;
    return [danger("certificate-detached-unknown", address, message, { hostnames: open })];
  }
  if (missing.length === 0) return [];
  const message = `no certificate of the proxy is for ${listed(missing)} after the apply`;
  return [danger("certificate-detached", address, message, { hostnames: missing })];
}

/** Returns whether an attribute certainly contains a certificate for a name. */
function isCertain(proxy: Resource, attribute: string, name: string, world: World): boolean {
  return coverName(world.domainsAfter(proxy, attribute), name) !== false && !world.mayMiss(proxy, attribute, name);
}

/**
 * Reports a proxy whose serving certificate is replaced with a certificate that is not issued yet. An additional
 * certificate is harmless, because the proxy presents only issued certificates.
 */
function proxyRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { before, after, unknown } = change;
  if (!isChangedWithoutGap(change)) return [];
  // A proxy with a map ignores its direct certificates.
  if (after.certificate_map || unknown.certificate_map) return [];
  const had = directCertificates(before);
  const kept = directCertificates(after).filter((id) => hasId(had, id));
  const lost = had.filter((id) => !hasId(kept, id));
  if (had.length > 0 && lost.length === 0) return [];
  const serving = kept
    .filter((id) => (world.certificateState(id) ?? "ACTIVE") === "ACTIVE")
    .map((id) => world.certificateDomains(id));
  const losses = lost.map((id) => world.certificateDomains(id));
  const names = losses.includes(undefined)
    ? undefined
    : [...new Set(losses.flatMap((loss) => loss ?? []))].filter((name) => coverName(serving, name) !== true);
  if (names !== undefined && had.length > 0 && names.length === 0) return [];
  // If the lost names are known, certificates for other names don't matter.
  const isNeeded = (id: string) => {
    const domains = world.certificateDomains(id);
    if (names === undefined || names.length === 0 || domains === undefined) return true;
    return names.some((name) => coverName([domains], name));
  };
  const receiver = { what: asText(before.name ?? after.name ?? ""), had, hostnames: names ?? [], isNeeded };
  return certificateAttributes.flatMap((attribute) => certificatesBrought(change, attribute, receiver, world));
}
