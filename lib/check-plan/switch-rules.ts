import { textsOf } from "../json/fields";
import { lastPart, regionIn } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import { hostnameOf, proxyTypes } from "./kinds";
import { mapNamed } from "./lookup";
import { isSame, type ResourceName, resourceName } from "./names";
import type { Change, Held } from "./plan-json";
import { coverName, type Domains } from "./served-maps";
import type { World } from "./world";

/** A proxy that gets another map, or its first: that goes before whatever certificates the proxy has beside it. */
export function mapTaken(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete")) return [];
  const old = mapOf(before);
  if (!after.certificate_map && !unknown.certificate_map) {
    return old === undefined ? [] : mapLost({ address, type, values: after }, old, namesOf(before, world), world);
  }
  const next = world.mapAfter({ address, type, values: after });
  if (isSameMap(next, old) || (old === undefined && directCertificates(before).length === 0)) return [];
  return mapDangers(address, namesOf(before, world), next, world);
}

/** A proxy that loses its map: a rollback if its direct certificates are for every name, otherwise an outage. */
function mapLost(proxy: Held, map: ResourceName, names: readonly string[], world: World): readonly PlanDanger[] {
  const { address } = proxy;
  const direct = certificatesAfter(proxy, world);
  // PRIMARY is for clients without SNI, which get the first direct certificate.
  const missing = names.filter((name) => coverName(direct, name) === false);
  if (direct.length === 0 || missing.length > 0) {
    const what = direct.length === 0 ? "every hostname" : listed(missing);
    const message = `the proxy loses the map ${map.path}, and with it the certificates of ${what}`;
    return [danger("map-detached", address, message, { hostnames: direct.length === 0 ? names : missing })];
  }
  const unknown = names.filter((name) => coverName(direct, name) === undefined);
  if (unknown.length === 0 && names.length > 0) return [];
  const message = `the proxy loses the map ${map.path}, and presents ${listed(directCertificates(proxy.values)) || "certificates that are not known yet"}`;
  return [danger("map-detached-to-unknown", address, message, { hostnames: unknown })];
}

/** A rule that is led to another proxy, which then answers at the same address. */
export function ruleRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete") || !isTlsTarget(before.target)) return [];
  const target = String(after.target ?? "");
  if (target === "" ? !unknown.target : tail(target) === tail(before.target)) return [];
  const next =
    target === ""
      ? world.referred(address, "target", [...proxyTypes])
      : proxyAt(target, world.heldAfter(...proxyTypes));
  const old = proxyAt(String(before.target), world.heldBefore(...proxyTypes));
  const names = old === undefined ? [] : namesOf(old.values, world);
  if (target !== "" && !isTlsTarget(target)) {
    const message = `${tail(target)} does not speak TLS`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: names })];
  }
  if (next === undefined) {
    const what = tail(target) || "a target that is not known yet";
    return [danger("forwarding-rule-repointed-to-unknown", address, `it is led to ${what}`, { hostnames: names })];
  }
  // A proxy that is replaced is judged where it is replaced.
  if (next.address === old?.address) return [];
  if (!presents(next, world)) {
    const message = `${next.address} has neither a map nor certificates`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: names })];
  }
  const map = world.mapAfter(next);
  if (next.values.certificate_map || world.isUnknown(next.address, "certificate_map")) {
    return old !== undefined && isSameMap(map, mapOf(old.values)) ? [] : mapDangers(address, names, map, world);
  }
  const domains = certificatesAfter(next, world);
  if (domains.length === 0 || domains.includes(undefined)) {
    const message = `the plan does not know what the certificates of ${next.address} are for`;
    return [danger("forwarding-rule-repointed-to-unknown", address, message, { hostnames: names })];
  }
  const missing = names.filter((name) => coverName(domains, name) === false);
  if (missing.length > 0) {
    const message = `${next.address} has no certificate for ${listed(missing)}`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: missing })];
  }
  return directUnready(address, next, names, world);
}

/** A proxy that takes over with certificates of its own, before these are issued. */
function directUnready(address: string, next: Held, names: readonly string[], world: World): readonly PlanDanger[] {
  const unready = certificateAttributes.flatMap((attribute) => {
    const known = textsOf(next.values[attribute]).filter((id) => world.certificateState(id) === "PROVISIONING");
    const open = world.isUnknown(next.address, attribute) ? (world.referredUnready(next.address, attribute) ?? []) : [];
    const waiting = world.isGated(next.address, open) || world.isGated(address, open) ? [] : open;
    return [...known.filter((id) => !world.isGatedFor(address, [id])), ...waiting];
  });
  const ready = certificatesAfter(next, world, (id) => !unready.includes(id));
  const early = names.filter((name) => coverName(ready, name) !== true);
  if (unready.length === 0 || early.length === 0) return [];
  const message = `${next.address} presents ${listed(unready)} for ${listed(early)}, which is not issued yet`;
  return [danger("repointed-to-inactive", address, message, { hostnames: early })];
}

/** What is wrong with a map where these names are served now; all of its entries count where the names are not known. @param address of what is switched to it */
function mapDangers(
  address: string,
  names: readonly string[],
  map: ResourceName | undefined,
  world: World,
): readonly PlanDanger[] {
  if (map === undefined || !world.holdsMap(map)) {
    const message = `it gets the map ${map?.path ?? "that is not known yet"}`;
    return [danger("map-switched-to-unknown", address, message, { hostnames: names })];
  }
  const { entriesAfter: entries, servedAfter: served } = world;
  const missing = entries.has(map) ? names.filter((name) => lacks(map, name, world)) : names;
  if (missing.length > 0 || !entries.has(map)) {
    const why = `the map ${map.path} has no entry with a certificate for ${listed(missing) || "any name"}`;
    return [danger("map-switched-incomplete", address, why, { hostnames: missing })];
  }
  const serving: readonly (readonly [string, Held | undefined])[] =
    names.length === 0
      ? entries.of(map).map((held) => [hostnameOf(held.values), held])
      : names.map((name) => [name, served.chosen(map, name)]);
  const early: { readonly name: string; readonly why: string; readonly isConditioned: boolean }[] = [];
  for (const [name, entry] of serving) {
    const why = entry === undefined ? undefined : whyEarly(address, entry, name, world);
    if (entry === undefined || why === undefined) continue;
    early.push({ name, why, isConditioned: [address, entry.address].some((one) => world.hasOpenCondition(one)) });
  }
  return [true, false].flatMap((isConditioned) => {
    const found = early.filter((one) => one.isConditioned === isConditioned);
    if (found.length === 0) return [];
    const reasons = listed(
      found.map(({ name, why }) => `${name}: ${why}`),
      "; ",
    );
    const code = isConditioned ? "repointed-behind-condition" : "map-switched-early";
    const hostnames = found.map(({ name }) => name);
    return [danger(code, address, `it gets the map ${map.path} before that can serve ${reasons}`, { hostnames })];
  });
}

/** Whether a map has no entry for a name after the apply, or one with certificates for other names. */
function lacks(map: ResourceName, name: string, { servedAfter: served }: World): boolean {
  const entry = served.chosen(map, name);
  return entry === undefined || (served.domainsOf(entry).length > 0 && served.isFor(entry, name) === false);
}

/**
 * Returns why an entry may serve a name later than the change that uses the entry; undefined if it serves before. An
 * entry that this apply creates serves before only if the plan orders it before the change.
 */
function whyEarly(address: string, entry: Held, name: string, world: World): string | undefined {
  const isThere = !world.isMadeNow(entry.address) && world.servesNow(entry.address, name);
  if (!isThere && !world.isAfter(address, entry.address)) {
    const why = world.whyUnready(entry, name);
    return `${entry.address} is made or changed in the same apply, and ${address} does not depend on it${why === undefined ? "" : `; ${why}`}`;
  }
  return world.whyUnready(entry, name, address);
}

function mapOf(proxy: Held["values"]): ResourceName | undefined {
  return proxy.certificate_map ? mapNamed(proxy.certificate_map, proxy) : undefined;
}

function isSameMap(a: ResourceName | undefined, b: ResourceName | undefined): boolean {
  return a !== undefined && b !== undefined && isSame(a, b);
}

/** What a proxy serves now, as far as the plan knows: the hostnames of its map, or else the names of its certificates. */
export function namesOf(proxy: Held["values"], world: World): readonly string[] {
  const map = mapOf(proxy);
  if (map === undefined) {
    return [...new Set(directCertificates(proxy).flatMap((id) => world.certificateDomains(id) ?? []))];
  }
  return world.servedBefore.namesOf(map);
}

/** Attributes of a proxy that hold certificates. */
export const certificateAttributes = ["certificate_manager_certificates", "ssl_certificates"] as const;

/** What the certificates of a proxy will be for. @param isWanted by id, or by address where the id is not known yet */
function certificatesAfter(proxy: Held, world: World, isWanted: (id: string) => boolean = () => true): Domains {
  return certificateAttributes.flatMap((attribute) => world.domainsAfter(proxy, attribute, isWanted));
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
  const region = regionIn(target);
  return held.find(
    ({ type, values }) =>
      proxyTypes.has(type) &&
      (type === "google_compute_target_ssl_proxy") === kind &&
      (type === "google_compute_region_target_https_proxy") === (region !== undefined) &&
      values.name === lastPart(target) &&
      (typeof values.region !== "string" || lastPart(values.region) === region) &&
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
