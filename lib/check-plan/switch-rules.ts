import { asText, listOf, textsOf } from "../json/fields";
import { lastPart, regionIn } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import {
  addressTypes,
  forwardingRuleTypes,
  hostnameOf,
  isSame,
  proxyTypes,
  type ResourceName,
  resourceName,
} from "./kinds";
import { coverName, type Domains, mapNamed } from "./lookup";
import { type Change, isChangedWithoutGap, type Resource } from "./plan-json";
import type { World } from "./world";

/** Checks a proxy that gets a first or another map. A proxy with a map ignores its direct certificates. */
export function mapTaken(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, before, after, unknown } = change;
  if (!isChangedWithoutGap(change)) return [];
  const former = mapOf(before);
  if (!after.certificate_map && !unknown.certificate_map) {
    return former === undefined ? [] : mapLost({ address, type, values: after }, former, namesOf(before, world), world);
  }
  const next = world.mapAfter({ address, type, values: after });
  const direct = directCertificates(before);
  if (isSameMap(next, former) || (former === undefined && direct.length === 0)) return [];
  const dangers = mapDangers(address, namesOf(before, world), next, world);
  if (dangers.length > 0) return dangers;
  const open = former === undefined ? direct.filter((id) => world.certificateDomains(id) === undefined) : [];
  if (open.length === 0 || next === undefined || !world.holdsMap(next)) return dangers;
  // A migration of this project checks the names of the previous certificates itself ('mustServe').
  if (world.servedAfter.entriesOf(next).some((entry) => world.isGated(entry.address))) return dangers;
  const message = `the proxy gets the map ${next.path} in place of ${listed(open)}, whose names the plan does not contain`;
  return [danger("map-switched-unchecked", address, message)];
}

/** Checks a proxy that loses its map: a rollback if its direct certificates cover all names, otherwise an outage. */
function mapLost(proxy: Resource, map: ResourceName, names: readonly string[], world: World): readonly PlanDanger[] {
  const { address } = proxy;
  const direct = certificatesAfter(proxy, world);
  // PRIMARY is for clients without SNI, which get the first direct certificate.
  const missing = names.filter((name) => coverName(direct, name) === false);
  if (direct.length === 0 || missing.length > 0) {
    const what = direct.length === 0 ? "every hostname" : listed(missing);
    const message = `the proxy loses the map ${map.path} with the certificates of ${what}`;
    return [danger("map-detached", address, message, { hostnames: direct.length === 0 ? names : missing })];
  }
  const unknown = names.filter((name) => coverName(direct, name) === undefined);
  if (unknown.length === 0 && names.length > 0) return [];
  const message = `the proxy loses the map ${map.path}, and presents ${listed(directCertificates(proxy.values)) || "certificates that are unknown before the apply"}`;
  return [danger("map-detached-to-unknown", address, message, { hostnames: unknown })];
}

/** Checks a forwarding rule that gets another target. */
export function ruleRepointed(change: Change, world: World): readonly PlanDanger[] {
  const { address, before, after, unknown } = change;
  if (!isChangedWithoutGap(change) || !isTlsTarget(before.target)) return [];
  const target = asText(after.target ?? "");
  if (target === "" ? !unknown.target : tail(target) === tail(before.target)) return [];
  const next =
    target === ""
      ? world.referred(address, "target", [...proxyTypes])
      : proxyAt(target, world.resourcesAfter(...proxyTypes));
  const former = proxyAt(asText(before.target), world.resourcesBefore(...proxyTypes));
  const names = former === undefined ? [] : namesOf(former.values, world);
  if (target !== "" && !isTlsTarget(target)) {
    const message = `the new target ${tail(target)} does not terminate TLS`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: names })];
  }
  if (next === undefined) {
    const what = tail(target) || "that is unknown before the apply";
    const message = `the rule gets the target ${what}`;
    return [danger("forwarding-rule-repointed-to-unknown", address, message, { hostnames: names })];
  }
  // `proxyDeleted` reports a replaced proxy.
  if (next.address === former?.address) return [];
  if (!presents(next, world)) {
    const message = `${next.address} has neither a map nor certificates`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: names })];
  }
  const map = world.mapAfter(next);
  if (next.values.certificate_map || world.isUnknown(next.address, "certificate_map")) {
    return isSameMap(map, former && mapOf(former.values)) ? [] : mapDangers(address, names, map, world);
  }
  const domains = certificatesAfter(next, world);
  if (domains.length === 0 || domains.includes(undefined)) {
    const message = `the plan does not contain the names in the certificates of ${next.address}`;
    return [danger("forwarding-rule-repointed-to-unknown", address, message, { hostnames: names })];
  }
  const missing = names.filter((name) => coverName(domains, name) === false);
  if (missing.length > 0) {
    const message = `${next.address} has no certificate for ${listed(missing)}`;
    return [danger("forwarding-rule-repointed", address, message, { hostnames: missing })];
  }
  return directUnready(address, next, names, world);
}

/** Reports a new target whose direct certificates are not issued yet. */
function directUnready(address: string, next: Resource, names: readonly string[], world: World): readonly PlanDanger[] {
  const unready = certificateAttributes.flatMap((attribute) => {
    const known = textsOf(next.values[attribute]).filter((id) => world.certificateState(id) === "PROVISIONING");
    const open = world.isUnknown(next.address, attribute) ? (world.referredUnready(next.address, attribute) ?? []) : [];
    const waiting = world.isGated(next.address, open) || world.isGated(address, open) ? [] : open;
    return [...known.filter((id) => !world.isGatedFor(address, [id])), ...waiting];
  });
  const ready = certificatesAfter(next, world, (id) => !unready.includes(id));
  const early = names.filter((name) => coverName(ready, name) !== true);
  if (unready.length === 0 || early.length === 0) return [];
  const message = `${next.address} presents ${listed(unready)} for ${listed(early)}, and these certificates are not issued yet`;
  return [danger("repointed-to-inactive", address, message, { hostnames: early })];
}

/**
 * Checks whether a map can serve these names.
 *
 * @param address address of the proxy or rule that gets the map
 * @param names names that are served now; if empty, all entries of the map are checked
 */
function mapDangers(
  address: string,
  names: readonly string[],
  map: ResourceName | undefined,
  world: World,
): readonly PlanDanger[] {
  if (map === undefined || !world.holdsMap(map)) {
    const message = `the new map ${map?.path ?? "is unknown before the apply, and"} is not in the plan`;
    return [danger("map-switched-to-unknown", address, message, { hostnames: names })];
  }
  const { servedAfter: served } = world;
  const entries = served.entriesOf(map);
  const missing = names.filter((name) => lacks(map, name, world));
  if (missing.length > 0 || entries.length === 0) {
    const why = `the map ${map.path} has no entry with a certificate for ${listed(missing) || "any name"}`;
    return [danger("map-switched-incomplete", address, why, { hostnames: missing })];
  }
  const serving: readonly (readonly [string, Resource | undefined])[] =
    names.length === 0
      ? entries.map((held) => [hostnameOf(held.values), held])
      : names.map((name) => [name, served.chosen(map, name)]);
  const early: { readonly name: string; readonly why: string; readonly isConditioned: boolean }[] = [];
  for (const [name, entry] of serving) {
    const why = entry === undefined ? undefined : whyEarly(address, entry, name, world);
    if (entry === undefined || why === undefined) continue;
    early.push({ name, why, isConditioned: [address, entry.address].some((holder) => world.hasOpenCondition(holder)) });
  }
  return [true, false].flatMap((isConditioned) => {
    const found = early.filter((earlyName) => earlyName.isConditioned === isConditioned);
    if (found.length === 0) return [];
    const reasons = found.map(({ name, why }) => `${name}: ${why}`);
    const message = `the new map ${map.path} can't serve all names yet: ${listed(reasons, "; ")}`;
    const code = isConditioned ? "repointed-behind-condition" : "map-switched-early";
    return [danger(code, address, message, { hostnames: found.map(({ name }) => name) })];
  });
}

/** Returns whether a map has no entry for a name after the apply, or an entry with certificates for other names. */
function lacks(map: ResourceName, name: string, { servedAfter: served }: World): boolean {
  const entry = served.chosen(map, name);
  return entry === undefined || (served.domainsOf(entry).length > 0 && served.isFor(entry, name) === false);
}

/**
 * Returns why an entry may serve a name later than the change that uses the entry; undefined if it serves before. An
 * entry that this apply creates serves before only if the plan orders it before the change.
 */
function whyEarly(address: string, entry: Resource, name: string, world: World): string | undefined {
  const isThere = !world.isCreatedNow(entry.address) && world.servesNow(entry.address, name);
  if (!isThere && !world.isAfter(address, entry.address)) {
    const why = world.whyUnready(entry, name);
    return `${entry.address} is created or changed in the same apply, and ${address} does not depend on it${why === undefined ? "" : `; ${why}`}`;
  }
  return world.whyUnready(entry, name, address);
}

/** Returns the map of a proxy, as far as it is known. */
export function mapOf(proxy: Resource["values"]): ResourceName | undefined {
  return proxy.certificate_map ? mapNamed(proxy.certificate_map, proxy) : undefined;
}

export function isSameMap(a: ResourceName | undefined, b: ResourceName | undefined): boolean {
  return a !== undefined && b !== undefined && isSame(a, b);
}

/** Returns the known names that a proxy serves now: the hostnames of its map, else the names of its certificates. */
export function namesOf(proxy: Resource["values"], world: World): readonly string[] {
  const map = mapOf(proxy);
  if (map !== undefined) return world.servedBefore.namesOf(map);
  return [...new Set(directCertificates(proxy).flatMap((id) => world.certificateDomains(id) ?? []))];
}

/** Attributes of a proxy that hold certificates. */
export const certificateAttributes = ["certificate_manager_certificates", "ssl_certificates"] as const;

/** Returns the names of certificates after the apply. @param isWanted gets an id, or an address if it is unknown */
function certificatesAfter(proxy: Resource, world: World, isWanted: (id: string) => boolean = () => true): Domains {
  return certificateAttributes.flatMap((attribute) => world.domainsAfter(proxy, attribute, isWanted));
}

/** Returns the ids of the certificates that a proxy has in addition to a map. */
export function directCertificates(proxy: Resource["values"]): readonly string[] {
  return certificateAttributes.flatMap((attribute) => textsOf(proxy[attribute]));
}

/** Returns whether a proxy has a map or certificates. */
export function presents({ address, values }: Resource, world: World): boolean {
  if (values.certificate_map || directCertificates(values).length > 0) return true;
  return ["certificate_map", ...certificateAttributes].some((attribute) => world.isUnknown(address, attribute));
}

/** Returns whether the target of a forwarding rule terminates TLS. */
export function isTlsTarget(target: unknown): boolean {
  return /(?:^|\/)target(?:Https|Ssl)Proxies\//.test(asText(target ?? ""));
}

/** Returns the proxy that is the target of a rule. */
export function proxyAt(target: string, held: readonly Resource[]): Resource | undefined {
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
  const parts = asText(target ?? "").split("/");
  return parts.slice(-2).join("/");
}

/** Returns the forwarding rules at addresses after the apply. */
export function rulesAt(addresses: readonly string[], world: World): readonly Resource[] {
  return world
    .resourcesAfter(...forwardingRuleTypes)
    .filter(({ values }) => typeof values.ip_address === "string" && addresses.includes(values.ip_address));
}

/**
 * Returns whether TLS clients may connect through a rule: a proxy for HTTP does not terminate TLS, and another rule
 * passes connections on if it has the port 443.
 */
export function mayAcceptTls({ values }: Resource): boolean {
  if (isTlsTarget(values.target)) return true;
  if (/(?:^|\/)targetHttpProxies\//.test(asText(values.target ?? ""))) return false;
  const ports = portsOf(values);
  return ports.length === 0 || ports.some((port) => includesPort(port, 443));
}

/** Returns the target proxy of a rule after the apply; undefined if it is unknown. */
export function proxyAfter(rule: Resource, world: World): Resource | undefined {
  const { target } = rule.values;
  if (typeof target === "string" && target !== "") return proxyAt(target, world.resourcesAfter(...proxyTypes));
  return world.isUnknown(rule.address, "target") ? world.referred(rule.address, "target", [...proxyTypes]) : undefined;
}

/** Returns the ports of a rule, as `443` or `1-65535`; empty for all ports, or if they are unknown. */
function portsOf({ port_range: range, ports }: Resource["values"]): readonly string[] {
  const single = (text: string) => text.replace(/^(\d+)-\1$/, "$1");
  return [...(typeof range === "string" && range !== "" ? [range] : []), ...textsOf(ports)].map(single).sort();
}

function includesPort(text: string, port: number): boolean {
  const [from = "", to = from] = text.split("-");
  return Number(from) <= port && port <= Number(to);
}

/** Fields that decide which connections a rule accepts, beside its address and its ports. */
const scopes = ["load_balancing_scheme", "ip_protocol", "region", "network", "subnetwork"] as const;

/** Returns what a replacement of a rule changes about the connections that it accepts; undefined for nothing. */
export function movedFrom({ before, after, unknown }: Change): string | undefined {
  if (before.ip_address !== after.ip_address) return asText(before.ip_address ?? "its address");
  const [was, will] = [portsOf(before).join(), portsOf(after).join()];
  if (was !== will && unknown.port_range !== true && unknown.ports !== true) {
    return `${asText(before.ip_address ?? "its address")} port ${was || "of the previous rule"}`;
  }
  const scope = scopes.find((field) => {
    return unknown[field] !== true && (before[field] || null) !== (after[field] || null) && Boolean(before[field]);
  });
  return scope && `${asText(before.ip_address ?? "its address")} with ${scope} ${asText(before[scope])}`;
}

/** Returns whether another rule accepts the connections of a rule after the apply. */
export function isTakenOver(rule: Resource, world: World): boolean {
  const { values } = rule;
  return rulesAt([asText(values.ip_address ?? "")], world).some((resource) => {
    if (resource.address === rule.address || !isTlsTarget(resource.values.target)) return false;
    const isSameScope = scopes.every((field) => (resource.values[field] || null) === (values[field] || null));
    return isSameScope && portsOf(resource.values).join() === portsOf(values).join();
  });
}

/**
 * Returns whether no client reaches a proxy: no rule leads to it before or after the apply, and the plan has a rule for
 * each of the other proxies of this type, so that no other configuration has the rules.
 */
export function isUnreached(proxy: Resource, world: World): boolean {
  const rules = world.resourcesBefore(...forwardingRuleTypes);
  const proxiesBefore = world.resourcesBefore(...proxyTypes);
  const reached = new Set(
    rules.flatMap(({ values }) => proxyAt(asText(values.target ?? ""), proxiesBefore)?.address ?? []),
  );
  const others = proxiesBefore.filter(({ address, type }) => address !== proxy.address && type === proxy.type);
  if (reached.has(proxy.address) || others.length === 0 || !others.every(({ address }) => reached.has(address))) {
    return false;
  }
  return !world.resourcesAfter(...forwardingRuleTypes).some((rule) => {
    const isOpen = typeof rule.values.target !== "string" || rule.values.target === "";
    const next = proxyAfter(rule, world);
    return next === undefined ? isOpen : next.address === proxy.address;
  });
}

/** Returns whether the plan shows that no rule can listen at an address of this resource. */
export function isWithoutRule({ address, values }: Resource, world: World): boolean {
  const rules = world.resourcesAfter(...forwardingRuleTypes);
  const mayListen = rules.some((rule) => {
    if (typeof rule.values.ip_address === "string") return rule.values.ip_address === values.address;
    const sources = world.sourcesOf(rule.address, "ip_address", addressTypes);
    return sources.length === 0 || sources.includes(address);
  });
  if (mayListen || listOf(values.users).length > 0) return false;
  return rules.length > 0 || world.isCreatedNow(address);
}
