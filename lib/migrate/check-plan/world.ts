import { type Fields, fieldsOf, listOf, textsOf } from "./fields";
import { type Change, type TerraformPlan, withoutKeys } from "./plan-json";

export const types = {
  authorization: "google_certificate_manager_dns_authorization",
  certificate: "google_certificate_manager_certificate",
  map: "google_certificate_manager_certificate_map",
  entry: "google_certificate_manager_certificate_map_entry",
  record: "google_dns_record_set",
  zone: "google_dns_managed_zone",
} as const;

/** Certificates of Compute Engine, which proxies have directly. */
export const classicTypes: ReadonlySet<string> = new Set([
  "google_compute_managed_ssl_certificate",
  "google_compute_ssl_certificate",
  "google_compute_region_ssl_certificate",
]);

export const proxyTypes: ReadonlySet<string> = new Set([
  "google_compute_target_https_proxy",
  "google_compute_target_ssl_proxy",
  "google_compute_region_target_https_proxy",
]);

export const forwardingRuleTypes: ReadonlySet<string> = new Set([
  "google_compute_global_forwarding_rule",
  "google_compute_forwarding_rule",
]);

export const addressTypes: ReadonlySet<string> = new Set(["google_compute_global_address", "google_compute_address"]);

/** A resource before or after the apply. */
export interface Held {
  readonly address: string;
  readonly type: string;
  readonly values: Fields;
}

/** A plan with the questions that its rules ask. */
export class World {
  readonly plan: TerraformPlan;
  /** What there is. */
  readonly before: readonly Held[];
  /** What there will be; what is not known yet is absent from its values. */
  readonly after: readonly Held[];

  constructor(plan: TerraformPlan) {
    this.plan = plan;
    this.before = [...plan.prior].map(([address, held]) => ({ address, ...held }));
    const live = plan.changes.filter(({ deposed }) => !deposed);
    const touched = new Set(live.map(({ address }) => address));
    this.after = [
      ...this.before.filter(({ address }) => !touched.has(address)),
      ...live
        .filter(({ action }) => action !== "delete")
        .map(({ address, type, after }) => ({ address, type, values: after })),
    ];
  }

  changes(...wanted: readonly string[]): readonly Change[] {
    return this.plan.changes.filter(({ type }) => wanted.includes(type));
  }

  /** Whether clients may be served by a map: a proxy has it, or nobody here can say. */
  isAttached(map: string): boolean {
    const own = this.before.find(({ type, values }) => type === types.map && values.name === map);
    if (own === undefined || listOf(own.values.gclb_targets).length > 0) return true;
    return this.before.some(
      ({ type, values }) => proxyTypes.has(type) && lastOf(String(values.certificate_map ?? "")) === map,
    );
  }

  /** Whether a map that clients may be served by is still so after the apply: a proxy keeps it, or none of its proxies is known. */
  staysAttached(map: string): boolean {
    const has = ({ type, values }: Held) =>
      proxyTypes.has(type) && lastOf(String(values.certificate_map ?? "")) === map;
    return this.after.some(has) || !this.before.some(has);
  }

  /** Whether the apply judges a condition of the resource: Terraform tells neither what it is about nor whether it is judged before or after the change. */
  hasOpenCondition(address: string): boolean {
    return this.plan.conditioned.has(withoutKeys(address));
  }

  /** Whether a resource waits for a command that runs in this very apply. */
  isGated(address: string): boolean {
    const bare = withoutKeys(address);
    const own = this.plan.configured.get(bare);
    const waitsFor = [...(own?.dependsOn ?? []), ...Object.values(own?.references ?? {}).flat()];
    return waitsFor.some((target) => {
      const gate = [...this.plan.configured].find(([name, { runsCommand }]) => {
        return runsCommand && (target === name || target.startsWith(`${name}.`) || target.startsWith(`${name}[`));
      })?.[0];
      return (
        gate !== undefined && this.plan.changes.some((change) => withoutKeys(change.address) === gate && isMade(change))
      );
    });
  }

  /** Certificates that an attribute refers to by address, with whether each will be active as soon as it is made. */
  referredCertificates(
    address: string,
    attribute: string,
  ): readonly { readonly address: string; readonly ready: boolean }[] {
    return this.plan.changes
      .filter(({ type, deposed }) => (type === types.certificate || classicTypes.has(type)) && !deposed)
      .filter(({ address: own }) => this.#refersTo(address, attribute, own))
      .map((change) => ({
        address: change.address,
        ready: isMade(change)
          ? isUploaded(change.type, change.after)
          : stateOf(change.type, change.before) === "ACTIVE",
      }));
  }

  /**
   * What a resource will have in an attribute whose value is not known before the apply: the one that its configuration refers to; or else the only one that is
   * made. `undefined` where that is nobody or more than one.
   */
  referred(address: string, attribute: string, isWanted: (type: string) => boolean): Held | undefined {
    const named = this.after.filter(
      ({ type, address: own }) => isWanted(type) && this.#refersTo(address, attribute, own),
    );
    const made = this.plan.changes.filter((change) => isWanted(change.type) && !change.deposed && isMade(change));
    const able =
      named.length > 0 ? named : this.after.filter((held) => made.some((one) => one.address === held.address));
    return able.length === 1 ? able[0] : undefined;
  }

  #refersTo(address: string, attribute: string, target: string): boolean {
    const bare = withoutKeys(target);
    const references = this.plan.configured.get(withoutKeys(address))?.references[attribute] ?? [];
    return references.some((one) => one === bare || one.startsWith(`${bare}.`) || one.startsWith(`${bare}[`));
  }

  /** The name of the map that an entry or a proxy will have; `undefined` where it has none, or nobody can say which. */
  mapAfter({ address, type, values }: Held): string | undefined {
    const attribute = type === types.entry ? "map" : "certificate_map";
    const known = values[attribute];
    if (typeof known === "string" && known !== "") return lastOf(known);
    if (!this.isUnknown(address, attribute)) return undefined;
    const map = this.referred(address, attribute, (wanted) => wanted === types.map);
    return map === undefined ? undefined : String(map.values.name);
  }

  /** Whether an attribute of a resource, or a part of it, is known only in the apply. */
  isUnknown(address: string, attribute: string): boolean {
    const change = this.plan.changes.find((one) => one.address === address && !one.deposed);
    return hasUnknown(change?.unknown[attribute]);
  }

  /** Why an entry can't serve as soon as it is applied; `undefined` where it can, or nobody can say. */
  whyUnready({ address, values }: Held): string | undefined {
    if (this.isGated(address)) return undefined;
    const was = this.before.find((held) => held.address === address)?.values;
    if (was?.state !== undefined && was.state !== "ACTIVE") return `the entry is ${String(was.state)}`;
    const certificates = textsOf(values.certificates).map((id) => ({ id, state: this.certificateState(id) }));
    const [first] = certificates;
    if (first !== undefined && certificates.every(({ state }) => state !== undefined && state !== "ACTIVE")) {
      return `its certificate ${first.id} is ${first.state}`;
    }
    if (!this.isUnknown(address, "certificates")) return undefined;
    const waiting = this.referredCertificates(address, "certificates").find(({ ready }) => !ready);
    return waiting === undefined ? undefined : `its certificate ${waiting.address} is not issued yet`;
  }

  /** The domains of a certificate by its id, as it will be; `undefined` where the plan does not know it. */
  certificateDomains(id: string): readonly string[] | undefined {
    const held = [...this.after, ...this.before].find((one) => isCertificate(one, id));
    const domains = held === undefined ? [] : domainsOf(held.values);
    return domains.length === 0 ? undefined : domains;
  }

  /** State of a certificate by its id; `undefined` where the plan does not know it. */
  certificateState(id: string): string | undefined {
    const held = this.before.find((one) => isCertificate(one, id));
    return held === undefined ? undefined : stateOf(held.type, held.values);
  }
}

/** Whether the resource is new, or put in another's place. */
export function isMade({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "createThenDelete" || action === "deleteThenCreate";
}

/** Whether an id that an entry or a proxy has is that of a certificate. */
export function isCertificate({ type, values }: Pick<Held, "type" | "values">, id: string): boolean {
  if (type === types.certificate) return bareId(String(values.id)) === bareId(id);
  if (!classicTypes.has(type)) return false;
  const own = values.self_link ?? values.id;
  return typeof own === "string" ? bareId(own) === bareId(id) : lastOf(id) === values.name;
}

function isUploaded(type: string, values: Fields): boolean {
  if (classicTypes.has(type)) return type !== "google_compute_managed_ssl_certificate";
  return listOf(values.self_managed).length > 0;
}

/** State of a certificate; one that is uploaded is active as soon as it is there. A managed one of Compute Engine shows it by its expiry. */
function stateOf(type: string, values: Fields): string | undefined {
  if (isUploaded(type, values)) return "ACTIVE";
  if (classicTypes.has(type)) {
    if (typeof values.expire_time !== "string") return undefined;
    return values.expire_time === "" ? "PROVISIONING" : "ACTIVE";
  }
  const { state } = fieldsOf(listOf(values.managed)[0]);
  return typeof state === "string" && state !== "" ? state : "PROVISIONING";
}

/** Ids come with and without the service's address before them. */
export function bareId(id: string): string {
  return id.replace(/^.*?(?=projects\/)/, "");
}

export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A name of DNS as names are compared: in lower case, without the dot at its end. */
export function bareName(name: unknown): string {
  return String(name ?? "")
    .toLowerCase()
    .replace(/\.$/, "");
}

/** The hostname of an entry, or `PRIMARY`. */
export function hostnameOf(values: Fields): string {
  return typeof values.hostname === "string" && values.hostname !== "" ? bareName(values.hostname) : "PRIMARY";
}

/** Whether a value, or a part of it, is known only in the apply. */
export function hasUnknown(unknown: unknown): boolean {
  return unknown === true || (Array.isArray(unknown) && unknown.some(hasUnknown));
}

/** Whether an entry or certificate for a name serves another: equal, or a wildcard for one label. */
export function serves(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  return pattern.startsWith("*.") && !name.startsWith("*.") && name.slice(name.indexOf(".")) === pattern.slice(1);
}

/** The domains of a certificate. */
export function domainsOf(values: Fields): readonly string[] {
  const { domains } = fieldsOf(listOf(values.managed)[0]);
  return [domains, values.san_dnsnames, values.subject_alternative_names].flatMap(textsOf).map(bareName);
}
