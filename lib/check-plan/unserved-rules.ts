import { asText } from "../json/fields";
/** Traffic that moves to an address where no certificate for the name is, or where nothing accepts TLS connections. */
import { authorizedBy } from "./certificate-rules";
import { danger, listed, type PlanDanger } from "./dangers";
import { addressTypes, forwardingRuleTypes } from "./kinds";
import { isWithoutRule, mayAcceptTls, proxyAfter, rulesAt } from "./listeners";
import { bareName } from "./names";
import type { Change, Resource } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { dataAttributes, proxyService } from "./records";
import { coverName } from "./served-maps";
import { dataOf, isTrafficRecord } from "./served-names";
import { certificateAttributes } from "./switch-rules";
import type { World } from "./world";

/** Checks the addresses that a record gets and that its name did not have. */
export function unservedDangers(change: Change, surroundings: RecordWorld): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  const { world, names, zones } = surroundings;
  const isMove = action === "update" || (action === "create" && names.resolvesBefore(bareName(after.name)));
  if (!isMove || !isTrafficRecord(after)) return [];
  const name = bareName(after.name);
  const had = new Set(names.resolvedBefore(dataOf(before)));
  const gets = names.resolved(dataOf(after)).filter((one) => !had.has(one));
  const what = `${asText(after.name)} moves to`;
  const deaf = gets.flatMap((get) => whyDeaf(get, world)).concat(whyOpenDeaf(change, world));
  if (deaf.length > 0) {
    return [danger("traffic-to-no-listener", address, `${what} ${listed(deaf)}`, { hostnames: [name] })];
  }
  const proxies = rulesAt(gets, world).flatMap((rule) => proxyAfter(rule, world) ?? []);
  const isPublic = zones.viewOf({ values: after }) === "public";
  const missing = proxies.flatMap((proxy) => {
    return isPublic ? names.clientNames(name).filter((clientName) => isUnserved(proxy, clientName, surroundings)) : [];
  });
  if (missing.length === 0) return [];
  const hostnames = [...new Set(missing)];
  const message = `${what} ${listed(gets)}, where no certificate is for ${listed(hostnames)}`;
  return [danger("traffic-to-unserved-name", address, message, { hostnames })];
}

/** Returns why nothing accepts TLS connections at an address; empty if something may accept them. */
function whyDeaf(ip: string, world: World): readonly string[] {
  const rules = rulesAt([ip], world);
  if (rules.length > 0) {
    return rules.some(mayAcceptTls)
      ? []
      : [`${ip}, where ${listed(rules.map(({ address }) => address))} accepts no TLS`];
  }
  const reserved = world.resourcesAfter(...addressTypes).find(({ values }) => values.address === ip);
  return reserved !== undefined && isWithoutRule(reserved, world)
    ? [`${ip} (${reserved.address}), where no forwarding rule listens`]
    : [];
}

/** Returns the same for data that is unknown before the apply, by the references in the configuration. */
function whyOpenDeaf({ address, unknown }: Change, world: World): readonly string[] {
  const open = dataAttributes.filter((attribute) => unknown[attribute] !== undefined && unknown[attribute] !== false);
  const wanted = new Set([...addressTypes, ...forwardingRuleTypes]);
  const sources = open.flatMap((attribute) => world.sourcesOf(address, attribute, wanted));
  const after = new Map(world.resourcesAfter(...wanted).map((held) => [held.address, held]));
  return sources.flatMap((source) => {
    const held = after.get(source);
    if (held === undefined) return [];
    if (forwardingRuleTypes.has(held.type)) return mayAcceptTls(held) ? [] : [`${source}, which accepts no TLS`];
    const rules = [...forwardingRuleTypes]
      .flatMap((type) => world.resourcesAfter(type))
      .filter((rule) => {
        return world.sourcesOf(rule.address, "ip_address", addressTypes).includes(source);
      });
    if (rules.length > 0) return rules.some(mayAcceptTls) ? [] : [`${source}, where no forwarding rule accepts TLS`];
    return isWithoutRule(held, world) ? [`${source}, where no forwarding rule listens`] : [];
  });
}

/** Returns whether a proxy certainly has no certificate for a name after the apply. */
function isUnserved(proxy: Resource, name: string, { world, names }: RecordWorld): boolean {
  // Clients of a wildcard record request names below it.
  if (name.startsWith("*.") && names.namesThrough(name).length > 0) return false;
  const map = world.mapAfter(proxy);
  if (map !== undefined) return world.holdsMap(map) && world.servedAfter.isServed(map, name) === false;
  if (proxy.values.certificate_map || world.isUnknown(proxy.address, "certificate_map")) return false;
  const direct = certificateAttributes.flatMap((attribute) => world.domainsAfter(proxy, attribute));
  return direct.length > 0 && coverName(direct, name) === false;
}

/** Returns a rule for records whose provider begins to answer with the addresses of its own proxies. */
export function recordProxied({ names }: RecordWorld): (change: Change) => readonly PlanDanger[] {
  return ({ address, action, before, after }) => {
    const service = proxyService(after);
    if (action === "delete" || service === undefined || proxyService(before) !== undefined) return [];
    const name = bareName(after.name);
    const domain = authorizedBy(after) ?? authorizedBy(before);
    if (domain !== undefined) {
      const message = `${name} gets addresses of ${service} in place of its CNAME, and certificates for ${domain} can no longer be issued or renewed`;
      return [danger("authorization-record-proxied", address, message, { hostnames: [domain] })];
    }
    if (action === "create" && !names.resolvesBefore(name)) return [];
    if (!names.isServedThrough(after)) return [];
    const message = `clients of ${name} connect to ${service} in place of ${listed(dataOf(after)) || "the record's data"}`;
    return [danger("traffic-record-proxied", address, message, { hostnames: names.clientNames(name) })];
  };
}
