import { textsOf } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { hostnameOf, proxyTypes } from "./kinds";
import { mapNamed } from "./lookup";
import { isSame, lastOf, type ResourceName, resourceName, serves } from "./names";
import type { Change, Held } from "./plan-json";
import type { World } from "./world";

/** A proxy that gets another map, or its first: that goes before whatever certificates the proxy has beside it. */
export function mapTaken(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete")) return [];
  const old = mapOf(before);
  if (!after.certificate_map && !unknown.certificate_map) {
    if (old === undefined) return [];
    return [
      danger(
        "map-detached",
        address,
        `the proxy loses the map ${old.path}, and with it the certificates of every hostname`,
      ),
    ];
  }
  const next = world.mapAfter({ address, type, values: after });
  if (isSameMap(next, old) || (old === undefined && directCertificates(before).length === 0)) return [];
  return mapDangers(address, namesOf(before, world), next, world);
}

/** A rule that is led to another proxy, which then answers at the same address. */
export function ruleRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete") || !isTlsTarget(before.target)) return [];
  const target = String(after.target ?? "");
  if (target === "" ? !unknown.target : tail(target) === tail(before.target)) return [];
  if (target !== "" && !isTlsTarget(target)) {
    return [danger("forwarding-rule-repointed", address, `${tail(target)} does not speak TLS`)];
  }
  const next =
    target === ""
      ? world.referred(address, "target", [...proxyTypes])
      : proxyAt(target, world.heldAfter(...proxyTypes));
  const old = proxyAt(String(before.target), world.heldBefore(...proxyTypes));
  if (next === undefined) {
    const what = tail(target) || "a target that is not known yet";
    return [danger("forwarding-rule-repointed-to-unknown", address, `it is led to ${what}`)];
  }
  // A proxy that is replaced is judged where it is replaced.
  if (next.address === old?.address) return [];
  if (!presents(next, world)) {
    return [danger("forwarding-rule-repointed", address, `${next.address} has neither a map nor certificates`)];
  }
  const names = old === undefined ? [] : namesOf(old.values, world);
  const map = world.mapAfter(next);
  if (next.values.certificate_map || world.isUnknown(next.address, "certificate_map")) {
    return old !== undefined && isSameMap(map, mapOf(old.values)) ? [] : mapDangers(address, names, map, world);
  }
  const domains = directCertificates(next.values).map((id) => world.certificateDomains(id));
  if (domains.length === 0 || domains.includes(undefined)) {
    const message = `the plan does not know what the certificates of ${next.address} are for`;
    return [danger("forwarding-rule-repointed-to-unknown", address, message)];
  }
  const missing = names.filter((name) => !domains.some((one) => one?.some((domain) => serves(domain, name))));
  if (missing.length === 0) return [];
  return [danger("forwarding-rule-repointed", address, `${next.address} has no certificate for ${listed(missing)}`)];
}

/** What is wrong with a map where these names are served now; all of its entries count where the names are not known. */
function mapDangers(
  address: string,
  names: readonly string[],
  map: ResourceName | undefined,
  world: World,
): readonly PlanDanger[] {
  if (map === undefined || !world.holdsMap(map)) {
    return [danger("map-switched-to-unknown", address, `it gets the map ${map?.path ?? "that is not known yet"}`)];
  }
  const entries = world.entriesAfter;
  const found = names.map((name) => [name, entries.find(map, name)] as const);
  const missing = entries.has(map) ? found.flatMap(([name, one]) => (one === undefined ? name : [])) : ["any name"];
  if (missing.length > 0) {
    return [danger("map-switched-incomplete", address, `the map ${map.path} has no entry for ${listed(missing)}`)];
  }
  if (world.isGated(address)) return [];
  const serving = names.length === 0 ? entries.of(map) : new Set(found.flatMap(([, one]) => one ?? []));
  const unready = [...serving].flatMap((held) => {
    const why = world.whyUnready(held);
    return why === undefined ? [] : [`${hostnameOf(held.values)}: ${why}`];
  });
  if (unready.length === 0) return [];
  const message = `it gets the map ${map.path} before that can serve ${listed(unready, "; ")}`;
  return [danger("map-switched-early", address, message)];
}

function mapOf(proxy: Held["values"]): ResourceName | undefined {
  return proxy.certificate_map ? mapNamed(proxy.certificate_map, proxy) : undefined;
}

function isSameMap(a: ResourceName | undefined, b: ResourceName | undefined): boolean {
  return a !== undefined && b !== undefined && isSame(a, b);
}

/** What a proxy serves, as far as the plan knows: the hostnames of its map, or else the names of its certificates. */
function namesOf(proxy: Held["values"], world: World): readonly string[] {
  const map = mapOf(proxy);
  if (map === undefined) return directCertificates(proxy).flatMap((id) => world.certificateDomains(id) ?? []);
  return world.entriesBefore.of(map).map(({ values }) => hostnameOf(values));
}

/** Ids of the certificates that a proxy has beside a map. */
export function directCertificates(proxy: Held["values"]): readonly string[] {
  return [proxy.certificate_manager_certificates, proxy.ssl_certificates].flatMap(textsOf);
}

/** Whether a proxy has anything to present. */
export function presents({ address, values }: Held, world: World): boolean {
  if (values.certificate_map || directCertificates(values).length > 0) return true;
  return ["certificate_map", "certificate_manager_certificates", "ssl_certificates"].some((attribute) =>
    world.isUnknown(address, attribute),
  );
}

/** Whether what a forwarding rule leads to answers with a certificate. */
export function isTlsTarget(target: unknown): boolean {
  return /(?:^|\/)target(?:Https|Ssl)Proxies\//.test(String(target ?? ""));
}

/** The proxy that a rule leads to. */
export function proxyAt(target: string, held: readonly Held[]): Held | undefined {
  const kind = /(?:^|\/)targetSslProxies\//.test(target);
  const { project } = resourceName(target);
  const region = /(?:^|\/)regions\/([^/]+)\//.exec(target)?.[1];
  return held.find(
    ({ type, values }) =>
      proxyTypes.has(type) &&
      (type === "google_compute_target_ssl_proxy") === kind &&
      (type === "google_compute_region_target_https_proxy") === (region !== undefined) &&
      values.name === lastOf(target) &&
      (typeof values.region !== "string" || lastOf(values.region) === region) &&
      (project === undefined || typeof values.project !== "string" || values.project === project),
  );
}

/** `targetHttpsProxies/web` of a path. */
function tail(target: unknown): string {
  return String(target ?? "")
    .split("/")
    .slice(-2)
    .join("/");
}
