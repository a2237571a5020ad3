import { typeOf, withoutKeys } from "./address";
import type { Followed } from "./configuration";
import type { Instances } from "./instances";
import type { TerraformPlan } from "./plan-json";

/**
 * What instances are made of, and what Terraform applies before them. The JSON of a plan leaves out what local values are made of. There the state helps: it
 * has what a resource depends on, whatever the way. For a resource that is new, the plan has what all of its changes are made of.
 */
export class References {
  readonly #plan: TerraformPlan;
  readonly #instances: Instances;
  readonly #earlier = new Map<string, ReadonlySet<string>>();

  constructor(plan: TerraformPlan, instances: Instances) {
    this.#plan = plan;
    this.#instances = instances;
  }

  /** Instances that an attribute gets its value from: directly, through a local value, or through a resource that hands it on, as `terraform_data` does. */
  sources(address: string, attribute: string, isWanted: (address: string) => boolean): readonly string[] {
    const found = new Set<string>();
    const seen = new Set<string>();
    let pending = this.#listed(address, this.#plan.configuration.referred(address, attribute));
    while (pending.length > 0) {
      const further: string[] = [];
      for (const one of pending) {
        if (seen.has(one)) continue;
        seen.add(one);
        if (isWanted(one)) found.add(one);
        else if (!typeOf(withoutKeys(one)).startsWith("google_")) {
          further.push(...this.#listed(one, this.#plan.configuration.dependencies(one)));
        }
      }
      pending = further;
    }
    return [...found];
  }

  /** Instances that an instance waits for, as its configuration names them. */
  waitsFor(address: string): readonly string[] {
    return this.#listed(address, this.#plan.configuration.dependencies(address));
  }

  /** Whether Terraform changes an instance only when another is applied. */
  isAfter(address: string, earlier: string): boolean {
    let known = this.#earlier.get(address);
    if (known === undefined) {
      known = this.#closureOf(address);
      this.#earlier.set(address, known);
    }
    return known.has(earlier);
  }

  #closureOf(address: string): ReadonlySet<string> {
    const found = new Set<string>();
    const asked = new Set<string>();
    let pending: readonly string[] = [address];
    while (pending.length > 0) {
      const further: string[] = [];
      for (const one of pending) {
        const followed = this.#plan.configuration.dependencies(one);
        // Terraform waits for all instances of what is named with a key that it evaluates; a data source is no part of the changes.
        const targets = followed.targets
          .map((target) => ({ ...target, preferred: "" }))
          // Thousands of instances may name the same.
          .filter(({ bare, keys }) => {
            const question = `${bare} ${keys.join()}`;
            return !asked.has(question) && asked.add(question);
          });
        const data = targets.flatMap(({ bare }) => (bare.includes("data.") ? bare : []));
        for (const next of [...this.#listed(one, { ...followed, targets }), ...data]) {
          if (found.has(next)) continue;
          found.add(next);
          further.push(next);
        }
      }
      pending = further;
    }
    return found;
  }

  #listed(address: string, { targets, hasLocals }: Followed): readonly string[] {
    const named = targets.flatMap((target) => this.#instances.of(target));
    return hasLocals ? [...named, ...this.behindLocals(address)] : named;
  }

  /** What the local values may be made of that a resource names. @param address of an instance, or without keys */
  behindLocals(address: string): readonly string[] {
    const { dependencies, contributing } = this.#plan;
    const known = this.#instances.at(address).flatMap((one) => dependencies.get(one) ?? []);
    return [...new Set(known.length > 0 ? known : contributing)].flatMap((one) => this.#instances.at(one));
  }
}
