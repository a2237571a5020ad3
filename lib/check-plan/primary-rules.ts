/** Certificates for clients without SNI: of the PRIMARY entry of a map, or the first certificate of a proxy. */
import { textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { hostnameOf, proxyTypes, types } from "./kinds";
import { isUnreached } from "./listeners";
import { isSame, type ResourceName } from "./names";
import type { Resource } from "./plan-json";
import { coverName, type Domains } from "./served-maps";
import { mapOf } from "./switch-rules";
import type { World } from "./world";

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
    const [old, next] = [mapOf(was.values), world.mapAfter(proxy)];
    if (old !== undefined && next !== undefined) {
      return isSame(old, next) ? [] : mapSwitched(proxy, old, next, world);
    }
    const isMapped = proxy.values.certificate_map || world.isUnknown(proxy.address, "certificate_map");
    return old !== undefined || isMapped ? [] : firstSwitched(proxy, was, world);
  });
}

function mapSwitched(proxy: Resource, old: ResourceName, next: ResourceName, world: World): readonly PlanDanger[] {
  const [was, will] = [world.servedBefore.chosen(old, "PRIMARY"), world.servedAfter.chosen(next, "PRIMARY")];
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
