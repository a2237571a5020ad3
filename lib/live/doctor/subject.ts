import { withoutDot } from "../../dns";
import { canonicalAddress } from "../../hostnames";
import { defined } from "../../json/defined";
import { listOf } from "../../json/fields";
import {
  isReference,
  type MigrationPlan,
  type PlannedProxy,
  type PlannedZone,
  statedValue,
  traitsOf,
} from "../../plan";
import { projectIn, regionIn, resourceNameIn } from "../../resource-names";
import {
  otherCertificateIds,
  type SourceIssuer,
  type SourceMigration,
  type SourceServingProxy,
  type StackContents,
} from "../../source";
import { type NewRecord, newRecordsOf } from "./new-records";
import type { DoctorSource } from "./options";

/** A managed zone that Terraform writes records to. */
export interface ZoneOfPlan {
  readonly project: string;
  readonly name: string;
  /** The domain for which the zone is authoritative, according to the plan. */
  readonly domain: string;
  /** Names of the records to write, without trailing dot. */
  readonly records: readonly string[];
}

export interface DomainToValidate {
  readonly domain: string;
  readonly authorization?: string;
  /** Name of the CNAME without trailing dot; absent if the service chooses the name. */
  readonly challenge?: string;
  /** Target of the CNAME without trailing dot, if known. */
  readonly target?: string;
  readonly published: "cloudDns" | "custom" | "external";
}

/** A target proxy that is to serve the certificates. */
export interface ProxyOfPlan {
  readonly id: string;
  /** `new`: the migration creates it. `adopted`: it exists. `unknown`: either of them. */
  readonly origin: "new" | "adopted" | "unknown";
  /**
   * Stated settings of an adopted proxy, by the API's names; `null` for an unset field.
   *
   * @default - no settings are stated
   */
  readonly stated?: Readonly<Record<string, string | number | null>>;
  /** Whether the migration keeps certificates on the proxy beside the map. @default false */
  readonly keepsCertificates?: boolean;
}

/** Target SSL proxies accept any protocol over TLS; other proxies only HTTPS. @param id see {@link ProxyOfPlan} */
export function isSsl(id: string): boolean {
  return id.includes("/targetSslProxies/");
}

export interface PrivateCertificate {
  readonly domains: readonly string[];
  /** Project of the certificate, whose service agent requests it; absent if no project is given. */
  readonly project?: string;
  readonly issuer: SourceIssuer;
}

/** A name with the data of its record set before the cut-over, according to the plan. */
interface PreviousRecord {
  readonly hostname: string;
  readonly type: string;
  /** Names without trailing dot; sorted. */
  readonly data: readonly string[];
}

/** What the doctor checks of a migration. */
export interface DoctorSubject {
  readonly path: string;
  readonly project?: string;
  readonly enablesApis: boolean;
  readonly certificates: CertificatesOfSubject;
  readonly balancer: BalancerOfSubject;
  readonly map: MapOfSubject;
  readonly dns: DnsOfSubject;
  /** Alerts of the plan; absent without them. */
  readonly alerts?: AlertsOfPlan;
}

interface CertificatesOfSubject {
  /** Names of managed certificates, including wildcards; sorted. */
  readonly issued: readonly string[];
  readonly managed: readonly { readonly id?: string; readonly domains: readonly string[] }[];
  /** Certificates of private CAs, as far as the issuer is known. */
  readonly private: readonly PrivateCertificate[];
  readonly made: readonly string[];
  readonly existing: readonly { readonly id: string; readonly domains: readonly string[] }[];
  /** Ids of further certificates that entries name. */
  readonly others: readonly string[];
  readonly authorizations: readonly { readonly id?: string; readonly domain: string }[];
  readonly existingAuthorizations: readonly string[];
}

export interface BalancerOfSubject {
  readonly project?: string;
  readonly region?: string;
  readonly kind: SourceMigration["loadBalancer"];
  readonly proxies: readonly ProxyOfPlan[];
  /** Proxies that serve the hostnames today and get the map in place. */
  readonly servingProxies: readonly SourceServingProxy[];
  readonly rules: readonly { readonly name: string; readonly address: string }[];
  readonly addresses: SourceMigration["addresses"];
}

/** The certificate map, if the kind of load balancer uses one. */
interface MapOfSubject {
  readonly usesMap: boolean;
  readonly id?: string;
  readonly existing?: string;
  readonly hasPrimary: boolean;
  readonly entries: readonly { readonly id?: string; readonly hostname: string }[];
}

interface DnsOfSubject {
  readonly hostnames: readonly string[];
  readonly domains: readonly DomainToValidate[];
  readonly zones: readonly ZoneOfPlan[];
  /** Whether records are written to Cloud DNS in zones that the source does not name. */
  readonly zonesUnnamed: boolean;
  /** Hostnames whose records step 8 changes. */
  readonly moved: readonly string[];
  /** Records that step 8 writes before the cut-over; empty if the plan has none. */
  readonly previous: readonly PreviousRecord[];
  /** Record sets that the first apply creates; authorizations' records are not among them. */
  readonly newRecords: readonly NewRecord[];
}

interface AlertsOfPlan {
  /** Absent if the project is not known. */
  readonly project?: string;
  /** Hostnames with an uptime check. */
  readonly hostnames: readonly string[];
}

/** Returns the data to check. */
export function doctorSubject(migration: SourceMigration, { plan, project, stack }: DoctorSource): DoctorSubject {
  const ids = [...migration.certificates, ...migration.authorizations, migration.map ?? {}];
  // A project that is a variable is unknown: another project would be the wrong one.
  const firstOwner = firstProject(ids) ?? (isVariable(plan?.project) ? undefined : project);
  const ofBalancer = plan?.attachment.project;
  const balancerProject =
    firstProject(migration.proxies) ?? (isVariable(ofBalancer) ? undefined : (ofBalancer ?? firstOwner));
  const region = plan?.attachment.region ?? regionOf(migration);
  const entries = migration.entries.map(({ hostname }) => hostname).filter((hostname) => hostname !== "PRIMARY");
  const certified = migration.certificates.flatMap(({ domains }) => domains);
  const traffic = migration.traffic;
  const moved = (traffic?.hostnames ?? []).filter((hostname) => !isReference(hostname));
  const authorizations = new Map(
    migration.authorizations.map((authorization) => [authorization.domain, authorization.id]),
  );
  const zones = plan === undefined ? [] : zonesOf(plan, firstOwner);
  return {
    path: migration.path,
    ...defined({ project: firstOwner }),
    enablesApis: migration.enablesApis === true,
    certificates: {
      ...certificatesOf(migration, firstOwner),
      authorizations: migration.authorizations,
      existingAuthorizations: existingAuthorizationsOf(plan),
    },
    balancer: {
      ...defined({ project: balancerProject, region }),
      kind: migration.loadBalancer,
      proxies: proxiesOf(migration, plan, stack),
      servingProxies: migration.servingProxies ?? [],
      rules: (plan?.attachment.forwardingRules ?? []).map(({ name, address: text }) => {
        return { name, address: canonicalAddress(text) };
      }),
      addresses: migration.addresses,
    },
    map: {
      usesMap: traitsOf(migration.loadBalancer).presents === "map",
      ...defined({ id: migration.map?.id, existing: existingMapOf(plan) }),
      hasPrimary: migration.entries.some(({ hostname }) => hostname === "PRIMARY"),
      entries: migration.entries,
    },
    dns: {
      hostnames: sorted([...(entries.length > 0 ? entries : certified), ...moved]),
      domains: migration.records.map(({ domain, name, data, published }) => ({
        domain,
        ...defined({ authorization: authorizations.get(domain) }),
        ...defined({ challenge: name && withoutDot(name), target: data && withoutDot(data) }),
        published,
      })),
      zones,
      zonesUnnamed: zones.length === 0 && migration.records.some(({ published }) => published === "cloudDns"),
      moved,
      previous: traffic?.to === "previous" ? previousOf(traffic.records, moved) : [],
      newRecords: newRecordsOf(migration, plan, stack, firstOwner),
    },
    ...alertsOf(plan, firstOwner),
  };
}

/** @param project of resources that name no project */
function alertsOf(plan: MigrationPlan | undefined, project: string | undefined): Pick<DoctorSubject, "alerts"> {
  if (plan?.alerts === undefined) return {};
  const { projects, checks } = plan.alerts;
  const [first] = projects;
  const own = first?.project === undefined ? project : literal(first.project);
  return { alerts: { ...defined({ project: own }), hostnames: checks.map(({ hostname }) => hostname) } };
}

/** @param project of certificates that name no project */
function certificatesOf(migration: SourceMigration, project: string | undefined) {
  const { certificates } = migration;
  // CAA records are for public CAs.
  const managed = certificates.filter(
    ({ kind, isPrivatelyIssued }) => kind === "managed" && isPrivatelyIssued !== true,
  );
  return {
    issued: sorted(managed.flatMap(({ domains }) => domains)),
    managed: managed.map(({ id, domains }) => ({ ...defined({ id }), domains })),
    private: certificates.flatMap(({ id, domains, issuedBy }) =>
      issuedBy === undefined
        ? []
        : { domains, issuer: issuedBy, ...defined({ project: projectIn(id ?? "") ?? project }) },
    ),
    made: certificates.flatMap(({ kind, id }) => (kind === "existing" ? [] : (id ?? []))),
    existing: certificates.flatMap(({ kind, id, domains }) =>
      kind === "existing" && id !== undefined ? { id, domains } : [],
    ),
    others: otherCertificateIds(migration),
  };
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

function isVariable(text: string | undefined): boolean {
  return text !== undefined && isReference(text);
}

function literal(text: string | undefined): string | undefined {
  return text === undefined || isReference(text) ? undefined : text;
}

function firstProject(resources: readonly { readonly id?: string }[]): string | undefined {
  for (const { id } of resources) {
    const project = projectIn(id ?? "");
    if (project !== undefined) return project;
  }
  return undefined;
}

function regionOf({ proxies, certificates }: SourceMigration): string | undefined {
  const location = certificates.find((certificate) => certificate.location !== "global")?.location;
  return regionIn(proxies[0]?.id ?? "") ?? location;
}

function zonesOf(plan: MigrationPlan, project: string | undefined): readonly ZoneOfPlan[] {
  const zones = new Map<string, { readonly zone: Omit<ZoneOfPlan, "records">; readonly records: Set<string> }>();
  const add = (record: string, zone: PlannedZone | undefined) => {
    const name = literal(zone?.name);
    const given = zone?.project ?? plan.project;
    const owner = given === undefined ? project : literal(given);
    if (zone === undefined || name === undefined || owner === undefined) return;
    const key = `${owner}/${name}`;
    const group = zones.get(key) ?? { zone: { project: owner, name, domain: zone.domain }, records: new Set<string>() };
    group.records.add(record);
    zones.set(key, group);
  };
  for (const { domain, zone } of plan.records) add(`_acme-challenge.${domain}`, zone);
  for (const { hostname, zone } of plan.traffic?.records ?? []) add(hostname, zone);
  return [...zones.values()].map(({ zone, records }) => ({ ...zone, records: [...records].sort() }));
}

function proxiesOf(
  { proxies }: SourceMigration,
  plan: MigrationPlan | undefined,
  stack: StackContents | undefined,
): readonly ProxyOfPlan[] {
  const keeping = new Set(
    (stack?.resources ?? []).flatMap(({ type, values: { name, ssl_certificates: certificates } }) =>
      type === "google_compute_target_ssl_proxy" && listOf(certificates).length > 0 ? name : [],
    ),
  );
  const planned = new Map(plan?.attachment.proxies.map((proxy) => [proxy.name, proxy]));
  return proxies.flatMap(({ id, resourceName = "" }) => {
    const proxy = planned.get(resourceName);
    if (id === undefined) return [];
    if (proxy !== undefined) return { id, ...statedOf(proxy) };
    return { id, origin: "unknown", keepsCertificates: isSsl(id) && keeping.has(resourceName) };
  });
}

/** References are left out: only Terraform can resolve them. */
function statedOf(proxy: PlannedProxy): Omit<ProxyOfPlan, "id"> {
  if (proxy.kind === "newHttps" || proxy.kind === "newSsl") return { origin: "new" };
  const stated =
    proxy.kind === "adoptedHttps"
      ? {
          urlMap: proxy.spec.urlMap,
          sslPolicy: proxy.spec.sslPolicy,
          quicOverride: proxy.spec.quicOverride,
          tlsEarlyData: proxy.spec.tlsEarlyData,
          httpKeepAliveTimeoutSec: proxy.spec.httpKeepAliveTimeoutSeconds,
          serverTlsPolicy: proxy.spec.serverTlsPolicy,
          description: proxy.spec.description,
        }
      : {
          service: proxy.spec.backendService,
          sslPolicy: proxy.spec.sslPolicy,
          proxyHeader: proxy.spec.proxyHeader,
          description: proxy.spec.description,
        };
  const known = Object.entries(stated).flatMap(([name, value]): (readonly [string, string | number | null])[] => {
    if (value === undefined || (typeof value === "string" && isReference(value))) return [];
    return [[name, statedValue(value) ?? null]];
  });
  return { origin: "adopted", stated: Object.fromEntries(known) };
}

function existingAuthorizationsOf(plan: MigrationPlan | undefined): readonly string[] {
  const ids = (plan?.certificates ?? []).flatMap((certificate) => {
    if (certificate.kind !== "managed") return [];
    return certificate.authorizations.flatMap((authorization) =>
      "existingId" in authorization && !isReference(authorization.existingId) ? authorization.existingId : [],
    );
  });
  return sorted(ids);
}

function existingMapOf(plan: MigrationPlan | undefined): string | undefined {
  if (plan?.map?.kind !== "existing" || isReference(plan.map.existingId)) return undefined;
  return resourceNameIn(plan.map.existingId);
}

function previousOf(
  records: NonNullable<SourceMigration["traffic"]>["records"],
  moved: readonly string[],
): readonly PreviousRecord[] {
  const hosts = new Set(moved);
  return records.flatMap(({ name, type, data }) => {
    const hostname = withoutDot(name);
    // Names that the migration generates, such as the name of its ingress, have no previous records.
    if (!hosts.has(hostname) || data.some(isReference)) return [];
    return { hostname, type, data: type === "CNAME" ? data.map(withoutDot) : sorted(data) };
  });
}
