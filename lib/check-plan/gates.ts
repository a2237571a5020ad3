import { typeOf, withoutKeys } from "./address";
import type { Configuration, Target } from "./configuration";
import type { Instances } from "./instances";

/**
 * Commands that hold changes back: what runs a command and is made in this apply, and what a change waits for. What the command waits for the plan does not
 * say; that it comes after a certificate it does.
 */
export class Gates {
  readonly #configuration: Configuration;
  readonly #instances: Instances;
  readonly #runs: (address: string) => boolean;
  readonly #found = new Map<string, readonly string[]>();
  readonly #comesAfter = new Map<string, { readonly bare: ReadonlySet<string>; readonly hasLocals: boolean }>();

  /** @param runs whether what runs a command is made in this apply */
  constructor(configuration: Configuration, instances: Instances, runs: (address: string) => boolean) {
    this.#configuration = configuration;
    this.#instances = instances;
    this.#runs = runs;
  }

  /** Whether a resource waits for a command that runs. @param after resources that the command has to come after */
  isGated(address: string, after: readonly string[]): boolean {
    const gates = this.#gatesOf(address);
    if (gates.length === 0) return false;
    const needed = new Set(after.map(withoutKeys));
    return [...needed].every((bare) => {
      return gates.some((gate) => {
        const { bare: earlier, hasLocals } = this.#earlierThan(gate);
        return hasLocals || earlier.has(bare);
      });
    });
  }

  /** Through resources of Google Cloud nothing is followed: what a certificate waits for has not waited for it. */
  #gatesOf(address: string): readonly string[] {
    const known = this.#found.get(address);
    if (known !== undefined) return known;
    const gates = new Set<string>();
    const seen = new Set<string>();
    let pending: readonly string[] = [address];
    while (pending.length > 0) {
      const targets = pending.flatMap((one) => this.#configuration.dependencies(one).targets);
      pending = targets.flatMap((target) => this.#pass(target, gates)).filter((one) => !seen.has(one));
      for (const one of pending) seen.add(one);
    }
    const found = [...gates];
    this.#found.set(address, found);
    return found;
  }

  #pass(target: Target, gates: Set<string>): readonly string[] {
    if (typeOf(target.bare).startsWith("google_")) return [];
    const instances = this.#instances.of(target);
    if (this.#configuration.runsCommand(target.bare)) {
      for (const one of instances) if (this.#runs(one)) gates.add(one);
    }
    return instances;
  }

  /** Everything that has to be there before a gate runs. */
  #earlierThan(gate: string): { readonly bare: ReadonlySet<string>; readonly hasLocals: boolean } {
    const start = withoutKeys(gate);
    const known = this.#comesAfter.get(start);
    if (known !== undefined) return known;
    const bare = new Set<string>();
    let hasLocals = false;
    let pending: readonly string[] = [gate];
    while (pending.length > 0) {
      const found = pending.map((one) => this.#configuration.dependencies(one));
      hasLocals ||= found.some((one) => one.hasLocals);
      const targets = found.flatMap((one) => one.targets).filter((target) => !bare.has(target.bare));
      for (const target of targets) bare.add(target.bare);
      pending = [...new Set(targets.map((target) => target.bare))];
    }
    const earlier = { bare, hasLocals };
    this.#comesAfter.set(start, earlier);
    return earlier;
  }
}
