import type { TerraformResource } from "cdktf";
import { Dependable, type IDependable } from "constructs";

/** Marks the resources of milestones, in every copy of the package. */
const ofMilestone = Symbol.for("cdktf-google-cert-migration/milestone");

/** Returns whether a resource is part of a milestone; it may be a proxy of the app. */
export function isOfMilestone(resource: object): boolean {
  return ofMilestone in resource;
}

/**
 * A state of a migration on which other constructs can depend: with `node.addDependency`, in `dependsOn` of a
 * `CommandGate`, or with `resources` in `dependsOn` of another resource.
 *
 * @example
 * ```ts
 * const shop = new ManagedCertMigration(stack, "shop", {
 *   certificates: [Certificate.managed({ domains: ["example.com"] })],
 *   dns: DnsPublication.external(),
 * });
 * new CommandGate(stack, "announce", { command: "./announce.sh", triggers: ["1"], dependsOn: [shop.attached] });
 * ```
 */
export class MigrationMilestone implements IDependable {
  readonly #resources: readonly TerraformResource[];

  /** @param resources resources that exist once the state is reached */
  constructor(resources: readonly TerraformResource[]) {
    this.#resources = resources;
    for (const resource of resources) Object.defineProperty(resource, ofMilestone, { value: true, configurable: true });
    Dependable.implement(this, { dependencyRoots: [...resources] });
  }

  /** The resources that exist once the state is reached, for `dependsOn` of a resource of the same stack. */
  get resources(): TerraformResource[] {
    return [...this.#resources];
  }
}
