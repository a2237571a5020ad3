import { coverageOf } from "../../hostnames";
import type { ProjectInventory, ProjectProxy } from "./model";

type Served = Pick<ProjectInventory, "proxies" | "certificates" | "maps" | "urlMaps">;

/**
 * Returns a function that returns the names for which a proxy has a certificate, sorted: the hostnames of the entries of
 * its map, or the domains of its certificates. Wildcards are among them.
 */
export function servedNames({ certificates, maps }: Served): (proxy: ProjectProxy) => readonly string[] {
  const domains = new Map(certificates.map((certificate) => [certificate.id, certificate.domains]));
  const entries = new Map(maps.map((map) => [map.id, map.entries]));
  return ({ mapId, certificateIds }) => {
    const names =
      mapId === undefined
        ? certificateIds.flatMap((id) => domains.get(id) ?? [])
        : (entries.get(mapId) ?? []).flatMap(({ hostname, certificateIds: own }) =>
            hostname === "PRIMARY" ? own.flatMap((id) => domains.get(id) ?? []) : [hostname],
          );
    return [...new Set(names)].sort();
  };
}

/**
 * Returns a function that returns the names that a client can request from a proxy, sorted: its served names, and the
 * hosts of its URL map that a wildcard covers. A wildcard without a known host is represented by its name with `www`.
 */
export function knownNames(inventory: Served): (proxy: ProjectProxy) => readonly string[] {
  const servedBy = servedNames(inventory);
  const hosts = new Map(inventory.urlMaps.map((urlMap) => [urlMap.id, urlMap.hosts]));
  return (proxy) => {
    const served = servedBy(proxy);
    const names = new Set(served);
    const exact = served.filter((name) => !name.startsWith("*."));
    const routed = (hosts.get(proxy.urlMapId ?? "") ?? []).filter(
      (host) => !host.includes("*") && coverageOf(names, host) !== "none",
    );
    const known = new Set([...exact, ...routed]);
    for (const name of names) {
      if (!name.startsWith("*.")) continue;
      const isKnown = [...known].some((host) => host.slice(host.indexOf(".")) === name.slice(1));
      if (!isKnown) known.add(`www${name.slice(1)}`);
    }
    return [...known].sort();
  };
}
