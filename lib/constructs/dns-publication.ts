import type { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { TerraformElement } from "cdktf";
import type { CloudDnsSpec, DnsSpec, ZoneSpec } from "../plan";
import { defined } from "./reference";

/** Where in Cloud DNS records are written. */
export interface CloudDnsOptions {
  /**
   * The public zones by the DNS name that they are authoritative for, as in `{ "example.com": "example-com" }`. The value is the zone's resource name,
   * its name and project, or the zone itself. The zone with the longest suffix of a domain takes its records.
   */
  readonly zones: Readonly<Record<string, string | ZoneSpec | DnsManagedZone>>;

  /** Project of the zones that name none; tokens are fine. @default - the migration's project */
  readonly project?: string;

  /** Time to live of the authorization CNAMEs, in seconds, 1 to 86400. @default 300 */
  readonly ttlSeconds?: number;
}

/** Where the CNAME records of DNS authorizations are published, and the address records of step 8. */
export class DnsPublication {
  /** The same as data. */
  readonly spec: DnsSpec;

  private constructor(spec: DnsSpec) {
    this.spec = spec;
  }

  /** Writes the records in Cloud DNS. */
  static cloudDns(options: CloudDnsOptions): DnsPublication {
    const zones = Object.entries(options.zones).map(([domain, zone]): [string, string | ZoneSpec] =>
      TerraformElement.isTerraformElement(zone)
        ? [domain, (zone as DnsManagedZone).name]
        : [domain, zone as string | ZoneSpec],
    );
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
   * Writes none: publish what the output `cert_migration` (or the output `records_to_publish` of the migration, or `cert-migration records`) hands out,
   * before certificates can become active.
   */
  static external(): DnsPublication {
    return new DnsPublication({ kind: "external" });
  }

  /** From data, as in a migration document. */
  static fromSpec(spec: DnsSpec): DnsPublication {
    return new DnsPublication(spec);
  }
}
