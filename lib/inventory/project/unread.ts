import { entryList, type ProjectListName, projectLists } from "../../google";
import { defined } from "../../json/defined";
import type {
  ProjectCertificateMap,
  ProjectInventory,
  ProjectProxy,
  ProjectUnread,
  ProjectUrlMap,
} from "../../project-inventory";
import { lastPart, regionIn } from "../../resource-names";

/** A list of a project, or the entries of its certificate maps. */
type ReadList = ProjectListName | "mapEntries";

function nounOf(list: ReadList): string {
  return list === "mapEntries" ? entryList.what : projectLists[list].what;
}

/** Returns whether all of the lists were read completely. */
export function wereRead({ unread }: Pick<ProjectInventory, "unread">, ...lists: readonly ReadList[]): boolean {
  return lists.every((list) => unread.every(({ what }) => what !== nounOf(list)));
}

/** Returns the lists that could not be read, in words, as in `DNS zones and URL maps`. */
export function unreadNouns({ unread }: Pick<ProjectInventory, "unread">, ...lists: readonly ReadList[]): string {
  const nouns = lists.filter((list) => !wereRead({ unread }, list)).map(nounOf);
  return nouns.join(" and ");
}

const withoutProxies = "certificates that nothing uses, and renewals of certificates of Compute Engine";

/** What an inventory cannot say without a list. */
const uncheckedWithout: Readonly<Record<ReadList, string>> = {
  forwardingRules: "addresses, schemes, and proxies without a forwarding rule",
  targetHttpsProxies: `HTTPS proxies, ${withoutProxies}`,
  targetSslProxies: `SSL proxies, ${withoutProxies}`,
  urlMaps: "owners that only a URL map shows",
  addresses: "names of reserved addresses",
  sslCertificates: "names, states, expiry and renewals of these certificates",
  certificates: "names, states, expiry and renewals of these certificates",
  certificateMaps: "names that the maps serve, and certificates that nothing uses",
  mapEntries: "names that the maps serve, and certificates that nothing uses",
  certificateIssuanceConfigs: "when certificates of private CAs are renewed",
  managedZones: "names without a zone",
};

export function uncheckedBecauseOf({ what }: ProjectUnread): string | undefined {
  const list = (Object.keys(uncheckedWithout) as ReadList[]).find((unreadList) => nounOf(unreadList) === what);
  return list === undefined ? undefined : uncheckedWithout[list];
}

/**
 * Removes references to lists that could not be read, so that a cloud can start with the inventory. A proxy keeps its
 * URL map and its certificate map, which are added without hosts and entries.
 */
export function withoutUnreadReferences(inventory: ProjectInventory): ProjectInventory {
  if (inventory.unread.length === 0) return inventory;
  const { forwardingRules, proxies, urlMaps, maps, addresses, certificates } = inventory;
  const keeps = (resources: readonly { readonly id: string }[], listOf: (id: string) => ReadList) => {
    const known = new Set(resources.map(({ id }) => id));
    return (id: string) => known.has(id) || wereRead(inventory, listOf(id));
  };
  const keepsProxy = keeps(proxies, (id) =>
    id.includes("/targetSslProxies/") ? "targetSslProxies" : "targetHttpsProxies",
  );
  const keepsAddress = keeps(addresses, () => "addresses");
  const keepsCertificate = keeps(certificates, (id) =>
    id.includes("/sslCertificates/") ? "sslCertificates" : "certificates",
  );
  return {
    ...inventory,
    forwardingRules: forwardingRules
      .filter(({ proxyId }) => keepsProxy(proxyId))
      .map(({ addressId, ...rule }) => ({
        ...rule,
        ...defined({ addressId: addressId !== undefined && keepsAddress(addressId) ? addressId : undefined }),
      })),
    proxies: proxies.map((proxy) => ({ ...proxy, certificateIds: proxy.certificateIds.filter(keepsCertificate) })),
    urlMaps: wereRead(inventory, "urlMaps") ? urlMaps : [...urlMaps, ...emptyUrlMaps(inventory)],
    maps: (wereRead(inventory, "certificateMaps") ? maps : [...maps, ...emptyMaps(inventory)]).map((map) => ({
      ...map,
      entries: map.entries.map((entry) => ({
        ...entry,
        certificateIds: entry.certificateIds.filter(keepsCertificate),
      })),
    })),
  };
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

function missing(
  proxies: readonly ProjectProxy[],
  idOf: (proxy: ProjectProxy) => string | undefined,
  resources: readonly { readonly id: string }[],
): readonly string[] {
  const known = new Set(resources.map(({ id }) => id));
  const named = proxies.flatMap((proxy) => idOf(proxy) ?? []);
  return [...new Set(named)].filter((id) => !known.has(id));
}
