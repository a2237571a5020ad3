import { asText, fieldsOf, listOf, textsOf } from "../json/fields";
import { groupBy } from "../json/group-by";
import {
  bareName,
  domainsOf,
  hasUnknown,
  hostnameOf,
  isCertificateType,
  isSame,
  isUploaded,
  proxyTypes,
  type ResourceName,
  stateOf,
  types,
  withoutKeys,
} from "./kinds";
import { type KnownMigration, resourcesOfMigrations } from "./known-migrations";
import { coverName, type Domains, Lookup, mapNamed, nameOfMap, ServedMaps } from "./lookup";
import { type Change, isCreated, type Resource, type TerraformPlan } from "./plan-json";
import { Gates, Instances, References } from "./references";

/** Answers the questions of the rules about a plan, with indexes for plans of thousands of resources. */
export class World {
  readonly plan: TerraformPlan;
  /** Existing resources. */
  readonly before: readonly Resource[];
  /** Resources after the apply; unknown values are absent. */
  readonly after: readonly Resource[];
  /** Hostnames that maps serve before the apply. */
  readonly servedBefore: ServedMaps;
  /** Hostnames that maps serve after the apply. */
  readonly servedAfter: ServedMaps;
  readonly #before: Lookup;
  readonly #after: Lookup;
  readonly #changes: ReadonlyMap<string, readonly Change[]>;
  readonly #changeAt: ReadonlyMap<string, Change>;
  readonly #references: References;
  readonly #gates: Gates;
  /** Resources of other configurations, by address. */
  readonly #others: ReadonlyMap<string, Resource>;
  #changedDomains: ReadonlySet<string> | undefined;

  /** @param migrations of other configurations */
  constructor(plan: TerraformPlan, migrations: readonly KnownMigration[] = []) {
    this.plan = plan;
    const live = plan.changes.filter(({ deposed }) => !deposed);
    this.#changes = groupBy(plan.changes, ({ type }) => type);
    this.#changeAt = new Map(live.map((change) => [change.address, change]));
    const others = resourcesOfMigrations(migrations, [
      ...plan.prior.values(),
      ...live.map(({ address, type, after }) => ({ address, type, values: after })),
    ]);
    this.#others = new Map(others.map((held) => [held.address, held]));
    this.before = [...plan.prior.values(), ...others];
    this.after = [
      ...this.before.filter(({ address }) => !this.#changeAt.has(address)),
      ...live
        .filter(({ action }) => action !== "delete")
        .map(({ address, type, after }) => ({ address, type, values: after })),
    ];
    this.#before = new Lookup(this.before);
    this.#after = new Lookup(this.after);
    const addresses = new Set([...plan.prior.keys(), ...this.#changeAt.keys()]);
    this.#references = new References(plan, new Instances(addresses));
    this.#gates = new Gates(plan.configuration, this.#references, (address) => this.isCreatedNow(address));
    this.servedBefore = new ServedMaps(
      this.#before.of(types.entry),
      ({ values }) => mapNamed(values.map, values),
      ({ values }) => textsOf(values.certificates).map((id) => domainsIn(this.#before, id)),
    );
    this.servedAfter = new ServedMaps(
      this.#after.of(types.entry),
      (entry) => this.mapAfter(entry),
      (entry) => this.domainsAfter(entry, "certificates"),
    );
  }

  changes(...wanted: readonly string[]): readonly Change[] {
    return wanted.flatMap((type) => this.#changes.get(type) ?? []);
  }

  resourcesBefore(...wanted: readonly string[]): readonly Resource[] {
    return wanted.flatMap((type) => this.#before.of(type));
  }

  resourcesAfter(...wanted: readonly string[]): readonly Resource[] {
    return wanted.flatMap((type) => this.#after.of(type));
  }

  /** Returns a resource before the apply. */
  at(address: string): Resource | undefined {
    return this.plan.prior.get(address) ?? this.#others.get(address);
  }

  isThereAfter(address: string): boolean {
    const change = this.#changeAt.get(address);
    return change === undefined ? this.plan.prior.has(address) : change.action !== "delete";
  }

  /** Returns whether a resource exists now and is neither deleted nor replaced. */
  isKept(address: string): boolean {
    const change = this.#changeAt.get(address);
    return this.plan.prior.has(address) && (change === undefined || (change.action !== "delete" && !isCreated(change)));
  }

  /** Returns whether a map may serve clients: a proxy has the map, or the plan does not contain the map. */
  isAttached(map: ResourceName): boolean {
    const resource = this.#before.of(types.map).find((held) => isSame(nameOfMap(held), map));
    if (resource === undefined || listOf(resource.values.gclb_targets).length > 0) return true;
    return this.resourcesBefore(...proxyTypes).some((proxy) => hasMap(proxy, map));
  }

  /** Returns whether no proxy has a map. False without proxies in the plan: another configuration may have them. */
  isIdle(map: ResourceName): boolean {
    return !this.isAttached(map) && this.resourcesBefore(...proxyTypes).length > 0;
  }

  /** Returns whether a map may serve clients after the apply: a proxy has the map, or no proxy of the plan had it. */
  staysAttached(map: ResourceName): boolean {
    const has = (proxy: Resource) => hasMap(proxy, map);
    return this.resourcesAfter(...proxyTypes).some(has) || !this.resourcesBefore(...proxyTypes).some(has);
  }

  /**
   * Returns whether Terraform evaluates a condition of the resource during the apply. The plan contains neither the
   * expression nor the kind of the condition (precondition or postcondition).
   */
  hasOpenCondition(address: string): boolean {
    const { conditioned } = this.plan;
    return conditioned.has(address) || conditioned.has(withoutKeys(address));
  }

  /** Returns whether a resource waits for a command of this apply. @param after resources that the command follows */
  isGated(address: string, after: readonly string[] = []): boolean {
    return this.#gates.isGated(address, after);
  }

  /** Returns the addresses of the resources whose commands a resource waits for. */
  gatesBefore(address: string): readonly string[] {
    return this.#gates.before(address);
  }

  /** Returns whether a resource waits for a command that follows these certificates. @param ids ids of certificates */
  isGatedFor(address: string, ids: readonly string[]): boolean {
    const addresses = ids.map((id) => this.certificateAddress(id));
    return addresses.every((one) => one !== undefined && this.isGated(address, [one]));
  }

  /** Returns whether Terraform changes a resource only after another resource. */
  isAfter(address: string, earlier: string): boolean {
    return this.#references.isAfter(address, earlier);
  }

  /** Returns whether this apply creates a resource, as a new one or as a replacement. */
  isCreatedNow(address: string): boolean {
    const change = this.#changeAt.get(address);
    return change !== undefined && isCreated(change);
  }

  /**
   * Returns the certificates that an attribute refers to and that are not ACTIVE immediately; undefined without known
   * certificates.
   *
   * @param name if certificates are for this name, only these count
   */
  referredUnready(address: string, attribute: string, name = "PRIMARY"): readonly string[] | undefined {
    const referred = this.#certificatesIn(address, attribute);
    if (referred.length === 0) return undefined;
    const own = referred.filter((one) => coverName([this.#domainsAt(one)], name) !== false);
    return (own.length > 0 ? own : referred).filter((one) => !this.#isReady(one));
  }

  /**
   * Returns the names in the certificates of an entry or a proxy after the apply. If the ids are unknown, the
   * references in the configuration count.
   *
   * @param isWanted gets an id, or an address if the id is unknown
   */
  domainsAfter(
    { address, values }: Resource,
    attribute: string,
    isWanted: (id: string) => boolean = () => true,
  ): Domains {
    const known = textsOf(values[attribute])
      .filter(isWanted)
      .map((id) => this.certificateDomains(id));
    if (!this.isUnknown(address, attribute)) return known;
    const referred = this.#certificatesIn(address, attribute).filter(isWanted);
    return [...known, ...(referred.length === 0 ? [undefined] : referred.map((one) => this.#domainsAt(one)))];
  }

  /**
   * Returns whether a name may be left without a certificate: the attribute refers to several certificates, and the
   * plan does not show which of them it gets.
   */
  mayMiss({ address, values }: Resource, attribute: string, name: string): boolean {
    const unknown = this.#changeAt.get(address)?.unknown[attribute];
    const known = textsOf(values[attribute]).map((id) => this.certificateDomains(id));
    if (!hasUnknown(unknown) || coverName(known, name) !== false) return false;
    const referred = this.#certificatesIn(address, attribute);
    const foreign = referred.filter((one) => coverName([this.#domainsAt(one)], name) === false);
    return foreign.length >= countUnknown(unknown) && foreign.length < referred.length;
  }

  /** Returns a certificate by its id: after the apply, else before; undefined if the plan does not contain it. */
  certificate(id: string): Resource | undefined {
    return this.#after.certificate(id) ?? this.#before.certificate(id);
  }

  /** Returns the certificates that an attribute certainly gets: all of its references, unless it selects from them. */
  createdCertificates(address: string, attribute: string): readonly Resource[] {
    const unknown = this.#changeAt.get(address)?.unknown[attribute];
    const referred = this.#certificatesIn(address, attribute);
    return referred.length > countUnknown(unknown) ? [] : referred.flatMap((one) => this.#after.at(one) ?? []);
  }

  /** Returns the certificates that an unknown attribute refers to; if this apply creates some of them, only these. */
  #certificatesIn(address: string, attribute: string): readonly string[] {
    const all = this.#references.sources(address, attribute, (one) => isCertificateType(this.#typeAt(one)));
    const made = all.filter((candidate) => this.isCreatedNow(candidate));
    return made.length > 0 ? made : all;
  }

  #domainsAt(address: string): readonly string[] | undefined {
    const held = this.#after.at(address);
    const { domains: unknown } = fieldsOf(listOf(this.#changeAt.get(address)?.unknown.managed)[0]);
    const domains = held === undefined || hasUnknown(unknown) ? [] : domainsOf(held.values);
    return domains.length === 0 ? undefined : domains;
  }

  #typeAt(address: string): string {
    return this.#changeAt.get(address)?.type ?? this.at(address)?.type ?? "";
  }

  #isReady(address: string): boolean {
    const change = this.#changeAt.get(address);
    if (change !== undefined && isCreated(change)) return isUploaded(change.type, change.after);
    const held = this.at(address);
    return held !== undefined && stateOf(held.type, held.values) === "ACTIVE";
  }

  /**
   * Returns the resource that an attribute with an unknown value will contain: the resource that the configuration
   * refers to, else the only resource that the apply creates. Undefined if there is no such resource or several.
   */
  referred(address: string, attribute: string, wanted: readonly string[]): Resource | undefined {
    const named = this.#references
      .sources(address, attribute, (source) => wanted.includes(this.#after.at(source)?.type ?? ""))
      .flatMap((source) => this.#after.at(source) ?? []);
    if (named.length > 0) return named.length === 1 ? named[0] : undefined;
    const [only, ...others] = this.changes(...wanted).filter((change) => !change.deposed && isCreated(change));
    return only === undefined || others.length > 0 ? undefined : this.#after.at(only.address);
  }

  /** Returns the addresses of resources of these types that an attribute refers to. */
  sourcesOf(address: string, attribute: string, wanted: ReadonlySet<string>): readonly string[] {
    return this.#references.sources(address, attribute, (source) => wanted.has(this.#typeAt(source)));
  }

  /** Returns the map of an entry or a proxy after the apply; undefined if it has no map, or an unknown map. */
  mapAfter({ address, type, values }: Resource): ResourceName | undefined {
    const attribute = type === types.entry ? "map" : "certificate_map";
    const known = values[attribute];
    if (typeof known === "string" && known !== "") return mapNamed(known, values);
    if (!this.isUnknown(address, attribute)) return undefined;
    const map = this.referred(address, attribute, [types.map]);
    return map === undefined ? undefined : nameOfMap(map);
  }

  /** Returns whether the plan contains a map after the apply. */
  holdsMap(map: ResourceName): boolean {
    return this.#after.of(types.map).some((held) => isSame(nameOfMap(held), map));
  }

  /** Returns whether an attribute, or a part of it, is unknown before the apply. */
  isUnknown(address: string, attribute: string): boolean {
    return hasUnknown(this.#changeAt.get(address)?.unknown[attribute]);
  }

  /**
   * Returns why an entry can't serve a name immediately after its apply; undefined if it can, or if it is unknown.
   *
   * @param waits address of the resource that starts to use the entry and may wait for it. @default - the entry
   */
  whyUnready({ address, values }: Resource, name = hostnameOf(values), waits = address): string | undefined {
    const isOpen = this.isUnknown(address, "certificates");
    const unready = isOpen ? this.referredUnready(address, "certificates", name) : [];
    const certificates = textsOf(values.certificates).map((id) => ({ id, state: this.certificateState(id) }));
    const inactive = certificates.filter(({ state }) => state !== undefined && state !== "ACTIVE");
    const [first] = certificates;
    if (first === undefined && !isOpen) return "the entry has no certificate";
    const was = this.at(address)?.values;
    if (was?.state !== undefined && was.state !== "ACTIVE" && !(waits !== address && this.isGated(waits, [address]))) {
      return `the entry is ${asText(was.state)}`;
    }
    const needed = [...(unready ?? []), ...inactive.flatMap(({ id }) => this.certificateAddress(id) ?? [])];
    if ([address, waits].some((waiting) => this.isGated(waiting, needed))) return undefined;
    if (first !== undefined && inactive.length === certificates.length) {
      return `its certificate ${first.id} is ${first.state}`;
    }
    const [waiting] = unready ?? [];
    return waiting === undefined ? undefined : `its certificate ${waiting} is not issued yet`;
  }

  /** Returns whether an entry serves a name before the apply. */
  servesNow(address: string, name: string): boolean {
    const held = this.at(address);
    if (held === undefined || this.servedBefore.isFor(held, name) === false) return false;
    return textsOf(held.values.certificates).some((id) => (this.certificateState(id) ?? "ACTIVE") === "ACTIVE");
  }

  /** Returns the existing certificates of Certificate Manager for a domain or its wildcard. */
  certificatesFor(domain: string): readonly Resource[] {
    return this.#before.certificatesFor(domain);
  }

  hasCertificateAfter(domain: string): boolean {
    return this.#after.certificatesFor(domain).length > 0;
  }

  /** Returns the existing authorizations for a domain, and whether the plan creates or changes one. */
  authorizationsFor(domain: string): { readonly before: readonly Resource[]; readonly isChanged: boolean } {
    const changes = this.changes(types.authorization).filter(({ action }) => action !== "no-op");
    this.#changedDomains ??= new Set(changes.map(({ after }) => bareName(after.domain)));
    return { before: this.#before.authorizationsFor(domain), isChanged: this.#changedDomains.has(domain) };
  }

  /** Returns the domains of a certificate after the apply, by its id; undefined if they are unknown. */
  certificateDomains(id: string): readonly string[] | undefined {
    return domainsIn(this.#after, id) ?? domainsIn(this.#before, id);
  }

  /** Returns the state of a certificate now, or after its creation, by its id; undefined if it is unknown. */
  certificateState(id: string): string | undefined {
    const held = this.#before.certificate(id) ?? this.#after.certificate(id);
    return held === undefined ? undefined : stateOf(held.type, held.values);
  }

  /** Returns the address of a certificate by its id; undefined if it is unknown. */
  certificateAddress(id: string): string | undefined {
    return (this.#before.certificate(id) ?? this.#after.certificate(id))?.address;
  }
}

function domainsIn(lookup: Lookup, id: string): readonly string[] | undefined {
  const found = lookup.certificate(id);
  const domains = found === undefined ? [] : domainsOf(found.values);
  return domains.length === 0 ? undefined : domains;
}

/** Returns how many elements of an unknown attribute are unknown. */
function countUnknown(unknown: unknown): number {
  return Array.isArray(unknown) ? unknown.filter(hasUnknown).length : 1;
}

function hasMap({ values }: Pick<Resource, "values">, map: ResourceName): boolean {
  return Boolean(values.certificate_map) && isSame(mapNamed(values.certificate_map, values), map);
}
