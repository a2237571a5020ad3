import { groupBy } from "../json/group-by";
import type { Configuration, Followed, Target } from "./configuration";
import { hasUnknown, keysOf, typeOf, withoutKeys } from "./kinds";
import { type Change, isCreated, type TerraformPlan } from "./plan-json";

/** Returns everything that is reachable from a node, breadth first; the node itself only through a cycle. */
export function reachableFrom(start: string, nextOf: (node: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(nextOf(start));
  // The loop also visits the nodes that it adds.
  for (const node of found) for (const next of nextOf(node)) found.add(next);
  return found;
}

/** Returns a function that computes the value of a key only once. */
export function memoize<Value extends object>(compute: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

/** `value`: resources that a value may contain; `order`: resources that Terraform certainly applies before. */
type Question = "value" | "order";

/**
 * Finds the resources that an instance refers to, and the resources that Terraform applies before it. The JSON of a
 * plan does not contain the references of local values. They are estimated from the state, which contains all
 * dependencies of a resource, and from the plan, which contains all resources that its changes refer to. An order
 * through a local value counts only if no other order explains it.
 */
export class References {
  readonly #plan: TerraformPlan;
  readonly #instances: Instances;
  readonly #changes: ReadonlyMap<string, Change>;
  /** Addresses without keys of the resources in the state. */
  readonly #there: ReadonlySet<string>;
  readonly #contributing: ReadonlySet<string>;
  /** Whether the state has current dependencies; after `-refresh=false` it has the dependencies of the last apply. */
  readonly #isRefreshed: boolean;
  /** Resources that changes refer to and whose values are unknown before the apply. */
  #open: readonly string[] | undefined;

  constructor(plan: TerraformPlan, instances: Instances) {
    this.#plan = plan;
    this.#instances = instances;
    this.#changes = new Map(plan.changes.filter(({ deposed }) => !deposed).map((change) => [change.address, change]));
    this.#there = new Set([...plan.prior.keys()].map(withoutKeys));
    this.#contributing = new Set(plan.contributing.map(withoutKeys));
    this.#isRefreshed = [...plan.dependencies.values()].some((all) =>
      all.some((dependency) => this.#isNew(dependency)),
    );
  }

  /**
   * Returns the instances that an attribute gets its value from: directly, through a local value, or through a resource
   * that passes the value on, such as `terraform_data`.
   */
  sources(address: string, attribute: string, isWanted: (address: string) => boolean): readonly string[] {
    const { configuration } = this.#plan;
    const reached = new Set(this.#listed(address, configuration.referred(address, attribute), "value"));
    // The loop also visits the instances that it adds.
    for (const reachedAddress of reached) {
      if (isWanted(reachedAddress) || typeOf(withoutKeys(reachedAddress)).startsWith("google_")) continue;
      for (const next of this.#listed(reachedAddress, configuration.dependencies(reachedAddress), "value"))
        reached.add(next);
    }
    return [...reached].filter(isWanted);
  }

  /** Returns the instances that an instance depends on by its configuration, and data sources without keys. */
  waitsFor(address: string): readonly string[] {
    const followed = this.#plan.configuration.dependencies(address);
    return [...this.#listed(address, followed, "order"), ...dataIn(followed)];
  }

  /** Returns the instances that an instance certainly depends on, without those that an expression may choose from. */
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

  /** Returns whether Terraform changes an instance only after another instance. */
  isAfter(address: string, earlier: string): boolean {
    return this.#earlierThan(address).has(earlier);
  }

  readonly #earlierThan = memoize((address: string) => {
    const asked = new Set<string>();
    return reachableFrom(address, (referrer) => {
      const followed = this.#plan.configuration.dependencies(referrer);
      // Terraform waits for all instances of a resource that is referred to with a computed key.
      const targets = followed.targets
        .map((target) => ({ ...target, preferred: "" }))
        // Thousands of instances may refer to the same resource.
        .filter(({ bare, keys }) => {
          const question = `${bare} ${keys.join()}`;
          return !asked.has(question) && asked.add(question);
        });
      return [...this.#listed(referrer, { ...followed, targets }, "order"), ...dataIn({ targets })];
    });
  });

  #listed(address: string, { targets, hasLocals }: Followed, question: Question): readonly string[] {
    const named = targets.flatMap((target) => this.#instances.of(target));
    if (!hasLocals) return named;
    const hidden = question === "value" ? this.#maybeBehindLocals(address) : this.#surelyBehindLocals(address);
    return [...named, ...hidden.flatMap((hiddenModule) => this.#instances.at(hiddenModule))];
  }

  /** Returns the resources that the local values of an instance may contain. */
  #maybeBehindLocals(address: string): readonly string[] {
    const { dependencies, contributing } = this.#plan;
    const known = dependencies.get(address) ?? [];
    return [...new Set(known.length > 0 && this.#isRefreshed ? known : [...known, ...contributing])];
  }

  /**
   * Returns the resources that the local values of an instance certainly contain. The state can contain previous
   * dependencies, so only new resources count. An unknown value refers to a resource that this apply changes: if the
   * plan has only one such resource, the value refers to it.
   */
  #surelyBehindLocals(address: string): readonly string[] {
    const { dependencies, contributing } = this.#plan;
    const known = (dependencies.get(address) ?? []).filter((dependency) => {
      return this.#isNew(dependency) && this.#contributing.has(withoutKeys(dependency));
    });
    if (!this.#hasOpenLocal(address)) return known;
    this.#open ??= contributing.filter((contributor) => this.#isOpen(contributor));
    return new Set(this.#open.map(withoutKeys)).size === 1 ? [...known, ...this.#open] : known;
  }

  /** Returns whether an attribute of an instance is unknown because of a local value. */
  #hasOpenLocal(address: string): boolean {
    const unknown = this.#changes.get(address)?.unknown ?? {};
    return Object.keys(unknown).some((attribute) => {
      if (!hasUnknown(unknown[attribute])) return false;
      const { targets, hasLocals } = this.#plan.configuration.referred(address, attribute);
      return hasLocals && !targets.some(({ bare }) => this.#isOpen(bare));
    });
  }

  /** Returns whether values of a resource may be unknown before the apply. */
  #isOpen(address: string): boolean {
    if (address.includes("data.")) return true;
    return this.#instances.at(address).some((instance) => {
      const action = this.#changes.get(instance)?.action ?? "no-op";
      return action !== "no-op" && action !== "delete";
    });
  }

  /** Returns whether this apply creates all instances of a resource. */
  #isNew(address: string): boolean {
    if (this.#there.has(withoutKeys(address))) return false;
    return this.#instances.at(address).some((instance) => {
      const change = this.#changes.get(instance);
      return change !== undefined && isCreated(change);
    });
  }
}

/** Data sources are not among the changes, and have no instances here. */
function dataIn({ targets }: Pick<Followed, "targets">): readonly string[] {
  return targets.flatMap(({ bare }) => (/(?:^|\.)data\./.test(bare) ? bare : []));
}

/** Finds the instances of resources by the addresses in configurations. */
export class Instances {
  readonly #addresses: ReadonlySet<string>;
  readonly #byBare: ReadonlyMap<string, readonly string[]>;
  /** Instances by bare address and keys: thousands of resources may refer to the same instances. */
  readonly #open = new Map<string, readonly string[]>();

  constructor(addresses: ReadonlySet<string>) {
    this.#addresses = addresses;
    this.#byBare = groupBy(addresses, withoutKeys);
  }

  /** Returns the instance with an address, or all instances if the address has no keys. */
  at(address: string): readonly string[] {
    return this.#addresses.has(address) ? [address] : (this.#byBare.get(address) ?? []);
  }

  of({ bare, keys, preferred }: Target): readonly string[] {
    const all = this.#byBare.get(bare) ?? [];
    if (all.length <= 1) return all.filter((address) => fits(address, keys));
    const exact = withKeys(bare, preferred === "" ? keys : [...keys.slice(0, -1), preferred]);
    if (exact !== undefined && this.#addresses.has(exact)) return [exact];
    const question = `${bare} ${keys.join()}`;
    const known = this.#open.get(question) ?? all.filter((address) => fits(address, keys));
    this.#open.set(question, known);
    return known;
  }
}

/** Returns whether an instance has these keys; an empty key matches any key. */
function fits(address: string, keys: readonly string[]): boolean {
  const own = keysOf(address);
  return keys.every((key, index) => key === "" || key === own[index]);
}

/** Returns an address with a key after each module and resource; undefined if there are too many keys. */
function withKeys(bare: string, keys: readonly string[]): string | undefined {
  const parts = bare.match(/module\.[^.]+|(?:data\.)?[^.]+\.[^.]+/g) ?? [];
  if (parts.length < keys.length) return undefined;
  return parts.map((part, index) => `${part}${keys[index] ?? ""}`).join(".");
}

/**
 * Finds the gates of a plan: resources that run a command in this apply, and the changes that depend on them. The plan
 * contains the order of a command and a certificate, but not what the command waits for. The JSON of a plan does not
 * contain 'when' and 'on_failure' of a provisioner: a provisioner that runs only on destroy looks the same.
 */
export class Gates {
  readonly #configuration: Configuration;
  readonly #references: References;
  readonly #isCreated: (address: string) => boolean;

  /** @param isCreated returns whether this apply creates the resource, and so runs its command */
  constructor(configuration: Configuration, references: References, isCreated: (address: string) => boolean) {
    this.#configuration = configuration;
    this.#references = references;
    this.#isCreated = isCreated;
  }

  /** Returns whether a resource waits for a command. @param after resources that the command must follow */
  isGated(address: string, after: readonly string[]): boolean {
    const gates = this.#gatesOf(address);
    if (after.length === 0) return gates.length > 0;
    return after.every((waited) => {
      const isOwnGate = this.#runsCommand(waited) && this.#references.isAfter(address, waited);
      return isOwnGate || gates.some((gate) => this.#earlierThan(gate).has(waited));
    });
  }

  /** Returns the gates that a resource waits for. */
  before(address: string): readonly string[] {
    return this.#gatesOf(address);
  }

  #runsCommand(address: string): boolean {
    return this.#configuration.runsCommand(withoutKeys(address)) && this.#isCreated(address);
  }

  /** Does not follow resources of Google Cloud: a command before a certificate has not waited for the certificate. */
  readonly #gatesOf = memoize((address: string) => {
    const isFollowed = (isOwnAddress: string) => !typeOf(withoutKeys(isOwnAddress)).startsWith("google_");
    const earlier = reachableFrom(address, (referrer) => this.#references.waitsFor(referrer).filter(isFollowed));
    return [...earlier].filter((candidate) => this.#runsCommand(candidate));
  });

  /** Returns all instances that exist before a gate runs. */
  readonly #earlierThan = memoize((gate: string) =>
    reachableFrom(gate, (referrer) => this.#references.surelyNames(referrer)),
  );
}
