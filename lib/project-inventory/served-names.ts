import type { ProjectInventory, ProjectProxy } from "./model";

/** Resources that decide which names a proxy serves. */
export type ServedResources = Pick<ProjectInventory, "proxies" | "certificates" | "maps" | "urlMaps">;

/**
 * Returns a function that returns the names for which a proxy has a certificate, sorted: the hostnames of the entries
 * of its map, or the domains of its certificates. Wildcards are among them.
 */
export function namesServedByProxy({
  certificates,
  maps,
}: ServedResources): (proxy: ProjectProxy) => readonly string[] {
  const domains = new Map(certificates.map((certificate) => [certificate.id, certificate.domains]));
  const entries = new Map(maps.map((map) => [map.id, map.entries]));
  return ({ mapId, certificateIds }) => {
    const names =
      mapId === undefined
        ? certificateIds.flatMap((id) => domains.get(id) ?? [])
        : (entries.get(mapId) ?? []).flatMap(({ hostname, certificateIds: presented }) =>
            hostname === "PRIMARY" ? presented.flatMap((id) => domains.get(id) ?? []) : [hostname],
          );
    return [...new Set(names)].sort();
  };
}
