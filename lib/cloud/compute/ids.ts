import { createHash } from "node:crypto";
import type { Store } from "../state";

/** Numbers that look as if drawn at random, and are the same in every run with the same seed. */
export interface Ids {
  /** 64 bits, hexadecimal; never twice. */
  next(): string;
}

/** How many have been drawn is kept in the store: a cloud that goes on draws new ones. */
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

/** An id as resources carry it: decimal, at most 63 bits, never zero. */
export function decimalId(id: string): string {
  return (BigInt(`0x${id}`) >> 1n || 1n).toString();
}
