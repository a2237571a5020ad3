import { InputError } from "../../errors";
import type { WatchOptions, WatchResolver } from "../../live/watch";
import type { SourceMigration } from "../../source";
import { quote } from "../../text/quote";
import type { Invocation, Io } from "../command";
import { sleep } from "../sleep";
import { readAddresses, readSubjects, servedNamesOf } from "../subjects";
import { safe } from "../text";

interface Move extends Pick<WatchOptions, "newAddresses"> {
  /** Wildcards among them. */
  readonly hostnames: readonly string[];
  /** Where one of them led before the move, as far as that is known. */
  readonly before: (hostname: string) => readonly string[] | undefined;
  /** Whether one of them is known to have had an address before the move. */
  readonly hadAddress: (hostname: string) => boolean;
  /** Whether one of them is known to have been an alias before the move. */
  readonly wasAlias: (hostname: string) => boolean;
}

/** @throws InputError where there is nothing to watch, or nobody knows where it moves */
export async function readMove(invocation: Invocation, io: Io): Promise<Move> {
  const { options } = invocation;
  const { plannedBefore } = require("../../live/verify") as typeof import("../../live/verify");
  const { hostnames: named, migrations, addresses } = await readSubjects(invocation, io);
  const old = readAddresses(options.old as readonly string[], "--old");
  const hostnames = [...new Set(named.length > 0 ? named : migrations.flatMap(hostnamesOf))].sort();
  // For several hostnames --old says where the old side is, and not that each of them was there.
  const isOnly = old.length > 0 && hostnames.length === 1;
  return {
    hostnames,
    newAddresses: addresses,
    before: (hostname) => (old.length > 0 ? old : plannedBefore(hostname, migrations)),
    hadAddress: (hostname) => isOnly || (plannedBefore(hostname, migrations) ?? []).length > 0,
    wasAlias: (hostname) => migrations.some(({ traffic }) => Object.hasOwn(traffic?.previousAliases ?? {}, hostname)),
  };
}

/**
 * What to watch, with names in place of the wildcards that can be watched.
 *
 * @throws InputError `hostname-missing` where nothing is left
 */
export async function placeWildcards(
  { hostnames, newAddresses, before, hadAddress, wasAlias }: Move,
  resolvers: readonly WatchResolver[],
  label: string | undefined,
  io: Io,
): Promise<
  Pick<WatchOptions, "hostnames" | "wildcards" | "newAddresses" | "oldAddresses" | "foundBefore"> & {
    readonly notWatched: readonly string[];
  }
> {
  const { findStandIns } = require("../../live/watch") as typeof import("../../live/watch");
  const isWildcard = (hostname: string) => hostname.startsWith("*.");
  const { watched, left } = await findStandIns(hostnames.filter(isWildcard), {
    resolvers,
    ...(label === undefined ? {} : { label }),
    random: Math.random,
    sleep,
    signal: io.signal,
  });
  for (const [name, wildcard] of watched) io.stderr.write(`${safe(name)} is watched for ${safe(wildcard)}\n`);
  for (const { wildcard, why } of left) io.stderr.write(`not watched: ${safe(wildcard)}: ${leftWords[why]}\n`);
  const own = hostnames.filter((hostname) => !isWildcard(hostname));
  const names = [...new Set([...own, ...watched.keys()])];
  if (names.length === 0) {
    throw new InputError(
      "hostname-missing",
      "nothing is left to watch: DNS has no address for names under the wildcards; give --hostname, or --wildcard-label",
    );
  }
  const oldAddresses = new Map(
    names.flatMap((name) => {
      const addresses = before(name) ?? before(watched.get(name) ?? name);
      return addresses === undefined ? [] : [[name, addresses] as const];
    }),
  );
  return {
    hostnames: names,
    // A name that the plan has as well stands for itself.
    wildcards: new Map([...watched].filter(([name]) => !own.includes(name))),
    newAddresses,
    oldAddresses,
    foundBefore: new Set(names.filter((name) => watched.has(name) || hadAddress(name) || wasAlias(name))),
    notWatched: left.map(({ wildcard }) => wildcard),
  };
}

const leftWords = {
  "no-address": "DNS has no address for a name that only the wildcard covers; give --hostname for names under it",
  unanswered: "nobody said in time whether DNS has an address for names under it; give --hostname for some",
} as const;

/** @throws InputError `label-malformed` */
export function readLabel(given: string | undefined): string | undefined {
  if (given === undefined || /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i.test(given)) return given?.toLowerCase();
  throw new InputError(
    "label-malformed",
    `--wildcard-label ${quote(given)} is not a label of a domain name; use letters, digits and hyphens, as in 'shop'`,
  );
}

/** Names whose traffic moves, and wildcards that are served, since the traffic of hosts under them moves with records that may be in no plan; every name that is served where the plan has no traffic. */
function hostnamesOf(migration: SourceMigration): readonly string[] {
  const served = servedNamesOf(migration);
  if (migration.traffic === undefined) return served;
  return [...migration.traffic.hostnames, ...served.filter((hostname) => hostname.startsWith("*."))];
}
