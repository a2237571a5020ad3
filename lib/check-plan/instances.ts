import { keysOf, withoutKeys } from "./address";
import type { Target } from "./configuration";

/** The instances of a plan's resources, by what configurations call them. */
export class Instances {
  readonly #addresses: ReadonlySet<string>;
  readonly #byBare = new Map<string, string[]>();
  /** Instances that keys leave open, by bare address and keys: thousands of resources may refer to the same. */
  readonly #open = new Map<string, readonly string[]>();

  constructor(addresses: ReadonlySet<string>) {
    this.#addresses = addresses;
    for (const address of addresses) {
      const bare = withoutKeys(address);
      const there = this.#byBare.get(bare);
      if (there === undefined) this.#byBare.set(bare, [address]);
      else there.push(address);
    }
  }

  /** The instance with an address, or all of them where it has no keys. */
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

/** Whether an instance has the keys that are given; an empty one is open. */
function fits(address: string, keys: readonly string[]): boolean {
  const own = keysOf(address);
  return keys.every((key, index) => key === "" || key === own[index]);
}

/** An address with a key behind each module and resource; `undefined` where there are too many keys. */
function withKeys(bare: string, keys: readonly string[]): string | undefined {
  const parts = bare.match(/module\.[^.]+|(?:data\.)?[^.]+\.[^.]+/g) ?? [];
  if (parts.length < keys.length) return undefined;
  return parts.map((part, index) => `${part}${keys[index] ?? ""}`).join(".");
}
