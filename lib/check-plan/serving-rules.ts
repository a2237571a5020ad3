import { asText, listOf, textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { certificatesBrought, entryDangers } from "./entry-rules";
import {
  addressTypes,
  forwardingRuleTypes,
  hasId,
  hasUnknown,
  hostnameOf,
  isSame,
  proxyTypes,
  type ResourceName,
  types,
} from "./kinds";
import { coverName, type Domains, nameOfMap } from "./lookup";
import { type Change, isChangedWithoutGap, isDeleted, type Resource } from "./plan-json";
import {
  certificateAttributes,
  directCertificates,
  isTakenOver,
  isTlsTarget,
  isUnreached,
  mapOf,
  mapTaken,
  movedFrom,
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

/**
 * Reports changed certificates for clients without SNI: of the PRIMARY entry of a map, or the first certificate of a
 * proxy.
 */
export function primaryDangers(world: World): readonly PlanDanger[] {
  return [...mapsSwitched(world), ...proxiesSwitched(world)];
}

/** Checks the PRIMARY entries of maps that proxies keep. */
function mapsSwitched(world: World): readonly PlanDanger[] {
  return world.resourcesAfter(types.entry).flatMap((entry) => {
    if (hostnameOf(entry.values) !== "PRIMARY") return [];
    const map = world.mapAfter(entry);
    const was = map === undefined ? undefined : world.servedBefore.chosen(map, "PRIMARY");
    if (map === undefined || was === undefined || !world.isAttached(map) || !world.staysAttached(map)) return [];
    return switched(
      entry.address,
      world.servedBefore.domainsOf(was),
      world.domainsAfter(entry, "certificates"),
      (name) => {
        return world.servedAfter.isServed(map, name) === false;
      },
    );
  });
}

/** Checks proxies that get another map, or another first certificate. */
function proxiesSwitched(world: World): readonly PlanDanger[] {
  return world.resourcesAfter(...proxyTypes).flatMap((proxy) => {
    const was = world.at(proxy.address);
    if (was === undefined || isUnreached(was, world)) return [];
    const [former, next] = [mapOf(was.values), world.mapAfter(proxy)];
    if (former !== undefined && next !== undefined) {
      return isSame(former, next) ? [] : mapSwitched(proxy, former, next, world);
    }
    const isMapped = proxy.values.certificate_map || world.isUnknown(proxy.address, "certificate_map");
    return former !== undefined || isMapped ? [] : firstSwitched(proxy, was, world);
  });
}

function mapSwitched(proxy: Resource, former: ResourceName, next: ResourceName, world: World): readonly PlanDanger[] {
  const [was, will] = [world.servedBefore.chosen(former, "PRIMARY"), world.servedAfter.chosen(next, "PRIMARY")];
  if (was === undefined || will === undefined) return [];
  const had = world.servedBefore.domainsOf(was);
  return switched(proxy.address, had, world.domainsAfter(will, "certificates"), (name) => {
    return world.servedAfter.isServed(next, name) === false;
  });
}

/** A proxy without a map presents its first certificate to clients without SNI. */
function firstSwitched(proxy: Resource, was: Resource, world: World): readonly PlanDanger[] {
  const attribute = ["ssl_certificates", "certificate_manager_certificates"].find((candidate) => {
    return textsOf(was.values[candidate]).length > 0;
  });
  if (attribute === undefined || world.isUnknown(proxy.address, attribute)) return [];
  const [first] = textsOf(was.values[attribute]);
  const [next] = textsOf(proxy.values[attribute]);
  if (first === undefined || next === undefined || first === next) return [];
  const direct = world.domainsAfter(proxy, attribute);
  return switched(proxy.address, world.certificateDomains(first) ?? [], [world.certificateDomains(next)], (name) => {
    return coverName(direct, name) === false;
  });
}

/**
 * Reports names that are not in the certificates for clients without SNI any more.
 *
 * @param isReported returns whether clients with SNI lose the name too, which other rules report
 */
function switched(
  address: string,
  had: readonly string[],
  certificates: Domains,
  isReported: (name: string) => boolean,
): readonly PlanDanger[] {
  const lost = [...new Set(had)].filter((name) => coverName(certificates, name) === false && !isReported(name));
  if (lost.length === 0) return [];
  const domains = listed([...new Set(certificates.flatMap((names) => names ?? []))]);
  const message = `clients without SNI get a certificate for ${domains || "other names"}, which is not for ${listed(lost)}`;
  return [danger("primary-certificate-switched", address, message, { hostnames: lost })];
}
