/** Direct certificates of proxies that have a map: they are detached after the map is attached, and deleted last. */
import { danger, listed, type PlanDanger } from "./dangers";
import { classicTypes, domainsOf, isDeleted, proxyTypes } from "./kinds";
import { mapNamed, nameOfCertificate } from "./lookup";
import { isSame, type ResourceName, resourceName } from "./names";
import type { Change } from "./plan-json";
import { directCertificates } from "./switch-rules";
import type { World } from "./world";

export function detachmentDangers(world: World): readonly PlanDanger[] {
  const detached = world.changes(...proxyTypes).flatMap(detachedFrom);
  return [
    ...detached.flatMap((one) => detachedEarly(one, world)),
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
  const { address, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete")) return [];
  if (!after.certificate_map && !unknown.certificate_map) return [];
  // Certificates that are not known yet are successors, as in a rotation.
  if (unknown.ssl_certificates || unknown.certificate_manager_certificates) return [];
  const kept = directCertificates(after);
  const ids = directCertificates(before).filter((id) => !has(kept, id));
  if (ids.length === 0) return [];
  const [old, next] = [before, after].map((values) =>
    values.certificate_map ? mapNamed(values.certificate_map, values) : undefined,
  );
  return [{ address, ids, keptMap: old !== undefined && next !== undefined && isSame(old, next) ? old : undefined }];
}

function detachedEarly({ address, ids, keptMap }: Detached, world: World): readonly PlanDanger[] {
  const names = [...new Set(ids.flatMap((id) => world.certificateDomains(id) ?? []))];
  if (keptMap === undefined) {
    const message = `it gets a map and loses ${listed(ids)} at once`;
    return [danger("certificate-detached-with-switch", address, message, { hostnames: names })];
  }
  if (!world.holdsMap(keptMap)) {
    const message = `it loses ${listed(ids)}, and the plan does not contain the map ${keptMap.path}`;
    return [danger("certificate-detached-unchecked", address, message, { hostnames: names })];
  }
  const missing = names.filter((name) => !isServed(keptMap, name, world));
  if (missing.length > 0) {
    const message = `it loses ${listed(ids)}, and the map ${keptMap.path} has no ACTIVE entry for ${listed(missing)}`;
    return [danger("certificate-detached-unmapped", address, message, { hostnames: missing })];
  }
  const unknown = ids.filter((id) => world.certificateDomains(id) === undefined);
  if (unknown.length === 0) return [];
  const message = `it loses ${listed(unknown)}, and the plan does not contain the names of these certificates`;
  return [danger("certificate-detached-unchecked", address, message, { hostnames: names })];
}

/** Whether a map serves a name before and after the apply. */
function isServed(map: ResourceName, name: string, world: World): boolean {
  const before = world.servedBefore.chosen(map, name);
  if (before === undefined || !world.servesNow(before.address, name)) return false;
  if (world.servedAfter.isServed(map, name) === false) return false;
  return before.values.state === undefined || before.values.state === "ACTIVE";
}

/** A certificate that is deleted in the apply which detaches it. */
function deletedWith(change: Change, detached: readonly Detached[]): readonly PlanDanger[] {
  const { address, type, before } = change;
  if (!isDeleted(change)) return [];
  const name = nameOfCertificate({ type, values: before });
  return detached
    .filter(({ ids }) => ids.some((id) => isSame(resourceName(id), name)))
    .map((from) =>
      danger(
        "certificate-deleted-with-detachment",
        address,
        `${String(before.name)} is detached from ${from.address} in the same apply`,
        {
          hostnames: domainsOf(before),
        },
      ),
    );
}

function has(ids: readonly string[], id: string): boolean {
  return ids.some((one) => isSame(resourceName(one), resourceName(id)));
}
