import { typeOf, withoutKeys } from "./address";
import type { Configuration } from "./configuration";
import type { References } from "./references";

/**
 * Finds the gates of a plan: resources that run a command in this apply, and the changes that depend on them. The plan
 * contains the order of a command and a certificate, but not what the command waits for. The JSON of a plan does not
 * contain 'when' and 'on_failure' of a provisioner: a provisioner that runs only on destroy looks the same.
 */
export class Gates {
  readonly #configuration: Configuration;
  readonly #references: References;
  readonly #runs: (address: string) => boolean;
  readonly #found = new Map<string, readonly string[]>();
  readonly #comesAfter = new Map<string, ReadonlySet<string>>();

  /** @param runs returns whether this apply creates the resource, and so runs its command */
  constructor(configuration: Configuration, references: References, runs: (address: string) => boolean) {
    this.#configuration = configuration;
    this.#references = references;
    this.#runs = runs;
  }

  /** Returns whether a resource waits for a command. @param after resources that the command must follow */
  isGated(address: string, after: readonly string[]): boolean {
    const gates = this.#gatesOf(address);
    if (after.length === 0) return gates.length > 0;
    return after.every((one) => {
      return gates.some((gate) => this.#earlierThan(gate).has(one)) || this.#isOwnGate(one, address);
    });
  }

  /** Returns whether `one` runs a command when it is created, and `address` depends on it. */
  #isOwnGate(one: string, address: string): boolean {
    const isCommand = this.#configuration.runsCommand(withoutKeys(one)) && this.#runs(one);
    return isCommand && this.#references.isAfter(address, one);
  }

  /** Does not follow resources of Google Cloud: a command before a certificate has not waited for the certificate. */
  #gatesOf(address: string): readonly string[] {
    const known = this.#found.get(address);
    if (known !== undefined) return known;
    const gates = new Set<string>();
    const seen = new Set<string>();
    let pending: readonly string[] = [address];
    while (pending.length > 0) {
      const further = pending.flatMap((one) => this.#references.waitsFor(one));
      pending = [...new Set(further)].filter(
        (one) => !seen.has(one) && !typeOf(withoutKeys(one)).startsWith("google_"),
      );
      for (const one of pending) {
        seen.add(one);
        if (this.#configuration.runsCommand(withoutKeys(one)) && this.#runs(one)) gates.add(one);
      }
    }
    const found = [...gates];
    this.#found.set(address, found);
    return found;
  }

  /** Returns all instances that exist before a gate runs. */
  #earlierThan(gate: string): ReadonlySet<string> {
    const known = this.#comesAfter.get(gate);
    if (known !== undefined) return known;
    const found = new Set<string>();
    let pending: readonly string[] = [gate];
    while (pending.length > 0) {
      const further = new Set(pending.flatMap((one) => this.#references.surelyNames(one)));
      pending = [...further].filter((one) => !found.has(one));
      for (const one of pending) found.add(one);
    }
    this.#comesAfter.set(gate, found);
    return found;
  }
}
