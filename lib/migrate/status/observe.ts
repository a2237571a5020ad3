import { InputError } from "../../errors";
import type { ResourceLister } from "../../google";
import { mapConcurrently } from "../concurrent";
import type { Answer, LookUp } from "../dns";
import { checkRecords, gatherRecords } from "../records";
import type { SourceMigration } from "../source";
import { hostnamesOf } from "./assess";
import type { Observed } from "./model";

export interface ObserveOptions {
  readonly lister: ResourceLister;
  readonly lookUp: LookUp;
  readonly signal: AbortSignal;
  /** DNS questions at once. @default 32 */
  readonly concurrency?: number;
}

/**
 * Looks at a migration: one list call for certificates, authorizations and entries each, and a few DNS questions for every name.
 *
 * @throws InputError `project-unknown`; ServiceError
 */
export async function observe(migration: SourceMigration, options: ObserveOptions): Promise<Observed> {
  const { lister, lookUp, signal, concurrency = 32 } = options;
  const certificates = [];
  for (const parent of parentsOf(migration.certificates, "certificates")) {
    certificates.push(...(await lister.certificates(parent, signal)));
  }
  const authorizations = [];
  for (const parent of parentsOf(migration.authorizations, "dnsAuthorizations")) {
    authorizations.push(...(await lister.authorizations(parent, signal)));
  }
  const mapId = migration.map?.id;
  const map = mapId === undefined ? undefined : await lister.map(mapId, signal);
  const entries = map === undefined ? [] : await lister.entries(map.name, signal);
  const checks = await checkRecords(gatherRecords([migration], authorizations).records, lookUp, concurrency);
  const hostnames = hostnamesOf(migration)
    .map(({ hostname }) => hostname)
    .filter((hostname) => !hostname.startsWith("*."));
  const addresses = await mapConcurrently(hostnames, concurrency, async (hostname): Promise<[string, Answer]> => {
    const [ipv4, ipv6] = [await lookUp(hostname, "A"), await lookUp(hostname, "AAAA")];
    if (!ipv4.ok) return [hostname, ipv4];
    return [hostname, ipv6.ok ? { ok: true, data: [...ipv4.data, ...ipv6.data] } : ipv6];
  });
  return {
    certificates,
    authorizations,
    records: new Map(checks.map((check) => [check.record.domain, check])),
    ...(map === undefined ? {} : { map }),
    entries,
    addresses: new Map(addresses),
  };
}

function parentsOf(resources: readonly { readonly id?: string }[], collection: string): readonly string[] {
  const parents = resources.map(({ id = "" }) => {
    const end = id.indexOf(`/${collection}/`);
    if (end === -1)
      throw new InputError(
        "project-unknown",
        "the project of the migration is not known; give --project, or --outputs",
      );
    return id.slice(0, end);
  });
  return [...new Set(parents)].sort();
}
