import { isIP } from "node:net";
import { InputError, type Problem } from "../errors";
import { canonicalAddress } from "../hostnames";
import type { SourceMigration } from "../source";
import { quote } from "../text/quote";
import type { Command, Invocation, Io } from "./command";
import { hasSource, readSource } from "./source";

/** What the commands look at that shake hands, beside a plan or instead of one. */
export const subjectOptions: NonNullable<Command["options"]> = [
  {
    flags: "--hostname <name>",
    description: "a name to ask for, instead of those of the plan",
    repeatable: true,
  },
  {
    flags: "--address <ip>",
    description: "an address of the load balancer, instead of those of the plan",
    repeatable: true,
  },
];

export interface Subjects {
  /** As they are given on the command line; none where the plan says. */
  readonly hostnames: readonly string[];
  /** Each with at least one address, that of the command line before its own; none where there is no plan. */
  readonly migrations: readonly SourceMigration[];
  /** Of the load balancer, all together; never empty. */
  readonly addresses: readonly string[];
}

/**
 * Reads what to look at.
 *
 * @param family of addresses that count. @default both
 * @throws InputError where there is nothing to look at, nowhere to look, or something that can't be asked for
 */
export async function readSubjects(invocation: Invocation, io: Io, family?: "ipv4" | "ipv6"): Promise<Subjects> {
  const { options } = invocation;
  const hostnames = readHostnames(options.hostname as readonly string[], "--hostname");
  const given = readAddresses(options.address as readonly string[], "--address");
  const read = hasSource(options) ? (await readSource(invocation, io)).migrations : [];
  if (hostnames.length === 0 && read.length === 0) {
    throw new InputError(
      "hostname-missing",
      "there is no name to ask for; give --hostname, or --spec, --stack or --outputs",
    );
  }
  const own = (addresses: readonly string[], version: 4 | 6) =>
    family === undefined || family === `ipv${version}` ? addresses.filter((address) => isIP(address) === version) : [];
  const place = (addresses: readonly string[]) => ({ ipv4: own(addresses, 4), ipv6: own(addresses, 6) });
  const migrations = read.map((migration) => {
    const { ipv4, ipv6 } = migration.addresses;
    readAddresses([...ipv4, ...ipv6], migration.path);
    readHostnames(namesOf(migration), migration.path);
    return { ...migration, addresses: place(given.length > 0 ? given : [...ipv4, ...ipv6]) };
  });
  const subjects = migrations.length > 0 ? migrations : [{ path: "", addresses: place(given) }];
  const nowhere = subjects.filter(({ addresses: { ipv4, ipv6 } }) => ipv4.length + ipv6.length === 0);
  if (nowhere.length > 0) {
    const why = family === undefined ? "in a stack it may be a reference" : `with --family ${family}`;
    throw new InputError(
      nowhere.map(({ path }) => ({
        code: "address-missing",
        message: `${path === "" ? "" : `${path}: `}nobody knows where the load balancer answers; give --address (${why})`,
      })),
    );
  }
  const addresses = subjects.flatMap(({ addresses: { ipv4, ipv6 } }) => [...ipv4, ...ipv6]);
  return { hostnames, migrations, addresses: [...new Set(addresses)] };
}

/**
 * Addresses of an option, or of a plan.
 *
 * @param where what problems call it
 * @throws InputError `address-malformed` for each that is none
 */
export function readAddresses(given: readonly string[], where: string): readonly string[] {
  const wrong = given.filter((address) => isIP(address) === 0);
  if (wrong.length === 0) return given.map(canonicalAddress);
  throw new InputError(
    wrong.map((address) => ({
      code: "address-malformed",
      message: `${where}: ${quote(address)} is not an IP address; use one as in 203.0.113.7 or 2001:db8::7`,
    })),
  );
}

function readHostnames(given: readonly string[], where: string): readonly string[] {
  const { readHostname } = require("../hostnames") as typeof import("../hostnames");
  const problems: Problem[] = [];
  const hostnames = given.flatMap((text): readonly string[] => {
    const read = readHostname(text);
    if ("hostname" in read) return [read.hostname];
    problems.push({ code: read.problem.code, message: `${where}: ${read.problem.message}` });
    return [];
  });
  if (problems.length > 0) throw new InputError(problems);
  return [...new Set(hostnames)];
}

/** Every name of a plan that is asked for: outputs may come from anywhere. */
function namesOf(migration: SourceMigration): readonly string[] {
  const { certificates, traffic } = migration;
  return [
    ...enteredNamesOf(migration),
    ...certificates.flatMap(({ domains }) => domains),
    ...(traffic?.hostnames ?? []),
  ];
}

/** Names that a plan serves, wildcards among them: those of its map entries, or of its certificates where it has no map. */
export function servedNamesOf(migration: SourceMigration): readonly string[] {
  const { entries, certificates } = migration;
  return entries.length > 0 ? enteredNamesOf(migration) : certificates.flatMap(({ domains }) => domains);
}

/** Those of map entries that are for a name. */
function enteredNamesOf({ entries }: SourceMigration): readonly string[] {
  return entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
}
