import { mapConcurrently } from "../concurrent";
import type { LookUp } from "../dns";
import type { SourceMigration } from "../source";
import { probeName } from "./names";
import type { VerifyTarget } from "./targets";

export interface PreviousOptions {
  readonly migrations: readonly SourceMigration[];
  /** Addresses that somebody has given; they are those of every hostname. */
  readonly given: readonly string[];
  /** Tells where hostnames lead today. @default - only what is given counts */
  readonly lookUp?: LookUp;
  readonly random: () => number;
}

const concurrency = 32;

/**
 * Where hostnames are served by the old side: as given, as the plan says before it moves traffic, else where DNS leads; the load balancer's own
 * addresses are not among them.
 */
export async function previousAddresses(
  targets: readonly VerifyTarget[],
  { migrations, given, lookUp, random }: PreviousOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const own = new Set(targets.flatMap(({ addresses }) => addresses));
  const hostnames = [...new Set(targets.map(({ hostname }) => hostname))];
  const found = await mapConcurrently(hostnames, concurrency, async (hostname) => {
    const known =
      lookUp === undefined ? [] : (plannedBefore(hostname, migrations) ?? (await ask(hostname, lookUp, random)));
    return [hostname, [...given, ...known].filter((address) => !own.has(address))] as const;
  });
  return new Map(found);
}

/** Where a hostname led before the move, as far as the plan says: in so many words, or by its records as long as traffic has not moved. */
export function plannedBefore(hostname: string, migrations: readonly SourceMigration[]): readonly string[] | undefined {
  const stated = migrations.flatMap(({ traffic }) => traffic?.previous?.[hostname] ?? []);
  if (stated.length > 0) return stated;
  const records = migrations
    .flatMap(({ traffic }) => (traffic?.to === "previous" ? traffic.records : []))
    .filter(({ name, type }) => name === `${hostname}.` && (type === "A" || type === "AAAA"));
  return records.length === 0 ? undefined : records.flatMap(({ data }) => data);
}

async function ask(hostname: string, lookUp: LookUp, random: () => number): Promise<readonly string[]> {
  const name = probeName(hostname, random);
  const [ipv4, ipv6] = await Promise.all([lookUp(name, "A"), lookUp(name, "AAAA")]);
  return [ipv4, ipv6].flatMap((answer) => (answer.ok ? answer.data : []));
}
