import { typeOf, withoutKeys } from "./address";
import type { Configuration } from "./configuration";
import { memoize, reachableFrom } from "./graph";
import type { References } from "./references";

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
