import { InputError } from "../../errors";
import type { LiveAuthorization } from "../../google";
import { longestSuffix, readHostname, registrableDomain } from "../../hostnames";
import { groupBy } from "../../json/group-by";
import { parseLocatedName, writeLocation } from "../../resource-names";
import { isZoneName, type SourceAuthorization, type SourceMigration, type SourceRecord } from "../../source";
import { quote } from "../../text/quote";

/** The CNAME record of a DNS authorization. */
export interface ChallengeRecord {
  readonly domain: string;
  /** With its trailing dot. */
  readonly name: string;
  readonly type: "CNAME";
  /** With its trailing dot. */
  readonly data: string;
  /**
   * `cloudDns`: Terraform writes the record in Cloud DNS. `custom`: Terraform writes the record at another provider.
   * `external`: the record must be published manually.
   */
  readonly published: "cloudDns" | "custom" | "external";
  /** The zone of the record, without trailing dot: the planned zone, otherwise the registered domain. */
  readonly zone: string;
  /** The name relative to the zone, as a DNS provider's form expects it; `@` for the zone itself. */
  readonly relativeName: string;
}

/** The records of migrations, and the domains whose records are not known yet. */
export interface Records {
  readonly records: readonly ChallengeRecord[];
  /** Domains whose record is not known yet, because their authorization does not exist. */
  readonly unknown: readonly string[];
}

/** Reports whether the records can only be known from the service. */
export function needsAuthorizations(migrations: readonly SourceMigration[]): boolean {
  return migrations.some(({ records }) => records.some(({ name, data }) => name === undefined || data === undefined));
}

/** Returns the locations of the authorizations with unknown records: `projects/P/locations/L`. */
export function authorizationParents(migrations: readonly SourceMigration[]): readonly string[] {
  const parents = new Set<string>();
  for (const { records, authorizations } of migrations) {
    const authorizationOf = byDomain(authorizations);
    for (const record of records) {
      if (record.name !== undefined && record.data !== undefined) continue;
      const name = parseLocatedName(authorizationOf.get(record.domain)?.id ?? "");
      const parent = name && writeLocation(name);
      if (parent === undefined) {
        const message = `the project of the authorization for ${quote(record.domain)} is not known; give --project`;
        throw new InputError("project-unknown", message);
      }
      parents.add(parent);
    }
  }
  return [...parents].sort();
}

/**
 * Collects the records of migrations, without duplicates. Records that the migrations lack are taken from the existing
 * authorizations.
 *
 * @throws InputError `record-malformed` for a name or target that is not valid in a zone file
 */
export function gatherRecords(
  migrations: readonly SourceMigration[],
  live: readonly LiveAuthorization[] = [],
): Records {
  const byId = new Map(live.map((authorization) => [authorization.name, authorization]));
  const records = new Map<string, ChallengeRecord>();
  const unknown = new Set<string>();
  for (const migration of migrations) {
    const authorizationOf = byDomain(migration.authorizations);
    for (const record of migration.records) {
      const made = byId.get(authorizationOf.get(record.domain)?.id ?? "")?.record;
      const name = record.name ?? made?.name;
      const data = record.data ?? made?.data;
      if (name === undefined || data === undefined) unknown.add(record.domain);
      else records.set(`${name} ${data}`, describe(record, name, data));
    }
  }
  return {
    records: [...records.values()].sort((a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0)),
    unknown: [...unknown].sort(),
  };
}

/** Returns the first authorization of each domain. */
function byDomain(authorizations: readonly SourceAuthorization[]): ReadonlyMap<string, SourceAuthorization> {
  return new Map([...authorizations].reverse().map((authorization) => [authorization.domain, authorization]));
}

function describe(record: SourceRecord, name: string, data: string): ChallengeRecord {
  const bare = name.replace(/\.$/, "");
  const read = readHostname(record.domain);
  const registered = "hostname" in read ? registrableDomain(read.hostname) : undefined;
  const zone = longestSuffix(bare, [record.zone ?? registered ?? record.domain]) ?? record.domain;
  for (const text of [name, data, `${zone}.`]) {
    if (!isZoneName(text)) {
      const message = `the record for ${quote(record.domain)} has ${quote(text)}, which is not a domain name with a trailing dot; read the outputs again`;
      throw new InputError("record-malformed", message);
    }
  }
  const relativeName = bare === zone ? "@" : bare.endsWith(`.${zone}`) ? bare.slice(0, -zone.length - 1) : bare;
  return { domain: record.domain, name, type: "CNAME", data, published: record.published, zone, relativeName };
}

/** Returns the records as a zone file in standard format; `ttlSeconds` is the TTL of each record. */
export function zoneFile(records: readonly ChallengeRecord[], ttlSeconds: number): string {
  return [...groupBy(records, ({ zone }) => zone)]
    .map(([zone, zoneRecords]) => {
      const lines = zoneRecords.map(({ relativeName, data }) => `${relativeName}\t${ttlSeconds}\tIN\tCNAME\t${data}\n`);
      return `$ORIGIN ${zone}.\n${lines.join("")}`;
    })
    .join("\n");
}
