import { mapConcurrently } from "../../async/concurrent";
import type { LookUp } from "../../dns";
import { canonicalAddress } from "../../hostnames";
import type { SourceMigration } from "../../source";
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

/**
 * Who says where the old side is: the command line, the plan, the plan's alias as DNS has it today, or DNS for the hostname itself, which after a move says
 * nothing of it.
 */
export type OldSideSource = "given" | "plan" | "alias" | "dns";

/** An address where a hostname is served by the old side. */
export interface OldAddress {
  readonly address: string;
  readonly from: OldSideSource;
}

const concurrency = 32;

/**
 * Where hostnames are served by the old side: as given, as the plan says before it moves traffic, else where DNS leads; the load balancer's own
 * addresses are not among them.
 */
export async function previousAddresses(
  targets: readonly VerifyTarget[],
  { migrations, given, lookUp, random }: PreviousOptions,
): Promise<ReadonlyMap<string, readonly OldAddress[]>> {
  const own = new Set(targets.flatMap(({ addresses }) => addresses.map(canonicalAddress)));
  const hostnames = [...new Set(targets.map(({ hostname }) => hostname))];
  const find = async (hostname: string): Promise<readonly OldAddress[]> => {
    if (lookUp === undefined) return [];
    const planned = plannedBefore(hostname, migrations);
    if (planned !== undefined) return placed(planned, "plan");
    const alias = aliasBefore(hostname, migrations);
    if (alias !== undefined) return placed(await ask(alias, lookUp), "alias");
    return placed(await ask(probeName(hostname, random), lookUp), "dns");
  };
  const found = await mapConcurrently(hostnames, concurrency, async (hostname) => {
    const all = [...placed(given, "given"), ...(await find(hostname))];
    return [hostname, all.filter(({ address }) => !own.has(canonicalAddress(address)))] as const;
  });
  return new Map(found);
}

function placed(addresses: readonly string[], from: OldSideSource): readonly OldAddress[] {
  return addresses.map((address) => ({ address, from }));
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

/** What a hostname was an alias of before the move, as far as the plan says. */
function aliasBefore(hostname: string, migrations: readonly SourceMigration[]): string | undefined {
  return migrations.flatMap(({ traffic }) => traffic?.previousAliases?.[hostname] ?? [])[0];
}

async function ask(name: string, lookUp: LookUp): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.all([lookUp(name, "A"), lookUp(name, "AAAA")]);
  return [ipv4, ipv6].flatMap((answer) => (answer.ok ? answer.data : []));
}
