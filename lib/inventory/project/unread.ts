import { entryList, type ProjectListName, projectLists } from "../../google";
import type { ProjectInventory, ProjectUnread } from "./model";

/** A list of a project, or the entries of its certificate maps. */
export type ReadList = ProjectListName | "mapEntries";

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

/** What an inventory cannot say without a list. */
const uncheckedWithout: Readonly<Record<ReadList, string>> = {
  forwardingRules: "addresses, schemes, and proxies without a forwarding rule",
  targetHttpsProxies: "HTTPS proxies, and certificates that nothing uses",
  targetSslProxies: "SSL proxies, and certificates that nothing uses",
  urlMaps: "owners that only a URL map shows",
  addresses: "names of reserved addresses",
  sslCertificates: "names, states and expiry of these certificates",
  certificates: "names, states and expiry of these certificates",
  certificateMaps: "names that the maps serve, and certificates that nothing uses",
  mapEntries: "names that the maps serve, and certificates that nothing uses",
  managedZones: "names without a zone",
};

/** Returns what could not be checked because of a list that could not be read. */
export function uncheckedBecauseOf({ what }: ProjectUnread): string | undefined {
  const list = (Object.keys(uncheckedWithout) as ReadList[]).find((one) => nounOf(one) === what);
  return list === undefined ? undefined : uncheckedWithout[list];
}
