import { defined } from "../../json/defined";
import { lastPart, regionIn } from "../../resource-names";
import type { ProjectCertificateMap, ProjectInventory, ProjectProxy, ProjectUrlMap } from "./model";
import { wereRead } from "./unread";

/**
 * Returns an inventory in which nothing refers to a list that could not be read, so that a cloud can start with it.
 * Rules without their proxies and references to unread certificates are left out. A proxy keeps its URL map and its
 * certificate map, which are added without hosts and entries. References to lists that were read stay unchanged.
 */
export function withoutUnreadReferences(inventory: ProjectInventory): ProjectInventory {
  if (inventory.unread.length === 0) return inventory;
  const { forwardingRules, proxies, urlMaps, maps, addresses } = inventory;
  const known = new Set(proxies.map(({ id }) => id));
  const keepsProxy = (id: string) => known.has(id) || wereRead(inventory, listOfProxy(id));
  const knownAddresses = new Set(addresses.map(({ id }) => id));
  const keepsAddress = (id: string) => knownAddresses.has(id) || wereRead(inventory, "addresses");
  const keepCertificates = keptCertificates(inventory);
  return {
    ...inventory,
    forwardingRules: forwardingRules
      .filter(({ proxyId }) => keepsProxy(proxyId))
      .map(({ addressId, ...rule }) => ({
        ...rule,
        ...defined({ addressId: addressId !== undefined && keepsAddress(addressId) ? addressId : undefined }),
      })),
    proxies: proxies.map((proxy) => ({ ...proxy, certificateIds: keepCertificates(proxy.certificateIds) })),
    urlMaps: wereRead(inventory, "urlMaps") ? urlMaps : [...urlMaps, ...emptyUrlMaps(inventory)],
    maps: (wereRead(inventory, "certificateMaps") ? maps : [...maps, ...emptyMaps(inventory)]).map((map) => ({
      ...map,
      entries: map.entries.map((entry) => ({ ...entry, certificateIds: keepCertificates(entry.certificateIds) })),
    })),
  };
}

function listOfProxy(id: string): "targetHttpsProxies" | "targetSslProxies" {
  return id.includes("/targetSslProxies/") ? "targetSslProxies" : "targetHttpsProxies";
}

function keptCertificates(inventory: ProjectInventory): (ids: readonly string[]) => readonly string[] {
  const known = new Set(inventory.certificates.map(({ id }) => id));
  const listOf = (id: string) => (id.includes("/sslCertificates/") ? "sslCertificates" : "certificates");
  return (ids) => ids.filter((id) => known.has(id) || wereRead(inventory, listOf(id)));
}

function emptyUrlMaps({ proxies, urlMaps }: ProjectInventory): readonly ProjectUrlMap[] {
  return missing(proxies, ({ urlMapId }) => urlMapId, urlMaps).map((id) => ({
    id,
    name: lastPart(id),
    ...defined({ region: regionIn(id) }),
    hosts: [],
    backendIds: [],
  }));
}

function emptyMaps({ proxies, maps }: ProjectInventory): readonly ProjectCertificateMap[] {
  return missing(proxies, ({ mapId }) => mapId, maps).map((id) => ({
    id,
    name: lastPart(id),
    entries: [],
    proxyIds: proxies.filter(({ mapId }) => mapId === id).map((proxy) => proxy.id),
  }));
}

/** Returns the ids that proxies name and that are not ids of the resources. */
function missing(
  proxies: readonly ProjectProxy[],
  idOf: (proxy: ProjectProxy) => string | undefined,
  resources: readonly { readonly id: string }[],
): readonly string[] {
  const known = new Set(resources.map(({ id }) => id));
  const named = proxies.flatMap((proxy) => idOf(proxy) ?? []);
  return [...new Set(named)].filter((id) => !known.has(id));
}
