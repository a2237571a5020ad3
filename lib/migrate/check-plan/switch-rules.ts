import { danger, type PlanDanger } from "./dangers";
import { textsOf } from "./fields";
import type { Change } from "./plan-json";
import { bareId, type Held, hostnameOf, lastOf, proxyTypes, serves, types, type World } from "./world";

/** A proxy that gets another map, or its first: that goes before whatever certificates the proxy has beside it. */
export function mapTaken(change: Change, world: World): readonly PlanDanger[] {
  const { address, type, action, before, after, unknown, deposed } = change;
  if (deposed || (action !== "update" && action !== "createThenDelete")) return [];
  const [old, known] = [before.certificate_map, after.certificate_map].map((map) => lastOf(String(map ?? "")));
  if (!known && !unknown.certificate_map) {
    if (!old) return [];
    return [
      danger("map-detached", address, `the proxy loses the map ${old}, and with it the certificates of every hostname`),
    ];
  }
  const next = world.mapAfter({ address, type, values: after });
  if (next === old || (!old && directCertificates(before).length === 0)) return [];
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
    target === "" ? world.referred(address, "target", (type) => proxyTypes.has(type)) : proxyAt(target, world.after);
  const old = proxyAt(String(before.target), world.before);
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
    return map === lastOf(String(old?.values.certificate_map ?? "")) ? [] : mapDangers(address, names, map, world);
  }
  const domains = directCertificates(next.values).map((id) => world.certificateDomains(id));
  if (domains.length === 0 || domains.includes(undefined)) {
    const message = `the plan does not know what the certificates of ${next.address} are for`;
    return [danger("forwarding-rule-repointed-to-unknown", address, message)];
  }
  const missing = names.filter((name) => !domains.some((one) => one?.some((domain) => serves(domain, name))));
  if (missing.length === 0) return [];
  return [danger("forwarding-rule-repointed", address, `${next.address} has no certificate for ${missing.join(", ")}`)];
}

/** What is wrong with a map where these names are served now; all of its entries count where the names are not known. */
function mapDangers(
  address: string,
  names: readonly string[],
  map: string | undefined,
  world: World,
): readonly PlanDanger[] {
  if (map === undefined || !world.after.some(({ type, values }) => type === types.map && values.name === map)) {
    return [danger("map-switched-to-unknown", address, `it gets the map ${map ?? "that is not known yet"}`)];
  }
  const entries = world.after.filter((held) => held.type === types.entry && world.mapAfter(held) === map);
  const found = names.map((name) => [name, bestOf(entries, name)] as const);
  const missing = entries.length === 0 ? ["any name"] : found.flatMap(([name, one]) => (one === undefined ? name : []));
  if (missing.length > 0) {
    return [danger("map-switched-incomplete", address, `the map ${map} has no entry for ${missing.join(", ")}`)];
  }
  if (world.isGated(address)) return [];
  const serving = names.length === 0 ? entries : entries.filter((held) => found.some(([, one]) => one === held));
  const unready = serving.flatMap((held) => {
    const why = world.whyUnready(held);
    return why === undefined ? [] : [`${hostnameOf(held.values)}: ${why}`];
  });
  if (unready.length === 0) return [];
  return [danger("map-switched-early", address, `it gets the map ${map} before that can serve ${unready.join("; ")}`)];
}

/** The entry that serves a name: its own before that of a wildcard. */
export function bestOf(entries: readonly Held[], name: string): Held | undefined {
  return (
    entries.find(({ values }) => hostnameOf(values) === name) ??
    entries.find(({ values }) => serves(hostnameOf(values), name))
  );
}

/** What a proxy serves, as far as the plan knows: the hostnames of its map, or else the names of its certificates. */
function namesOf(proxy: Held["values"], world: World): readonly string[] {
  const map = lastOf(String(proxy.certificate_map ?? ""));
  if (map === "") return directCertificates(proxy).flatMap((id) => world.certificateDomains(id) ?? []);
  return world.before
    .filter(({ type, values }) => type === types.entry && lastOf(String(values.map ?? "")) === map)
    .map(({ values }) => hostnameOf(values));
}

/** Ids of the certificates that a proxy has beside a map. */
export function directCertificates(proxy: Held["values"]): readonly string[] {
  return [proxy.certificate_manager_certificates, proxy.ssl_certificates].flatMap(textsOf).map(bareId);
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
  return held.find(
    ({ type, values }) =>
      proxyTypes.has(type) && (type === "google_compute_target_ssl_proxy") === kind && values.name === lastOf(target),
  );
}

/** `targetHttpsProxies/web` of a path. */
function tail(target: unknown): string {
  return String(target ?? "")
    .split("/")
    .slice(-2)
    .join("/");
}
