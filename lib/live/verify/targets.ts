import type { SourceCertificate, SourceEntry, SourceMigration } from "../../source";

/** A hostname, where it has to be served, and with what. */
export interface VerifyTarget {
  /** A wildcard is asked for by a random label. */
  readonly hostname: string;
  /** Addresses of the load balancer, IPv4 and IPv6. */
  readonly addresses: readonly string[];
  /** Ids of the certificates of which any will do. Absent where they are not known: then any certificate that is right will do. */
  readonly planned?: readonly string[];
  /** Leaf and chain of each of the certificates of which any will do, in PEM. Absent unless all of them are uploaded and known. */
  readonly uploads?: readonly string[];
}

/** What the plan wants of clients that name no host, or one without entry, at one address. */
export interface PrimaryTarget {
  readonly address: string;
  /** Whether there is a plan that says so. */
  readonly hasPrimary?: boolean;
  /** Ids of the certificates of the PRIMARY entry, where they are known. */
  readonly planned?: readonly string[];
}

/**
 * What a plan says is to be verified; the same name in two migrations has the addresses of each with the certificates of that one.
 *
 * @param instead names to verify instead of those of the plan; none for those
 */
export function targetsOf(
  migrations: readonly SourceMigration[],
  instead: readonly string[] = [],
): readonly VerifyTarget[] {
  const targets = new Map<string, { readonly hostname: string; readonly address: string } & Chosen>();
  for (const migration of migrations) {
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
        });
      }
    }
  }
  return [...targets.values()]
    .sort((a, b) => compare(a.hostname, b.hostname))
    .map(({ hostname, address, planned, uploads }) => ({
      hostname,
      addresses: [address],
      ...(planned === undefined ? {} : { planned }),
      ...(uploads === undefined ? {} : { uploads }),
    }));
}

/** What the plan wants at each address of clients without SNI. */
export function primariesOf(migrations: readonly SourceMigration[]): readonly PrimaryTarget[] {
  const targets = new Map<string, { hasPrimary: boolean; planned: Planned }>();
  for (const migration of migrations) {
    const entry = migration.entries.find(({ hostname }) => hostname === "PRIMARY");
    // Without a map the first certificate of the proxy is for everybody.
    const hasPrimary = entry !== undefined || migration.map === undefined;
    const certificateOf = new Map(migration.certificates.map((certificate) => [certificate.name, certificate]));
    const planned = entry === undefined ? undefined : idsOf(entry, certificateOf);
    for (const address of addressesOf(migration)) {
      const before = targets.get(address);
      targets.set(address, {
        hasPrimary: hasPrimary || before?.hasPrimary === true,
        planned: before === undefined ? planned : union(before.planned, planned),
      });
    }
  }
  return [...targets].map(([address, { hasPrimary, planned }]) => ({
    address,
    hasPrimary,
    ...(planned === undefined ? {} : { planned }),
  }));
}

/** Every certificate that is planned for something. */
export function plannedNames(targets: readonly { readonly planned?: readonly string[] }[]): readonly string[] {
  return [...new Set(targets.flatMap(({ planned = [] }) => planned))].sort();
}

/** Ids, or nothing where one of them is not known. */
type Planned = readonly string[] | undefined;

/** The certificates that the load balancer would choose from. */
interface Chosen {
  readonly planned: Planned;
  /** In PEM, or nothing where one of them is not uploaded or not known. */
  readonly uploads: readonly string[] | undefined;
}

/** Names whose traffic moves, and every name that has an entry; the certificates' own where there is no map. */
function hostnamesOf({ traffic, entries, certificates }: SourceMigration): readonly string[] {
  const named = entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
  const served = named.length > 0 ? named : certificates.flatMap(({ domains }) => domains);
  return [...new Set([...served, ...(traffic?.hostnames ?? [])])];
}

function addressesOf({ addresses }: SourceMigration): readonly string[] {
  return [...new Set([...addresses.ipv4, ...addresses.ipv6])];
}

/** Tells the certificates of the entry that the load balancer would choose; without a map those that are for the name. */
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
      const own = certificateOf.get(listed);
      return own === undefined ? /projects\/.+$/.exec(listed)?.[0] : own.id;
    }),
  );
}

function known(texts: readonly (string | undefined)[]): readonly string[] | undefined {
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Where one side does not know, nobody does. */
function union(a: Planned, b: Planned): Planned {
  return a === undefined || b === undefined ? undefined : [...new Set([...a, ...b])];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
