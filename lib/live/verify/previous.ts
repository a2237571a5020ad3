import { mapConcurrently } from "../../async/concurrent";
import type { LookUp } from "../../dns";
import { canonicalAddress } from "../../hostnames";
import type { SourceMigration } from "../../source";
import { probeName, type VerifyTarget } from "./targets";

/** Options of {@link previousAddresses}. */
export interface PreviousOptions {
  readonly migrations: readonly SourceMigration[];
  /** Addresses from the command line; they apply to every hostname. */
  readonly given: readonly string[];
  /** Looks up the current addresses of hostnames. @default - only the given addresses count */
  readonly lookUp?: LookUp;
  /** Called with each look-up that fails, so that addresses may be missing; the reason is untrusted. */
  readonly onFailedLookUp?: (hostname: string, reason: string) => void;
  readonly random: () => number;
}

/**
 * Source of a previous address: the command line, the plan, the current addresses of the plan's alias, or DNS for the
 * hostname itself. After a cut-over, DNS for the hostname no longer has the previous address.
 */
export type PreviousAddressSource = "given" | "plan" | "alias" | "dns";

/** An address where the previous provider serves a hostname. */
export interface PreviousAddress {
  readonly address: string;
  readonly from: PreviousAddressSource;
}

const concurrency = 32;

/**
 * Returns the addresses where the previous provider serves hostnames: the given addresses, and in addition the
 * addresses in the plan before the cut-over, otherwise the addresses in DNS. Excludes the addresses of the load
 * balancer.
 */
export async function previousAddresses(
  targets: readonly VerifyTarget[],
  { migrations, given, lookUp, onFailedLookUp = () => undefined, random }: PreviousOptions,
): Promise<ReadonlyMap<string, readonly PreviousAddress[]>> {
  const targetAddresses = new Set(targets.flatMap(({ addresses }) => addresses.map(canonicalAddress)));
  const hostnames = [...new Set(targets.map(({ hostname }) => hostname))];
  const find = async (hostname: string): Promise<readonly PreviousAddress[]> => {
    if (lookUp === undefined) return [];
    const planned = plannedBefore(hostname, migrations);
    if (planned !== undefined) return placed(planned, "plan");
    const report = (reason: string) => onFailedLookUp(hostname, reason);
    const alias = aliasBefore(hostname, migrations);
    if (alias !== undefined) return placed(await ask(alias, lookUp, report), "alias");
    return placed(await ask(probeName(hostname, random), lookUp, report), "dns");
  };
  const found = await mapConcurrently(hostnames, concurrency, async (hostname) => {
    const all = [...placed(given, "given"), ...(await find(hostname))];
    return [hostname, all.filter(({ address }) => !targetAddresses.has(canonicalAddress(address)))] as const;
  });
  return new Map(found);
}

function placed(addresses: readonly string[], from: PreviousAddressSource): readonly PreviousAddress[] {
  return addresses.map((address) => ({ address, from }));
}

/**
 * Returns the addresses of a hostname before the cut-over, as far as the plan has them: stated explicitly, or its
 * records while traffic is at the previous provider.
 */
export function plannedBefore(hostname: string, migrations: readonly SourceMigration[]): readonly string[] | undefined {
  const stated = migrations.flatMap(({ traffic }) => traffic?.previous?.[hostname] ?? []);
  if (stated.length > 0) return stated;
  const records = migrations
    .flatMap(({ traffic }) => (traffic?.to === "previous" ? traffic.records : []))
    .filter(({ name, type }) => name === `${hostname}.` && (type === "A" || type === "AAAA"));
  return records.length === 0 ? undefined : records.flatMap(({ data }) => data);
}

/** Returns the CNAME target of a hostname before the cut-over, as far as the plan has it. */
function aliasBefore(hostname: string, migrations: readonly SourceMigration[]): string | undefined {
  return migrations.flatMap(({ traffic }) => traffic?.previousAliases?.[hostname] ?? [])[0];
}

async function ask(name: string, lookUp: LookUp, onFailure: (reason: string) => void): Promise<readonly string[]> {
  const types = ["A", "AAAA"] as const;
  const answers = await Promise.all(types.map((type) => lookUp(name, type)));
  return answers.flatMap((answer, index) => {
    if (!answer.ok) onFailure(`${types[index]} of ${name} in DNS: ${answer.detail}`);
    return answer.ok ? answer.data : [];
  });
}
