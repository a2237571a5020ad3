import { asText, listOf, textsOf } from "../json/fields";
import { addressTypes, forwardingRuleTypes, proxyTypes } from "./kinds";
import type { Change, Resource } from "./plan-json";
import { isTlsTarget, proxyAt } from "./switch-rules";
import type { World } from "./world";

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
