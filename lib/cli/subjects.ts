import { isIP } from "node:net";
import { InputError, type Problem } from "../errors";
import type { readHostname } from "../hostnames";
import type { SourceMigration } from "../source";
import type { Io } from "./command";
import { type OptionValues, values } from "./declare";
import * as load from "./load";
import type { GivenShard } from "./shard";
import { hasSource, readSource, type SourceOptions } from "./source";
import { ipAddress } from "./value-types";

/**
 * Lists the options for the hostnames and addresses of the commands that make TLS handshakes, in addition to a plan or
 * instead of one.
 */
export const subjectOptions = {
  "--hostname <name>": values("a hostname to connect for, in place of the plan's hostnames"),
  "--address <ip>": values("an address of the load balancer, in place of the plan's addresses", ipAddress),
} as const;

export type SubjectOptions = SourceOptions &
  OptionValues<typeof subjectOptions> & { readonly ca?: string | undefined; readonly shard?: GivenShard | undefined };

export interface Subjects {
  /** Hostnames of the command line; empty if the plan supplies them. */
  readonly hostnames: readonly string[];
  /**
   * Migrations of the plan; empty without a plan. Each has at least one address. Addresses of the command line replace
   * those in the plan.
   */
  readonly migrations: readonly SourceMigration[];
  /** All addresses of the load balancers; never empty. */
  readonly addresses: readonly string[];
}

/**
 * Reads the hostnames, migrations and addresses to check.
 *
 * @param family family of the addresses to keep. @default both
 */
export async function readSubjects(options: SubjectOptions, io: Io, family?: "ipv4" | "ipv6"): Promise<Subjects> {
  const { address: given } = options;
  const read = hasSource(options) ? (await readSource(options, io)).migrations : [];
  // `--ca` may contain the roots of a private CA.
  const isPrivate =
    options.ca !== undefined ||
    read.some(({ certificates }) => certificates.some(({ isPrivatelyIssued }) => isPrivatelyIssued === true));
  const readName = isPrivate ? load.hostnames().readPrivateHostname : load.hostnames().readHostname;
  const hostnames = readHostnames(options.hostname, "--hostname", readName);
  if (hostnames.length === 0 && read.length === 0) {
    throw new InputError(
      "hostname-missing",
      "the hostname is missing; use --hostname, or --spec, --stack or --outputs",
    );
  }
  const ofFamily = (addresses: readonly string[], version: 4 | 6) =>
    family === undefined || family === `ipv${version}` ? addresses.filter((address) => isIP(address) === version) : [];
  const place = (addresses: readonly string[]) => ({ ipv4: ofFamily(addresses, 4), ipv6: ofFamily(addresses, 6) });
  const migrations = read.map((migration) => {
    const { ipv4, ipv6 } = migration.addresses;
    for (const address of [...ipv4, ...ipv6]) ipAddress.read(address, `${migration.path}:`);
    readHostnames(namesOf(migration), migration.path, readName);
    return { ...migration, addresses: place(given.length > 0 ? given : [...ipv4, ...ipv6]) };
  });
  const subjects = migrations.length > 0 ? migrations : [{ path: "", addresses: place(given) }];
  const nowhere = subjects.filter(({ addresses: { ipv4, ipv6 } }) => ipv4.length + ipv6.length === 0);
  if (nowhere.length > 0) {
    const why = family === undefined ? "in a stack it may be a reference" : `with --family ${family}`;
    throw new InputError(
      nowhere.map(({ path }) => ({
        code: "address-missing",
        message: `${path === "" ? "" : `${path}: `}the address of the load balancer is unknown; use --address (${why})`,
      })),
    );
  }
  const addresses = subjects.flatMap(({ addresses: { ipv4, ipv6 } }) => [...ipv4, ...ipv6]);
  return { hostnames, migrations, addresses: [...new Set(addresses)] };
}

function readHostnames(given: readonly string[], where: string, readName: typeof readHostname): readonly string[] {
  const problems: Problem[] = [];
  const hostnames = given.flatMap((text): readonly string[] => {
    const read = readName(text);
    if ("hostname" in read) return [read.hostname];
    problems.push({ code: read.problem.code, message: `${where}: ${read.problem.message}` });
    return [];
  });
  if (problems.length > 0) throw new InputError(problems);
  return [...new Set(hostnames)];
}

/**
 * Returns every hostname of a plan that the command uses; all of them are validated, because outputs can come from
 * anywhere.
 */
function namesOf(migration: SourceMigration): readonly string[] {
  const { certificates, traffic } = migration;
  return [
    ...enteredNamesOf(migration),
    ...certificates.flatMap(({ domains }) => domains),
    ...(traffic?.hostnames ?? []),
  ];
}

/**
 * Returns the names that a plan serves, including wildcards: names of its map entries, or of its certificates if it has
 * no map.
 */
export function servedNamesOf(migration: SourceMigration): readonly string[] {
  const { entries, certificates } = migration;
  return entries.length > 0 ? enteredNamesOf(migration) : certificates.flatMap(({ domains }) => domains);
}

/** Returns the hostnames of the map entries, without PRIMARY entries. */
function enteredNamesOf({ entries }: SourceMigration): readonly string[] {
  return entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
}
