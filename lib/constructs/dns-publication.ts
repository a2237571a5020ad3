import type { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { TerraformElement, type TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { InputError, type Problem } from "../errors";
import { isFields } from "../json/fields";
import { type CloudDnsSpec, type DnsSpec, isReference, type ZoneSpec } from "../plan";
import { isOpaque } from "../plan/shape";
import { nameClass, requireOwnKit } from "./kit";
import type { MigrationProviders } from "./migration-providers";
import { plainOf } from "./plain";
import type { IRecordPublisher } from "./record-publisher";
import { definedArguments, fixLogicalId, inSameStack } from "./reference";
import { ownProjectOf, projectOf, projectOfProvider } from "./stack-provider";
import { zoneDomain } from "./zone-domain";

/** A zone of {@link CloudDnsOptions}, with the provider of its records. */
export interface CloudDnsZone extends ZoneSpec {
  /** Google provider that creates the records of the zone. @default - the provider of the publication */
  readonly provider?: TerraformProvider;
}

/** Options of {@link DnsPublication.cloudDns}. */
export interface CloudDnsOptions {
  /**
   * Public zones by the DNS name for which they are authoritative, for example `{ "example.com": "example-com" }`.
   * The value is the zone's resource name, its name with project or provider, or the zone construct. The zone with the
   * longest matching suffix gets the records of a domain.
   */
  readonly zones: { readonly [domain: string]: string | CloudDnsZone | DnsManagedZone };

  /**
   * Project of zones without their own; tokens are allowed.
   *
   * @default - the project of `provider`, or else the migration's project
   */
  readonly project?: string;

  /**
   * Google provider that creates the records of zones without their own, for example with the identity of a project
   * for DNS. A zone construct of the stack has the provider that creates the zone. Another provider changes no record
   * if it has the same project.
   *
   * @default - the migration's provider
   */
  readonly provider?: TerraformProvider;

  /** Time to live of the CNAME records, in seconds, 1 to 86400. @default 300 */
  readonly ttlSeconds?: number;
}

/** Publication of the CNAME records of DNS authorizations, and of the address records of step 8. */
export class DnsPublication {
  /** The same as data. A zone of the app has its own project, if it has one. */
  readonly spec: DnsSpec;
  /** Zones of the app, by the keys of `zones`. */
  readonly appZones: { readonly [domain: string]: DnsManagedZone };
  /** Provider of the records of zones without their own; undefined for the migration's provider. */
  readonly provider: TerraformProvider | undefined;
  /** Providers of the records of zones, by the keys of `zones`. */
  readonly zoneProviders: { readonly [domain: string]: TerraformProvider };
  /** Publisher of {@link DnsPublication.custom}; undefined for the other factories. */
  readonly publisher: IRecordPublisher | undefined;

  private constructor(
    spec: DnsSpec,
    { appZones = {}, provider, zoneProviders = {}, publisher }: PublicationParts = {},
  ) {
    this.spec = spec;
    this.publisher = publisher;
    this.appZones = appZones;
    this.provider = provider;
    this.zoneProviders = zoneProviders;
  }

  /**
   * Writes the records in Cloud DNS.
   *
   * @example
   * ```ts
   * DnsPublication.cloudDns({
   *   zones: { "example.com": "example-com", "example.net": { name: "net", project: "my-dns" } },
   * });
   * ```
   *
   * @throws InputError `zone-domain-mismatch` for every zone of the app that is not authoritative for its domain
   */
  static cloudDns(options: CloudDnsOptions): DnsPublication {
    const appZones = new Map<string, DnsManagedZone>();
    const zoneProviders = new Map<string, TerraformProvider>();
    const problems: Problem[] = [];
    const { zones: given, provider, ...others } = plainOf(Object(options) as CloudDnsOptions);
    if ("kind" in others) {
      throw new InputError(
        "property-unknown",
        "DnsPublication.cloudDns: unknown property 'kind'; the factory sets the kind",
      );
    }
    if (!isFields(given) || isOpaque(given)) {
      return new DnsPublication({ ...others, kind: "cloudDns", zones: given }, { provider });
    }
    const zones = Object.entries(given).map(([domain, zone]): [string, string | ZoneSpec] => {
      if (!TerraformElement.isTerraformElement(zone)) {
        if (!hasProvider(zone)) return [domain, zone as string | ZoneSpec];
        const { provider: zoneProvider, ...data } = zone;
        if (zoneProvider !== undefined) zoneProviders.set(domain, zoneProvider);
        return [domain, data];
      }
      requireOwnKit(zone, `the zone of '${domain}'`);
      const appZone = zone as DnsManagedZone;
      problems.push(...mismatchOf(appZone, domain));
      const project = ownProjectOf(appZone);
      fixLogicalId(appZone);
      appZones.set(domain, appZone);
      return [domain, project === undefined ? appZone.name : { name: appZone.name, project }];
    });
    if (problems.length > 0) throw new InputError(problems);
    const spec = { ...others, kind: "cloudDns", zones: Object.fromEntries(zones) } as const;
    return new DnsPublication(definedArguments<CloudDnsSpec>(spec), {
      appZones: Object.fromEntries(appZones),
      provider,
      zoneProviders: Object.fromEntries(zoneProviders),
    });
  }

  /**
   * Writes the records at any DNS provider, with the provider's resources in the same stack. Certificates and gates
   * depend on them. Migrations of a stack that share an authorization take the same publisher.
   *
   * @example
   * ```ts
   * DnsPublication.custom({
   *   publish: (scope, record) => [
   *     {
   *       // A resource of any provider, here of Cloud DNS.
   *       resource: new DnsRecordSet(scope, "record", {
   *         managedZone: "example-com",
   *         name: `${record.name}.`,
   *         type: record.type,
   *         rrdatas: record.data.map((value) => (record.type === "CNAME" ? `${value}.` : value)),
   *         ttl: record.ttlSeconds,
   *       }),
   *       importId: `example-com/${record.name}./${record.type}`,
   *     },
   *   ],
   * });
   * ```
   *
   * @param publisher creates the resources of each record
   * @throws InputError `publisher-invalid` for a value without the method `publish`
   */
  static custom(publisher: IRecordPublisher): DnsPublication {
    if (typeof (Object(publisher) as Partial<IRecordPublisher>).publish !== "function") {
      const message =
        "DnsPublication.custom: the publisher has no method 'publish'; pass { publish: (scope, record) => … }";
      throw new InputError("publisher-invalid", message);
    }
    return new DnsPublication({ kind: "custom" }, { publisher });
  }

  /**
   * Writes no records. Publish the records in the stack output `records_to_publish` (or in the output of
   * `cert-migration records`); certificates become active only then.
   *
   * @example
   * ```ts
   * DnsPublication.external();
   * ```
   */
  static external(): DnsPublication {
    return new DnsPublication({ kind: "external" });
  }

  /**
   * Creates the publication from data, for example from `migration.yaml`. Data of the kind `custom` has no publisher:
   * use {@link DnsPublication.custom}.
   *
   * @param spec an object with the fields of its `kind`; see `CloudDnsSpec` and `ExternalDnsSpec`
   *
   * @example
   * ```ts
   * DnsPublication.fromSpec({ kind: "external" });
   * ```
   */
  static fromSpec(spec: DnsSpec): DnsPublication {
    return new DnsPublication(spec);
  }
}
nameClass(DnsPublication, "DnsPublication");

/** What a publication in Cloud DNS has beside its data. */
interface PublicationParts {
  readonly publisher?: IRecordPublisher;
  readonly appZones?: { readonly [domain: string]: DnsManagedZone };
  readonly provider?: TerraformProvider | undefined;
  readonly zoneProviders?: { readonly [domain: string]: TerraformProvider };
}

function hasProvider(zone: unknown): zone is CloudDnsZone {
  return isFields(zone) && "provider" in zone;
}

/**
 * Returns the publication as data, with the projects of the providers that create the zones of the app, and of the
 * providers of records. A record is in the project of its zone, not in the project of the migration.
 *
 * @param project project of the migration
 */
export function withZoneProjects(
  scope: Construct,
  dns: DnsPublication,
  project: string | undefined,
  providers: MigrationProviders,
): DnsSpec {
  const { spec, appZones } = dns;
  // The migration refuses data without zones.
  if (!isFields(spec) || spec.kind !== "cloudDns" || !isFields(spec.zones) || isOpaque(spec.zones)) return spec;
  const zones = Object.entries(spec.zones).map(([key, zone]): [string, string | ZoneSpec] => {
    const provider = providers.ofZone({ domain: zoneDomain(key) });
    const appZone = Object.hasOwn(appZones, key) ? appZones[key] : undefined;
    const hasOwnProvider = provider !== providers.provider && spec.project === undefined;
    const ofProvider = hasOwnProvider ? projectOfProvider(scope, provider) : undefined;
    const known = appZone ? projectOfZone(scope, appZone, provider, [spec.project, project]) : ofProvider;
    if (known === undefined) return [key, zone];
    if (typeof zone === "string") return [key, { name: zone, project: known }];
    return [key, isFields(zone) && zone.project === undefined ? { ...zone, project: known } : zone];
  });
  return { ...spec, zones: Object.fromEntries(zones) };
}

/**
 * @param provider provider of the records, if it has an alias
 * @param stated project of zones without their own, and project of the migration
 */
function projectOfZone(
  scope: Construct,
  zone: DnsManagedZone,
  provider: TerraformProvider | undefined,
  [stated, project]: readonly [string | undefined, string | undefined],
): string | undefined {
  const known = projectOf(zone);
  // A reference can't be compared with the project that the user states.
  if (stated !== undefined && (known === undefined || isReference(known) || isReference(stated))) return undefined;
  // The record is created by the same provider, in the same project.
  const hasSameProvider = zone.provider === undefined && provider === undefined && inSameStack(scope, zone);
  if (hasSameProvider && stated === undefined && project === undefined) return undefined;
  // The provider takes its project from the environment, and writes it into the attribute.
  return known ?? zone.project;
}

/** Returns `zone-domain-mismatch` if a zone of the app is not authoritative for a domain. */
function mismatchOf(zone: DnsManagedZone, domain: string): readonly Problem[] {
  const { dnsNameInput: dnsName = "" } = zone;
  const [served, wanted] = [dnsName, domain].map(zoneDomain);
  const isAtOrAbove = `.${wanted}`.endsWith(`.${served}`);
  if (isAtOrAbove || isReference(dnsName)) return [];
  const message = `zones: '${domain}' has the zone '${zone.node.path}' of '${dnsName}'; give a zone whose dnsName is '${wanted}.' or a parent domain`;
  return [{ code: "zone-domain-mismatch", message }];
}
