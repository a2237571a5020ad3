import type { Finding } from "../findings/finding";
import { groupBy } from "../json/group-by";
import { sortByTime } from "./hostname-states";
import type { NamedMigration, Verification } from "./model";

/** A result of one of several processes that share the hostnames of migrations. */
interface OfShard {
  /** As in `2/10`. @default - the result of all hostnames */
  readonly shard?: string;
  /** @default - unknown; results without migrations belong together */
  readonly migrations?: readonly NamedMigration[];
}

/** Shards without a result. */
interface MissingShards {
  /** As in `3/10`. */
  readonly shards: readonly string[];
  /** Names of the migrations that lack these shards; empty if they are unknown. */
  readonly names: readonly string[];
}

/**
 * Returns the findings of verifications, each once. A later result for the same migrations, of the same shard or of all
 * hostnames, replaces the findings of an earlier result, except those about hostnames and addresses that it lacks.
 *
 * @param unexplained returns the finding for a verification that failed, although no result and no finding is an error
 */
export function latestFindings(
  verifications: readonly Verification[],
  unexplained: (verification: Verification) => Finding,
): readonly Finding[] {
  const seen = new Set<string>();
  const latest = [...sortByTime(verifications)].reverse().flatMap((verification) => {
    const { shard = "", results, findings = [], ok } = verification;
    const keys = migrationsOf(verification).map(keyOf);
    const isReplaced = keys.every((key) => seen.has(`${key} ${shard}`) || seen.has(`${key} `));
    const subjects = results.flatMap(({ hostname, address }) => [hostname, address]);
    const unseen = new Set(subjects.filter((subject) => !seen.has(subject)));
    for (const key of [...keys.map((one) => `${one} ${shard}`), ...subjects]) seen.add(key);
    if (isReplaced) return findings.filter(({ subject }) => unseen.has(subject));
    const isExplained = results.some((pair) => !pair.ok) || findings.some(({ severity }) => severity === "error");
    return ok === false && !isExplained ? [...findings, unexplained(verification)] : findings;
  });
  return [...groupBy(latest, ({ code, subject, message }) => JSON.stringify([code, subject, message])).values()]
    .flatMap((same) => same.slice(0, 1))
    .reverse();
}

/** Returns the shards whose results are missing. Migrations that lack the same shards are one item. */
export function missingShards(items: readonly OfShard[]): readonly MissingShards[] {
  const all = items.flatMap((item) => migrationsOf(item).map((migration) => ({ migration, shard: item.shard })));
  const lacking = [...groupBy(all, ({ migration }) => keyOf(migration)).values()].map((same) => ({
    shards: shardsWithout(new Set(same.map(({ shard }) => shard))),
    names: same.slice(0, 1).flatMap(({ migration: { name } }) => (name === "" ? [] : [name])),
  }));
  const alike = groupBy(lacking, ({ shards, names }) => JSON.stringify([shards, names.length]));
  return [...alike.values()].flatMap((same) =>
    same.slice(0, 1).flatMap(({ shards }) => {
      return shards.length === 0 ? [] : [{ shards, names: same.flatMap(({ names }) => names) }];
    }),
  );
}

function migrationsOf({ migrations = [{ name: "" }] }: OfShard): readonly NamedMigration[] {
  return migrations;
}

function keyOf({ name, project }: NamedMigration): string {
  return JSON.stringify([name, project]);
}

/** Returns the missing shards of one migration; empty if a result is of all its hostnames. */
function shardsWithout(given: ReadonlySet<string | undefined>): readonly string[] {
  const counts = new Set([...given].flatMap((shard) => shard?.split("/")[1] ?? []));
  const missing = [...counts].map((count) =>
    Array.from({ length: Number(count) }, (_, at) => `${at + 1}/${count}`).filter((shard) => !given.has(shard)),
  );
  return given.has(undefined) || missing.some(({ length }) => length === 0) ? [] : missing.flat();
}
