import { asText, type Fields, fieldsOf, textsOf } from "../json/fields";
import { groupBy } from "../json/group-by";
import { lastPart } from "../resource-names";
import { authorizedBy } from "./certificate-rules";
import {
  addressTypes,
  bareName,
  domainsAbove,
  domainsOf,
  forwardingRuleTypes,
  hostnameOf,
  types,
  wildcardAbove,
} from "./kinds";
import type { Resource } from "./plan-json";
import type { World } from "./world";

/** Types of records that clients use to find a server. */
const leading = new Set(["A", "AAAA", "CNAME", "ALIAS", "ANAME"]);

/** Types of records whose data are names. */
export const aliasTypes: ReadonlySet<string> = new Set(["CNAME", "ALIAS", "ANAME"]);

export function isTrafficRecord(values: Fields): boolean {
  return leading.has(asText(values.type)) && authorizedBy(values) === undefined;
}

/** Returns the data of a record, including its routing policy. Data without weight gets no traffic and is left out. */
export function dataOf({ rrdatas, routing_policy: policy }: Fields): readonly string[] {
  return [...textsOf(rrdatas), ...policyData(policy)];
}

function policyData(policy: unknown): readonly string[] {
  if (Array.isArray(policy)) return policy.flatMap(policyData);
  const { weight, rrdatas, ip_address: ip, external_endpoints: endpoints, ...blocks } = fieldsOf(policy);
  if (weight === 0) return [];
  const addresses = typeof ip === "string" ? [ip] : [];
  return [...textsOf(rrdatas), ...addresses, ...textsOf(endpoints), ...Object.values(blocks).flatMap(policyData)];
}

/** Maximum length of a chain of aliases. */
const mostAliases = 8;

/** Names that entries and certificates are for, the records that lead to them, and where these lead. */
export class ServedNames {
  /** Addresses of the load balancers of the plan, before and after. */
  readonly addresses: ReadonlySet<string>;
  /** Whether every address of these is known before the apply. */
  readonly areAddressesKnown: boolean;
  /** Addresses in the plan: of load balancers, reserved addresses, and data of existing records. */
  readonly #known: ReadonlySet<string>;
  readonly #patterns: ReadonlySet<string>;
  /** Patterns before the apply. */
  readonly #patternsBefore: ReadonlySet<string>;
  /** Patterns by each of their parent domains. */
  readonly #below: ReadonlyMap<string, readonly string[]>;
  readonly #before: Records;
  readonly #after: Records;

  constructor(world: World) {
    const rules = [...world.resourcesBefore(...forwardingRuleTypes), ...world.resourcesAfter(...forwardingRuleTypes)];
    this.addresses = new Set(
      rules.flatMap(({ values }) => (typeof values.ip_address === "string" ? values.ip_address : [])),
    );
    this.areAddressesKnown = rules.every(({ values }) => typeof values.ip_address === "string");
    const reserved = [...world.resourcesBefore(...addressTypes), ...world.resourcesAfter(...addressTypes)];
    this.#known = new Set([
      ...this.addresses,
      ...reserved.map(({ values }) => asText(values.address ?? "")),
      ...world.resourcesBefore(types.record).flatMap(({ values }) => dataOf(values)),
    ]);
    const wanted = [types.entry, types.certificate] as const;
    this.#patternsBefore = new Set(world.resourcesBefore(...wanted).flatMap(patternsOf));
    this.#patterns = new Set([...this.#patternsBefore, ...world.resourcesAfter(...wanted).flatMap(patternsOf)]);
    this.#below = byDomainAbove(this.#patterns);
    this.#before = new Records(world.resourcesBefore(types.record));
    this.#after = new Records(world.resourcesAfter(types.record));
  }

  /** Returns whether the plan contains an address. */
  isKnown(address: string): boolean {
    return this.#known.has(address);
  }

  /** Returns whether a label of an unknown zone, such as `www` or `@`, may be the name of a served hostname. */
  mayHave(label: string): boolean {
    const base = label.replace(/^_acme-challenge(?:\.|$)/, "");
    if (base === "" || base === "@") return this.#patterns.size > 0;
    return [...this.#patterns].some((pattern) => pattern.startsWith("*.") || pattern.startsWith(`${base}.`));
  }

  /** Returns whether no existing entry, certificate or address record is for a name. */
  isNew(name: string): boolean {
    return [name, wildcardAbove(name) ?? name].every((candidate) => {
      return !this.#patternsBefore.has(candidate) && this.#before.at(candidate).length === 0;
    });
  }

  /**
   * Served names at and below a domain, without the `*.` of wildcards. The domain itself counts if a wildcard serves it
   * and clients can resolve it.
   */
  inside(domain: string): readonly string[] {
    const names = (this.#below.get(domain) ?? []).map((pattern) => pattern.replace(/^\*\./, ""));
    const isCovered = this.#patterns.has(wildcardAbove(domain) ?? "") && this.resolvesBefore(domain);
    return [...new Set([...names, ...(isCovered ? [domain] : [])])].sort();
  }

  /** Returns whether clients of a served name use a record: directly, through a wildcard, or through an alias. */
  isServedThrough(record: Fields): boolean {
    if (!isTrafficRecord(record)) return false;
    const name = bareName(record.name);
    const owners = [...this.#before.aliasesOf(name), ...this.#after.aliasesOf(name)];
    return this.#servedBy(name).length > 0 || owners.some((owner) => this.#servedBy(owner).length > 0);
  }

  /** Returns the served names that resolve through a record: directly, through a wildcard, or through aliases. */
  namesThrough(record: string): readonly string[] {
    return [record, ...this.#before.aliasesOf(record)].flatMap((owner) => this.#servedBy(owner));
  }

  /** Returns the other existing address records of a name. */
  otherRecords(name: string, address: string): readonly Resource[] {
    return this.#before.at(name).filter((held) => held.address !== address);
  }

  recordsAfter(name: string, address: string): readonly Resource[] {
    return this.#after.at(name).filter((held) => held.address !== address);
  }

  /** Resolves record data to addresses after the apply, through aliases in the plan. An unknown name stays a name. */
  resolved(data: readonly string[]): readonly string[] {
    return this.#after.resolved(data);
  }

  /** Resolves record data to addresses before the apply. */
  resolvedBefore(data: readonly string[]): readonly string[] {
    return this.#before.resolved(data);
  }

  /** Returns the names that clients resolve through a record: its aliases, or the name itself without an alias. */
  clientNames(record: string): readonly string[] {
    const aliases = [...new Set([...this.#before.aliasesOf(record), ...this.#after.aliasesOf(record)])];
    return aliases.length === 0 ? [record] : aliases;
  }

  /** Returns whether a name has an address before the apply: a record of its own, or of the wildcard above. */
  resolvesBefore(name: string): boolean {
    return [name, wildcardAbove(name) ?? name].some((candidate) => this.#before.at(candidate).length > 0);
  }

  /** Returns the served names that resolve by a record directly, or through a wildcard without an own record. */
  #servedBy(record: string): readonly string[] {
    if (this.#patterns.has(record) || this.#patterns.has(wildcardAbove(record) ?? "")) return [record];
    if (!record.startsWith("*.")) return [];
    return (this.#below.get(record.slice(2)) ?? []).filter((pattern) => this.#before.at(pattern).length === 0);
  }
}

function patternsOf({ type, values }: Resource): readonly string[] {
  return type === types.entry ? [hostnameOf(values)] : domainsOf(values);
}

function byDomainAbove(patterns: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const pairs = [...patterns].flatMap((pattern) => domainsAbove(pattern).map((domain) => ({ pattern, domain })));
  const groups = groupBy(pairs, ({ domain }) => domain);
  return new Map([...groups].map(([domain, of]) => [domain, of.map(({ pattern }) => pattern)]));
}

/** Address records and aliases, by name and by the target of aliases. */
class Records {
  readonly #names: ReadonlyMap<string, readonly Resource[]>;
  readonly #aliases: ReadonlyMap<string, readonly { readonly owner: string }[]>;

  constructor(records: readonly Resource[]) {
    const trafficRecords = records.filter(({ values }) => isTrafficRecord(values));
    this.#names = groupBy(trafficRecords, ({ values }) => bareName(values.name));
    const aliases = trafficRecords.filter(({ values }) => aliasTypes.has(asText(values.type)));
    const targets = aliases.flatMap(({ values }) => {
      return dataOf(values).map((target) => ({ owner: bareName(values.name), target: bareName(target) }));
    });
    this.#aliases = groupBy(targets, ({ target }) => target);
  }

  at(name: string): readonly Resource[] {
    return this.#names.get(name) ?? [];
  }

  /** Resolves names to addresses; a name without a record stays. */
  resolved(data: readonly string[]): readonly string[] {
    let found = data;
    for (let step = 0; step < mostAliases; step += 1) {
      const next = found.flatMap((foundName) => {
        const records = this.at(bareName(foundName));
        return records.length === 0 ? [foundName] : records.flatMap(({ values }) => dataOf(values));
      });
      if (next.join() === found.join()) return next;
      found = next;
    }
    return found;
  }

  /** Returns the aliases of a name, also through other aliases. */
  aliasesOf(name: string): readonly string[] {
    const found = new Set<string>();
    let pending: readonly string[] = [name];
    for (let step = 0; step < mostAliases && pending.length > 0; step += 1) {
      pending = pending
        .flatMap((pendingName) => this.#aliases.get(pendingName) ?? [])
        .map(({ owner }) => owner)
        .filter((alias) => !found.has(alias));
      for (const pendingName of pending) found.add(pendingName);
    }
    return [...found];
  }
}

/** The zones of a plan, before or after the apply, including zones that Terraform only reads. */
export class Zones {
  readonly #zones: readonly Resource[];

  constructor(world: World) {
    const data = world.plan.data.filter(({ type }) => type === types.zone);
    this.#zones = [...world.resourcesBefore(types.zone), ...world.resourcesAfter(types.zone), ...data];
  }

  /** Returns the zone of a record; undefined if the plan does not contain the zone. */
  zoneOf({ values }: Pick<Resource, "values">): Resource | undefined {
    const name = nameOfZone(values);
    if (name === "") return undefined;
    return this.#zones.find(({ values: zone }) => {
      const isSameProject =
        typeof zone.project !== "string" || typeof values.project !== "string" || zone.project === values.project;
      return lastPart(asText(zone.name ?? "")) === name && isSameProject;
    });
  }

  /**
   * Returns the clients that use a record: `public`, or the clients of a private zone. A zone that the plan does not
   * contain is public.
   */
  viewOf(record: Pick<Resource, "values">): string {
    const zone = this.zoneOf(record);
    return zone !== undefined && isPrivate(zone) ? `private ${identityOf(record)}` : "public";
  }

  /** Returns whether two records may be in one zone. A zone that is unknown matches any zone. */
  areInOneZone(a: Pick<Resource, "values">, b: Pick<Resource, "values">): boolean {
    const [first, second] = [nameOfZone(a.values), nameOfZone(b.values)];
    return first === "" || second === "" || identityOf(a) === identityOf(b);
  }

  /** Returns the zones with a domain as their origin. */
  at(domain: string): readonly Resource[] {
    return this.#zones.filter(({ values }) => bareName(values.dns_name) === domain);
  }
}

export function isPrivate({ values }: Pick<Resource, "values">): boolean {
  return values.visibility === "private";
}

function nameOfZone({ managed_zone: zone }: Resource["values"]): string {
  return lastPart(asText(zone ?? ""));
}

function identityOf({ values }: Pick<Resource, "values">): string {
  return `${asText(values.project ?? "")}/${nameOfZone(values)}`;
}
