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

  /** Whether a resource waits for a command that runs in this very apply, or is held back by a condition. */
  isGated(address: string): boolean {
    const bare = withoutKeys(address);
    if (this.plan.conditioned.has(bare)) return true;
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
    const references = this.plan.configured.get(withoutKeys(address))?.references[attribute] ?? [];
    return this.plan.changes
      .filter(({ type, deposed }) => type === types.certificate && !deposed)
      .filter(({ address: own }) =>
        references.some((one) => one === withoutKeys(own) || one.startsWith(`${withoutKeys(own)}.`)),
      )
      .map((change) => ({
        address: change.address,
        ready: isMade(change) ? listOf(change.after.self_managed).length > 0 : stateOf(change.before) === "ACTIVE",
      }));
  }

  /** The domains of a certificate by its id, as it will be; `undefined` where the plan does not know it. */
  certificateDomains(id: string): readonly string[] | undefined {
    const held = [...this.after, ...this.before].find(
      ({ type, values }) => type === types.certificate && bareId(String(values.id)) === bareId(id),
    );
    const domains = held === undefined ? [] : domainsOf(held.values);
    return domains.length === 0 ? undefined : domains;
  }

  /** State of a certificate by its id; `undefined` where the plan does not know it. */
  certificateState(id: string): string | undefined {
    const held = this.before.find(
      ({ type, values }) => type === types.certificate && bareId(String(values.id)) === bareId(id),
    );
    return held === undefined ? undefined : stateOf(held.values);
  }
}

/** Whether the resource is new, or put in another's place. */
export function isMade({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "createThenDelete" || action === "deleteThenCreate";
}

/** State of a certificate; one that is uploaded is active as soon as it is there. */
function stateOf(values: Fields): string {
  if (listOf(values.self_managed).length > 0) return "ACTIVE";
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

/** The hostname of an entry, or `PRIMARY`. */
export function hostnameOf(values: Fields): string {
  return typeof values.hostname === "string" && values.hostname !== "" ? values.hostname : "PRIMARY";
}

/** Whether an entry or certificate for a name serves another: equal, or a wildcard for one label. */
export function serves(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  return pattern.startsWith("*.") && !name.startsWith("*.") && name.slice(name.indexOf(".")) === pattern.slice(1);
}

/** The domains of a certificate. */
export function domainsOf(values: Fields): readonly string[] {
  return [...textsOf(fieldsOf(listOf(values.managed)[0]).domains), ...textsOf(values.san_dnsnames)];
}
