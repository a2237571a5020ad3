import { groupBy } from "../json/group-by";
import { sortByTime } from "./hostname-states";

/** A result of one of several processes that share the hostnames. */
interface OfShard {
  /** As in `2/10`. @default - the result of all hostnames */
  readonly shard?: string;
}

/** Returns the latest result of all hostnames, and of each shard. */
export function latestOfEachShard<Item extends OfShard & { readonly time: Date }>(
  items: readonly Item[],
): readonly Item[] {
  return [...groupBy(sortByTime(items), ({ shard = "" }) => shard).values()].flatMap((all) => all.slice(-1));
}

/** Returns the shards whose results are missing, as in `3/10`; empty if a result is of all hostnames. */
export function missingShards(items: readonly OfShard[]): readonly string[] {
  const shards = items.flatMap(({ shard }) => shard ?? []);
  if (shards.length < items.length || shards.length === 0) return [];
  const given = new Set(shards);
  const missing = [...new Set(shards.map((shard) => Number(shard.split("/")[1])))].map((count) =>
    Array.from({ length: count }, (_, at) => `${at + 1}/${count}`).filter((shard) => !given.has(shard)),
  );
  return missing.some(({ length }) => length === 0) ? [] : missing.flat();
}
