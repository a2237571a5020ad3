import { typeOf, withoutKeys } from "./address";
import type { Followed, Target } from "./configuration";
import type { Instances } from "./instances";
import { hasUnknown, isMade } from "./kinds";
import type { Change, TerraformPlan } from "./plan-json";

/** What is asked of references: what a value may be made of, or what Terraform certainly applies before. */
type Question = "value" | "order";

/**
 * Finds the resources that an instance refers to, and the resources that Terraform applies before it. The JSON of a plan
 * does not contain the references of local values. They are estimated from the state, which contains all dependencies of
 * a resource, and from the plan, which contains all resources that its changes refer to. An order through a local value
 * counts only if no other order explains it.
 */
export class References {
  readonly #plan: TerraformPlan;
  readonly #instances: Instances;
  readonly #earlier = new Map<string, ReadonlySet<string>>();
  readonly #changes: ReadonlyMap<string, Change>;
  /** Addresses without keys of what the state has. */
  readonly #there: ReadonlySet<string>;
  readonly #contributing: ReadonlySet<string>;
  /** Whether the state has what resources depend on now: after `-refresh=false` it has what they depended on in the last apply. */
  readonly #isRefreshed: boolean;
  /** What changes are made of and is not known before the apply. */
  #open: readonly string[] | undefined;

  constructor(plan: TerraformPlan, instances: Instances) {
    this.#plan = plan;
    this.#instances = instances;
    this.#changes = new Map(plan.changes.filter(({ deposed }) => !deposed).map((change) => [change.address, change]));
    this.#there = new Set([...plan.prior.keys()].map(withoutKeys));
    this.#contributing = new Set(plan.contributing.map(withoutKeys));
    this.#isRefreshed = [...plan.dependencies.values()].some((all) => all.some((one) => this.#isNew(one)));
  }

  /** Instances that an attribute gets its value from: directly, through a local value, or through a resource that hands it on, as `terraform_data` does. */
  sources(address: string, attribute: string, isWanted: (address: string) => boolean): readonly string[] {
    const found = new Set<string>();
    const seen = new Set<string>();
    let pending = this.#listed(address, this.#plan.configuration.referred(address, attribute), "value");
    while (pending.length > 0) {
      const further: string[] = [];
      for (const one of pending) {
        if (seen.has(one)) continue;
        seen.add(one);
        if (isWanted(one)) found.add(one);
        else if (!typeOf(withoutKeys(one)).startsWith("google_")) {
          further.push(...this.#listed(one, this.#plan.configuration.dependencies(one), "value"));
        }
      }
      pending = further;
    }
    return [...found];
  }

  /** Instances that an instance waits for, as its configuration names them, and data sources without their keys. */
  waitsFor(address: string): readonly string[] {
    const followed = this.#plan.configuration.dependencies(address);
    return [...this.#listed(address, followed, "order"), ...dataIn(followed)];
  }

  /** What an instance surely names: of several instances, those that an expression may choose from are not among them. */
  surelyNames(address: string): readonly string[] {
    const followed = this.#plan.configuration.dependencies(address);
    const targets = followed.targets.filter((target) => !this.#isChoice(target));
    return [...this.#listed(address, { ...followed, targets }, "order"), ...dataIn(followed)];
  }

  #isChoice(target: Target): boolean {
    const { bare, choice } = target;
    if (choice === "none" || this.#instances.at(bare).length <= 1) return false;
    return choice === "any" || this.#instances.of(target).length > 1;
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
        // Terraform waits for all instances of what is named with a key that it evaluates; data sources are not among the changes.
        const targets = followed.targets
          .map((target) => ({ ...target, preferred: "" }))
          // Thousands of instances may name the same.
          .filter(({ bare, keys }) => {
            const question = `${bare} ${keys.join()}`;
            return !asked.has(question) && asked.add(question);
          });
        for (const next of [...this.#listed(one, { ...followed, targets }, "order"), ...dataIn({ targets })]) {
          if (found.has(next)) continue;
          found.add(next);
          further.push(next);
        }
      }
      pending = further;
    }
    return found;
  }

  #listed(address: string, { targets, hasLocals }: Followed, question: Question): readonly string[] {
    const named = targets.flatMap((target) => this.#instances.of(target));
    if (!hasLocals) return named;
    const hidden = question === "value" ? this.#maybeBehindLocals(address) : this.#surelyBehindLocals(address);
    return [...named, ...hidden.flatMap((one) => this.#instances.at(one))];
  }

  /** What the local values may be made of that an instance names. */
  #maybeBehindLocals(address: string): readonly string[] {
    const { dependencies, contributing } = this.#plan;
    const known = dependencies.get(address) ?? [];
    return [...new Set(known.length > 0 && this.#isRefreshed ? known : [...known, ...contributing])];
  }

  /**
   * What the local values are certainly made of that an instance names. The state keeps what a resource depended on before: only what is new can't be such a
   * rest. And a value that is not known yet is made of something that is not there yet: where the plan has a single one, of that.
   */
  #surelyBehindLocals(address: string): readonly string[] {
    const { dependencies, contributing } = this.#plan;
    const known = (dependencies.get(address) ?? []).filter((one) => {
      return this.#isNew(one) && this.#contributing.has(withoutKeys(one));
    });
    if (!this.#hasOpenLocal(address)) return known;
    this.#open ??= contributing.filter((one) => this.#isOpen(one));
    return new Set(this.#open.map(withoutKeys)).size === 1 ? [...known, ...this.#open] : known;
  }

  /** Whether an attribute of an instance is not known because of a local value. */
  #hasOpenLocal(address: string): boolean {
    const unknown = this.#changes.get(address)?.unknown ?? {};
    return Object.keys(unknown).some((attribute) => {
      if (!hasUnknown(unknown[attribute])) return false;
      const { targets, hasLocals } = this.#plan.configuration.referred(address, attribute);
      return hasLocals && !targets.some(({ bare }) => this.#isOpen(bare));
    });
  }

  /** Whether values of a resource may not be known before the apply. */
  #isOpen(address: string): boolean {
    if (address.includes("data.")) return true;
    return this.#instances.at(address).some((one) => {
      const action = this.#changes.get(one)?.action ?? "no-op";
      return action !== "no-op" && action !== "delete";
    });
  }

  /** Whether all instances of a resource are created in this apply. */
  #isNew(address: string): boolean {
    if (this.#there.has(withoutKeys(address))) return false;
    return this.#instances.at(address).some((one) => {
      const change = this.#changes.get(one);
      return change !== undefined && isMade(change);
    });
  }
}

/** Data sources are not among the changes, and have no instances here. */
function dataIn({ targets }: Pick<Followed, "targets">): readonly string[] {
  return targets.flatMap(({ bare }) => (/(?:^|\.)data\./.test(bare) ? bare : []));
}
