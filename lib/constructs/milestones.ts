import { Annotations } from "cdktf";
import type { Construct } from "constructs";
import type { MigrationPlan } from "../plan";
import type { MigrationResources } from "./migration-resources";
import { MigrationMilestone } from "./milestone";
import type { TargetProxies } from "./target-proxies";
import type { TrafficRecords } from "./traffic-records";

/** Decides which resources of a migration exist once it has reached a state. */
export class Milestones {
  readonly #owner: Construct;
  readonly #plan: MigrationPlan;
  readonly #resources: MigrationResources;
  readonly #proxies: TargetProxies;
  readonly #traffic: TrafficRecords;

  constructor(
    owner: Construct,
    plan: MigrationPlan,
    resources: MigrationResources,
    proxies: TargetProxies,
    traffic: TrafficRecords,
  ) {
    this.#owner = owner;
    this.#plan = plan;
    this.#resources = resources;
    this.#proxies = proxies;
    this.#traffic = traffic;
  }

  /** All certificates are ACTIVE. */
  get issued(): MigrationMilestone {
    const { gate, phase } = this.#plan;
    const { certificates, gates, entries } = this.#resources;
    const isGuarded = phase === "serve" && gate === "precondition";
    const isAwaited = isGuarded || (phase === "serve" && gate === "wait");
    const managed = this.#plan.certificates.filter(({ kind }) => kind !== "selfManaged");
    if (managed.length > 0 && !isAwaited) this.#warn("issued", "the certificates are ACTIVE");
    const guarded = isGuarded ? [...entries.values(), ...this.#proxies.attached] : [];
    return new MigrationMilestone([
      ...this.#plan.certificates.flatMap(({ id }) => gates.get(id) ?? certificates.get(id) ?? []),
      ...guarded,
    ]);
  }

  /** The load balancer has the map or the certificates. */
  get attached(): MigrationMilestone {
    if (this.#plan.phase === "issue") {
      this.#warn("attached", "the map is attached");
      return new MigrationMilestone([...this.#resources.certificates.values()]);
    }
    const attached = [...this.#proxies.attached, ...this.#proxies.forwardingRules.values()];
    if (attached.length > 0) return new MigrationMilestone(attached);
    const { map, entries, settlements, gates, certificates } = this.#resources;
    if (entries.size === 0) return new MigrationMilestone([...gates.values(), ...certificates.values()]);
    return new MigrationMilestone([...(map === undefined ? [] : [map]), ...entries.values(), ...settlements]);
  }

  /** The load balancer was verified, so that traffic may move. */
  get verified(): MigrationMilestone {
    const verification = this.#traffic.verify();
    if (verification !== undefined) return new MigrationMilestone([verification]);
    if (this.#plan.traffic?.to !== "previous") this.#warn("verified", "the load balancer was verified");
    return this.attached;
  }

  #warn(name: string, state: string): void {
    const { phase, gate } = this.#plan;
    const message = `'${name}': Terraform does not wait until ${state} with phase '${phase}', gate '${gate}' and 'traffic.to' ${this.#plan.traffic?.to ?? "unset"}, and constructs that depend on '${name}' may be created before [milestone-not-awaited]`;
    if (this.#owner.node.metadata.some(({ data }) => data === message)) return;
    Annotations.of(this.#owner).addWarning(message);
  }
}
