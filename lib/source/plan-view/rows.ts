import type { MigrationSource, SourceMigration, SourceResource } from "..";
import type { FurtherResource } from "../further";

/** An item that a migration creates. */
export interface PlanRow {
  readonly migration: string;
  readonly what:
    | "API"
    | "authorization"
    | "record"
    | "issuance config"
    | "certificate"
    | "map"
    | "entry"
    | "gate"
    | "proxy"
    | "trust config"
    | "server TLS policy"
    | "forwarding rule"
    | "traffic"
    | "alert";
  /** Identifies the item across plans, independent of the resource name. */
  readonly identity: string;
  /** Name of the resource; empty if only the cloud or Terraform knows it. */
  readonly name: string;
  /** Purpose or content of the item. */
  readonly detail: string;
}

/** Returns every item that the migrations create, in the order of creation. */
export function planRows({ migrations }: Pick<MigrationSource, "migrations">): readonly PlanRow[] {
  return migrations.flatMap(rowsOf);
}

function rowsOf(migration: SourceMigration): readonly PlanRow[] {
  const row = (what: PlanRow["what"], identity: string, name: string, detail: string): PlanRow => {
    return { migration: migration.path, what, identity, name, detail };
  };
  const { traffic, map, further = [] } = migration;
  const selected = (isWanted: (resource: FurtherResource) => boolean) =>
    further.filter(isWanted).map(({ what, identity, name = "", detail }) => row(what, identity, name, detail));
  const more = (what: FurtherResource["what"], isWanted = (_identity: string) => true) =>
    selected((resource) => resource.what === what && isWanted(resource.identity));
  const isOfCertificate = (identity: string) => migration.certificates.some(({ name }) => name === identity);
  return [
    ...more("API"),
    ...migration.authorizations.map((authorization) =>
      row("authorization", authorization.domain, nameOf(authorization), `for ${authorization.domain}`),
    ),
    ...migration.records.map(({ domain, name, data, published, zone }) => {
      const place = `${placesOfRecords[published]}${zone === undefined ? "" : `, zone of ${zone}`}`;
      return row("record", domain, name ?? "", `CNAME${data === undefined ? "" : ` ${data}`}, ${place}`);
    }),
    ...more("issuance config"),
    ...migration.certificates.map((certificate) =>
      row(
        "certificate",
        certificate.name,
        nameOf(certificate),
        `${kinds[certificate.kind]}, ${certificate.domains.join(", ") || "domains unknown"}`,
      ),
    ),
    ...more("gate", isOfCertificate),
    ...(map === undefined ? [] : [row("map", migration.name, nameOf(map), "certificate map")]),
    ...migration.entries.map((entry) =>
      row("entry", entry.hostname, nameOf(entry), `${entry.hostname} by ${entry.certificates.join(", ")}`),
    ),
    ...more("gate", (identity) => identity === "entries"),
    ...migration.proxies.map((proxy, index) =>
      row("proxy", proxy.resourceName ?? String(index), nameOf(proxy), "presents the certificates"),
    ),
    // The trust config and the policy of a proxy stay together.
    ...selected(({ what }) => what === "trust config" || what === "server TLS policy"),
    ...more("forwarding rule"),
    ...more("gate", (identity) => identity === "verification"),
    ...more("traffic"),
    ...(traffic?.hostnames ?? []).map((hostname) => {
      const target = traffic?.to === "previous" ? "to where it was" : "to the load balancer";
      return row("traffic", hostname, `${hostname}.`, target);
    }),
    ...more("alert"),
  ];
}

/** Where a record is written, by its publication. */
export const placesOfRecords = {
  cloudDns: "written in Cloud DNS",
  custom: "written at another DNS provider by this stack",
  external: "to be published manually",
} as const;

const kinds = { managed: "managed", selfManaged: "self-managed", existing: "exists already" } as const;

function nameOf({ resourceName, id }: SourceResource): string {
  return resourceName ?? id ?? "";
}

/** The difference of one item between two plans. */
export interface PlanDifference {
  readonly change: "added" | "removed" | "replaced" | "changed";
  readonly before?: PlanRow;
  readonly after?: PlanRow;
}

/**
 * Compares two plans. Returns the differences in the order of the newer plan, followed by the deleted items. Items
 * match if they have the same identity (certificate by name, entry by hostname); if either plan has several migrations,
 * the migration has to match as well. An item is `replaced` if the name of its resource differs, otherwise `changed`.
 */
export function comparePlans(before: readonly PlanRow[], after: readonly PlanRow[]): readonly PlanDifference[] {
  // Two files with one migration each can be compared even if the migrations have different names.
  const several = [before, after].some((rows) => new Set(rows.map(({ migration }) => migration)).size > 1);
  const key = ({ migration, what, identity }: PlanRow) => JSON.stringify([several ? migration : "", what, identity]);
  const known = new Map(before.map((row) => [key(row), row]));
  const kept = new Set(after.map(key));
  const differences = after.flatMap((row): readonly PlanDifference[] => {
    const earlier = known.get(key(row));
    if (earlier === undefined) return [{ change: "added", after: row }];
    if (earlier.name !== row.name) return [{ change: "replaced", before: earlier, after: row }];
    return earlier.detail === row.detail ? [] : [{ change: "changed", before: earlier, after: row }];
  });
  const removed = before.filter((row) => !kept.has(key(row)));
  return [...differences, ...removed.map((row): PlanDifference => ({ change: "removed", before: row }))];
}
