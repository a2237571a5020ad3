import { defined } from "../../json/defined";
import { projectIn, resourceNameIn } from "../../resource-names";
import type { SourceCertificate, SourceEntry, SourceMigration } from "../../source";

/** A hostname, with the addresses and certificates that must serve it. */
export interface VerifyTarget {
  /** Queries for a wildcard use a random label. */
  readonly hostname: string;
  /** Addresses of the load balancer, IPv4 and IPv6. */
  readonly addresses: readonly string[];
  /** IDs of the acceptable certificates. Absent if unknown; any valid certificate is then accepted. */
  readonly planned?: readonly string[];
  /** Leaf and chain of each acceptable certificate, in PEM. Absent unless all of them are uploaded and known. */
  readonly uploads?: readonly string[];
  /** Positions of the migrations that serve the hostname at the addresses. Absent if there is only one migration. */
  readonly servedBy?: readonly number[];
}

/** The plan for clients without SNI, or with a hostname without an entry, at one address. */
export interface PrimaryTarget {
  readonly address: string;
  /** Whether the plan serves these clients. @default - unknown */
  readonly hasPrimary?: boolean;
  /** IDs of the certificates of the PRIMARY entry, if known. */
  readonly planned?: readonly string[];
}

/**
 * Returns the targets of a plan. A name in two migrations has separate targets: the addresses of each migration with
 * the certificates of that migration.
 *
 * @param instead names to verify instead of the names of the plan; empty to verify the names of the plan
 */
export function targetsOf(
  migrations: readonly SourceMigration[],
  instead: readonly string[] = [],
): readonly VerifyTarget[] {
  const targets = new Map<string, Pick<Required<VerifyTarget>, "hostname" | "servedBy"> & AtAddress>();
  for (const [index, migration] of migrations.entries()) {
    const choose = chooserOf(migration);
    for (const hostname of instead.length > 0 ? instead : hostnamesOf(migration)) {
      const chosen = choose(hostname);
      for (const address of addressesOf(migration)) {
        const key = `${hostname} ${address}`;
        const before = targets.get(key);
        targets.set(key, {
          hostname,
          address,
          planned: before === undefined ? chosen.planned : union(before.planned, chosen.planned),
          uploads: before === undefined ? chosen.uploads : union(before.uploads, chosen.uploads),
          servedBy: [...(before?.servedBy ?? []), index],
        });
      }
    }
  }
  return [...targets.values()]
    .sort((a, b) => compare(a.hostname, b.hostname))
    .map(({ hostname, address, planned, uploads, servedBy }) => ({
      hostname,
      addresses: [address],
      ...defined({ planned, uploads }),
      ...(migrations.length > 1 ? { servedBy } : {}),
    }));
}

/** Returns the plan for clients without SNI, for each address. */
export function primariesOf(
  migrations: readonly Pick<SourceMigration, "phase" | "map" | "entries" | "certificates" | "addresses">[],
): readonly PrimaryTarget[] {
  const targets = new Map<string, { hasPrimary: boolean | undefined; planned: Planned }>();
  for (const migration of migrations) {
    const entry = migration.entries.find(({ hostname }) => hostname === "PRIMARY");
    // Without a map, the proxy serves its first certificate to all other clients.
    const isPlanned = entry !== undefined || migration.map === undefined;
    // Until the phase serve, what is attached to the load balancer serves these clients.
    const hasPrimary = migration.phase === "issue" ? undefined : isPlanned;
    const certificateOf = new Map(migration.certificates.map((certificate) => [certificate.name, certificate]));
    const planned = entry === undefined ? undefined : idsOf(entry, certificateOf);
    for (const address of addressesOf(migration)) {
      const before = targets.get(address);
      targets.set(address, {
        hasPrimary: before === undefined ? hasPrimary : either(before.hasPrimary, hasPrimary),
        planned: before === undefined ? planned : union(before.planned, planned),
      });
    }
  }
  return [...targets].map(([address, { hasPrimary, planned }]) => ({ address, ...defined({ hasPrimary, planned }) }));
}

/** Returns whether one of two is true; undefined if that is not known. */
function either(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  return a === true || b === true ? true : a === undefined || b === undefined ? undefined : false;
}

/** Returns the IDs of all planned certificates of the targets. */
export function plannedNames(targets: readonly { readonly planned?: readonly string[] }[]): readonly string[] {
  return [...new Set(targets.flatMap(({ planned = [] }) => planned))].sort();
}

/** IDs; undefined if at least one ID is unknown. */
type Planned = readonly string[] | undefined;

/** The certificates among which the load balancer chooses. */
interface Chosen {
  readonly planned: Planned;
  /** In PEM; undefined if at least one certificate is not uploaded or unknown. */
  readonly uploads: readonly string[] | undefined;
}

interface AtAddress extends Chosen {
  readonly address: string;
}

/**
 * Returns all names with an entry, and the names whose traffic moves. Without entries, uses the names of the
 * certificates.
 */
function hostnamesOf({ traffic, entries, certificates }: SourceMigration): readonly string[] {
  const named = entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
  const served = named.length > 0 ? named : certificates.flatMap(({ domains }) => domains);
  return [...new Set([...served, ...(traffic?.hostnames ?? [])])];
}

function addressesOf({ addresses }: Pick<SourceMigration, "addresses">): readonly string[] {
  return [...new Set([...addresses.ipv4, ...addresses.ipv6])];
}

/**
 * Returns a function that finds the certificates of the map entry that the load balancer chooses. Without entries,
 * finds the certificates that contain the name.
 */
function chooserOf({ entries, certificates }: SourceMigration): (hostname: string) => Chosen {
  const entryOf = new Map(entries.map((entry) => [entry.hostname, entry]));
  const certificateOf = new Map(certificates.map((certificate) => [certificate.name, certificate]));
  return (hostname) => {
    const wildcard = hostname.startsWith("*.") ? undefined : `*${hostname.slice(hostname.indexOf("."))}`;
    if (entries.length > 0) {
      const entry = entryOf.get(hostname) ?? entryOf.get(wildcard ?? "") ?? entryOf.get("PRIMARY");
      if (entry === undefined) return { planned: undefined, uploads: undefined };
      const uploads = entry.certificates.map((name) => certificateOf.get(name)?.uploadedPem);
      return { planned: idsOf(entry, certificateOf), uploads: known(uploads) };
    }
    const fitting = certificates.filter(
      ({ domains }) => domains.includes(hostname) || domains.includes(wildcard ?? ""),
    );
    return {
      planned: known(fitting.map(({ id }) => id)),
      uploads: known(fitting.map(({ uploadedPem }) => uploadedPem)),
    };
  };
}

function idsOf(entry: SourceEntry, certificateOf: ReadonlyMap<string, SourceCertificate>): Planned {
  return known(
    entry.certificates.map((listed) => {
      const certificate = certificateOf.get(listed);
      return certificate === undefined
        ? projectIn(listed) === undefined
          ? undefined
          : resourceNameIn(listed)
        : certificate.id;
    }),
  );
}

function known(texts: readonly (string | undefined)[]): readonly string[] | undefined {
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Returns the union; undefined if either is unknown. */
function union(a: Planned, b: Planned): Planned {
  return a === undefined || b === undefined ? undefined : [...new Set([...a, ...b])];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the name to query for a hostname. For a wildcard, the name has a random label. */
export function probeName(hostname: string, random: () => number): string {
  return hostname.startsWith("*.") ? `${randomLabel(random)}${hostname.slice(1)}` : hostname;
}

export function randomLabel(random: () => number): string {
  const label = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0");
  return `probe-${label}`;
}
