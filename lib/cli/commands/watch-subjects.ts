import { InputError } from "../../errors";
import { defined } from "../../json/defined";
import type { WatchResolver, WatchSubjects } from "../../live/watch";
import type { SourceMigration } from "../../source";
import type { Io } from "../command";
import { sleep } from "../duration";
import * as load from "../load";
import { shardFilter } from "../shard";
import { type CheckedMigration, checkedMigrations } from "../source";
import { readSubjects, type SubjectOptions, servedNamesOf } from "../subjects";
import { writeLine, writeNote } from "../text";

interface Move extends Pick<WatchSubjects, "loadBalancerAddresses"> {
  readonly migrations: readonly CheckedMigration[];
  /** Hostnames to watch, including wildcards. */
  readonly hostnames: readonly string[];
  /** Whether these are a part of all hostnames, which can be empty. */
  readonly isPart: boolean;
  /** Returns the addresses of a hostname before the move. `undefined` if they are unknown. */
  readonly before: (hostname: string) => readonly string[] | undefined;
  /** Returns whether a hostname is known to have had an address before the move. */
  readonly hadAddress: (hostname: string) => boolean;
  /** Returns whether a hostname is known to have been an alias before the move. */
  readonly wasAlias: (hostname: string) => boolean;
}

/** Reads the hostnames to watch, and their addresses before and after the move. */
export async function readMove(
  options: SubjectOptions & { readonly previous: readonly string[] },
  io: Io,
): Promise<Move> {
  const { plannedBefore } = load.verify();
  const { hostnames: named, migrations, addresses } = await readSubjects(options, io);
  const { previous } = options;
  const all = [...new Set(named.length > 0 ? named : migrations.flatMap(hostnamesOf))].sort();
  const hostnames = all.filter(shardFilter(options, io));
  // With several hostnames, not every hostname necessarily had one of the addresses of --previous.
  const isOnly = previous.length > 0 && all.length === 1;
  return {
    migrations: checkedMigrations(migrations),
    hostnames,
    isPart: options.shard !== undefined,
    loadBalancerAddresses: addresses,
    before: (hostname) => (previous.length > 0 ? previous : plannedBefore(hostname, migrations)),
    hadAddress: (hostname) => isOnly || (plannedBefore(hostname, migrations) ?? []).length > 0,
    wasAlias: (hostname) => migrations.some(({ traffic }) => Object.hasOwn(traffic?.previousAliases ?? {}, hostname)),
  };
}

/** Returns what to watch, with a hostname in place of each wildcard that can be watched. */
export async function placeWildcards(
  { hostnames, isPart, loadBalancerAddresses, before, hadAddress, wasAlias }: Move,
  resolvers: readonly WatchResolver[],
  label: string | undefined,
  io: Io,
): Promise<WatchSubjects & { readonly notWatched: readonly string[] }> {
  const { findStandIns } = load.watch();
  const isWildcard = (hostname: string) => hostname.startsWith("*.");
  const { watched, left } = await findStandIns(hostnames.filter(isWildcard), {
    resolvers,
    ...defined({ label }),
    random: Math.random,
    sleep,
    signal: io.signal,
  });
  for (const [name, wildcard] of watched) writeLine(`${name} is watched for ${wildcard}`, io, "stderr");
  for (const { wildcard, why } of left)
    writeNote("wildcard-not-watched", `not watched: ${wildcard}: ${leftWords[why]}`, io);
  const plain = hostnames.filter((hostname) => !isWildcard(hostname));
  const names = [...new Set([...plain, ...watched.keys()])];
  if (names.length === 0 && !(isPart && hostnames.length === 0)) {
    const isAnswered = left.some(({ why }) => why === "no-address");
    const reason = isAnswered
      ? "DNS has no address for names under the wildcards; give --hostname, or --wildcard-label"
      : "no resolver answered for names under the wildcards; check the network of this machine, or give --hostname";
    throw new InputError("hostname-missing", `nothing is left to watch: ${reason}`);
  }
  const previousAddresses = new Map(
    names.flatMap((name) => {
      const addresses = before(name) ?? before(watched.get(name) ?? name);
      return addresses === undefined ? [] : [[name, addresses] as const];
    }),
  );
  return {
    hostnames: names,
    // A name that is also in the plan is watched for itself.
    wildcards: new Map([...watched].filter(([name]) => !plain.includes(name))),
    loadBalancerAddresses,
    previousAddresses,
    foundBefore: new Set(names.filter((name) => watched.has(name) || hadAddress(name) || wasAlias(name))),
    notWatched: left.map(({ wildcard }) => wildcard),
  };
}

const leftWords = {
  "no-address": "DNS has no address for a name that only the wildcard covers; give --hostname for names under it",
  unanswered: "no resolver answered within 4 s whether DNS has an address for names under it; give --hostname for some",
} as const;

/**
 * Returns the names whose traffic moves, and the wildcards that are served: traffic of hosts under a wildcard may move
 * with records outside the plan. If the plan has no traffic, returns all served names.
 */
function hostnamesOf(migration: SourceMigration): readonly string[] {
  const served = servedNamesOf(migration);
  if (migration.traffic === undefined) return served;
  return [...migration.traffic.hostnames, ...served.filter((hostname) => hostname.startsWith("*."))];
}
