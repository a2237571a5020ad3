import type { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { TerraformElement } from "cdktf";
import { InputError } from "../errors";
import { readPrivateHostname } from "../hostnames";
import { type CloudDnsSpec, type DnsSpec, isReference, type ZoneSpec } from "../plan";
import { nameClass, requireOwnKit } from "./kit";
import { defined } from "./reference";

/** Options of {@link DnsPublication.cloudDns}. */
export interface CloudDnsOptions {
  /**
   * Public zones by the DNS name for which they are authoritative, for example `{ "example.com": "example-com" }`.
   * The value is the zone's resource name, its name and project, or the zone construct. The zone with the longest
   * matching suffix gets the records of a domain.
   */
  readonly zones: Readonly<Record<string, string | ZoneSpec | DnsManagedZone>>;

  /** Project of zones without their own; tokens are allowed. @default - the migration's project */
  readonly project?: string;

  /** Time to live of the CNAME records, in seconds, 1 to 86400. @default 300 */
  readonly ttlSeconds?: number;
}

/** Publication of the CNAME records of DNS authorizations, and of the address records of step 8. */
export class DnsPublication {
  /** The same as data. */
  readonly spec: DnsSpec;

  private constructor(spec: DnsSpec) {
    this.spec = spec;
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
   */
  static cloudDns(options: CloudDnsOptions): DnsPublication {
    const zones = Object.entries(options.zones).map(([domain, zone]): [string, string | ZoneSpec] => {
      if (!TerraformElement.isTerraformElement(zone)) return [domain, zone as string | ZoneSpec];
      requireOwnKit(zone, `the zone of '${domain}'`);
      return [domain, nameOf(zone as DnsManagedZone, domain)];
    });
    return new DnsPublication(
      defined<CloudDnsSpec>({
        kind: "cloudDns",
        zones: Object.fromEntries(zones),
        project: options.project,
        ttlSeconds: options.ttlSeconds,
      }),
    );
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
   * Creates the publication from data, for example from `migration.yaml`.
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

/**
 * Returns the name of a zone of the app.
 *
 * @throws InputError `zone-domain-mismatch` if the zone is not authoritative for the domain
 */
function nameOf(zone: DnsManagedZone, domain: string): string {
  const { dnsNameInput: dnsName = "" } = zone;
  const [zoneDomain, wanted] = [dnsName, domain].map(comparable);
  const isAtOrAbove = `.${wanted}`.endsWith(`.${zoneDomain}`);
  if (isAtOrAbove || isReference(dnsName)) return zone.name;
  throw new InputError(
    "zone-domain-mismatch",
    `zones: '${domain}' has the zone '${zone.node.path}' of '${dnsName}'; give a zone whose dnsName is '${wanted}.' or a parent domain`,
  );
}

/** Returns a DNS name in a comparable form, also if it is not a hostname, such as `internal.`. */
function comparable(name: string): string {
  const read = readPrivateHostname(name);
  return "hostname" in read ? read.hostname : name.trim().toLowerCase().replace(/\.$/, "");
}
