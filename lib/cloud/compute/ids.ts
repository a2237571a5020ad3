import { createHash } from "node:crypto";
import type { Store } from "../state";

/** Numbers that look random and are the same in every run with the same seed. */
export interface Ids {
  /** Returns 64 bits in hexadecimal, different at each call. */
  next(): string;
}

/** Creates the ids. The store keeps their count, so that a restarted cloud creates new ids. */
export function createIds(store: Store, seed: string): Ids {
  const counters = store.collection<number>("compute.counters");
  return {
    next() {
      const drawn = (counters.get("ids") ?? 0) + 1;
      counters.set("ids", drawn);
      return createHash("sha256").update(`${seed}/${drawn}`).digest("hex").slice(0, 16);
    },
  };
}

/** Returns an id in the format of resources: decimal, at most 63 bits, never zero. */
export function decimalId(id: string): string {
  return (BigInt(`0x${id}`) >> 1n || 1n).toString();
}
