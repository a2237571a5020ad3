/** Migrations of other Terraform configurations: the plan of a proxy's owner contains neither maps nor entries. */
import { lastPart, projectIn } from "../resource-names";
import { isCertificateType, isSame, resourceName, types } from "./kinds";
import { mapNamed, nameOfCertificate, nameOfMap } from "./lookup";
import type { Resource } from "./plan-json";

/** A migration, as the output `cert_migration` of another configuration describes it. */
export interface KnownMigration {
  readonly gate: "wait" | "precondition" | "check" | "none";
  readonly certificates: readonly {
    readonly id?: string;
    /** Identity within the migration, by which entries name it. */
    readonly name: string;
    readonly kind: "managed" | "selfManaged" | "existing";
    readonly domains: readonly string[];
  }[];
  readonly entries: readonly {
    /** The hostname, or `PRIMARY`. */
    readonly hostname: string;
    /** Names of certificates of the migration, or ids of other certificates. */
    readonly certificates: readonly string[];
  }[];
  readonly map?: { readonly id?: string };
  /** Proxies that get the map, with their direct certificates at the time of the inventory. */
  readonly servingProxies?: readonly {
    readonly certificates: readonly { readonly id: string; readonly domains: readonly string[] }[];
  }[];
}

/**
 * Returns the resources of migrations, as far as the plan does not contain them. A gate `wait` or `precondition`
 * creates an entry only after its certificate is ACTIVE; under other gates the state of a certificate stays unknown.
 */
export function resourcesOfMigrations(
  migrations: readonly KnownMigration[],
  inPlan: readonly Resource[],
): readonly Resource[] {
  const maps = inPlan.filter(({ type }) => type === types.map).map(nameOfMap);
  const certificates = inPlan.filter(({ type }) => isCertificateType(type)).map(nameOfCertificate);
  const found = migrations.flatMap(({ map: { id } = {}, ...migration }) => {
    const isKnown = id === undefined || maps.some((map) => isSame(map, mapNamed(id, {})));
    const direct = (migration.servingProxies ?? [])
      .flatMap((proxy) => proxy.certificates)
      .filter(
        (proxyCertificate) =>
          !certificates.some((certificate) => isSame(certificate, resourceName(proxyCertificate.id))),
      );
    return [...(isKnown ? [] : mapOf(migration, id)), ...direct.map(directCertificate)];
  });
  return [...new Map(found.map((held) => [held.address, held])).values()];
}

function mapOf({ gate, certificates, entries }: Omit<KnownMigration, "map">, id: string): readonly Resource[] {
  const project = projectIn(id);
  const isGated = gate === "wait" || gate === "precondition";
  const idOf = new Map(certificates.map((certificate) => [certificate.name, certificate.id]));
  return [
    { address: id, type: types.map, values: { name: lastPart(id), project, gclb_targets: [] } },
    ...entries.map(({ hostname, certificates: named }) => ({
      address: `the entry of ${hostname} in ${id}`,
      type: types.entry,
      values: {
        map: lastPart(id),
        project,
        ...(hostname === "PRIMARY" ? { matcher: "PRIMARY" } : { hostname }),
        certificates: named.flatMap((name) => (idOf.has(name) ? (idOf.get(name) ?? []) : name)),
      },
    })),
    ...certificates.flatMap(({ id: certificateId, kind, domains }) => {
      if (certificateId === undefined) return [];
      const state = isGated ? "ACTIVE" : `not known to be ACTIVE, as the gate is "${gate}"`;
      const values =
        kind === "managed" ? { managed: [{ domains, state }] } : { self_managed: [{}], san_dnsnames: domains };
      return [{ address: certificateId, type: types.certificate, values: { id: certificateId, ...values } }];
    }),
  ];
}

function directCertificate({ id, domains }: { readonly id: string; readonly domains: readonly string[] }): Resource {
  const values = { name: lastPart(id), self_link: id, subject_alternative_names: domains };
  return { address: id, type: "google_compute_ssl_certificate", values };
}
