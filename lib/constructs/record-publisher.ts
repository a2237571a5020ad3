import type { TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { InputError } from "../errors";
import { longestSuffix } from "../hostnames";
import { quote } from "../text/quote";

/** A record set that a publisher creates. */
export interface RecordToPublishProps {
  /** Purpose of the record. See {@link RecordToPublish.purpose}. */
  readonly purpose: "authorization" | "traffic";
  /** Domain or hostname. See {@link RecordToPublish.hostname}. */
  readonly hostname: string;
  /** Full name without trailing dot, or a Terraform reference. */
  readonly name: string;
  /** Type of the record set. */
  readonly type: "A" | "AAAA" | "CNAME";
  /** Addresses, or the target of a CNAME record without trailing dot; literals or references. */
  readonly data: readonly string[];
  /** Time to live in seconds. */
  readonly ttlSeconds: number;
  /** Whether the record set exists. See {@link RecordToPublish.exists}. @default false */
  readonly exists?: boolean;
}

/**
 * A record set that a publisher creates with resources of a DNS provider. Names and targets have no trailing dot; for a
 * provider that needs the dot, append it: `` `${record.name}.` ``.
 */
export class RecordToPublish {
  /**
   * `authorization`: the CNAME record by which the CA validates a domain. `traffic`: an address record or alias of
   * step 8. A record of an authorization must not pass through a proxy such as Cloudflare's.
   */
  readonly purpose: "authorization" | "traffic";
  /** Domain of the authorization, or hostname of the traffic; never a reference. */
  readonly hostname: string;
  /** Full name; a Terraform reference if only Google knows the name. */
  readonly name: string;
  /** Type of the record set. It never changes for a hostname. */
  readonly type: "A" | "AAAA" | "CNAME";
  /** Addresses in a stable order, or the one target of a CNAME record; literals or Terraform references. */
  readonly data: readonly string[];
  /** Time to live in seconds: 300 for authorizations, `ttlSeconds` of `traffic` for traffic. */
  readonly ttlSeconds: number;
  /**
   * Whether the record set exists before the migration, so that Terraform has to import it. The publisher then returns
   * the import id.
   */
  readonly exists: boolean;

  constructor(props: RecordToPublishProps) {
    this.purpose = props.purpose;
    this.hostname = props.hostname;
    this.name = props.name;
    this.type = props.type;
    this.data = props.data;
    this.ttlSeconds = props.ttlSeconds;
    this.exists = props.exists ?? false;
  }

  /**
   * Returns the zone with the longest matching suffix of the hostname.
   *
   * @param zones identities of the zones at the provider, by their DNS names without trailing dots
   * @throws InputError `zone-missing` if no zone contains the hostname
   */
  closestZone(zones: { readonly [domain: string]: string }): string {
    const domains = Object.keys(zones);
    const zone = zones[longestSuffix(this.hostname, domains) ?? ""];
    if (zone !== undefined) return zone;
    const known = domains.length === 0 ? "no zone is given" : `known zones: ${domains.join(", ")}`;
    throw new InputError("zone-missing", `no zone contains ${quote(this.hostname)}: ${known}; add the zone`);
  }

  /**
   * Returns the name relative to a zone, for providers that add the zone themselves; `@` for the zone itself.
   *
   * @param zone DNS name of the zone, without trailing dot
   * @throws InputError `zone-missing` if the zone does not contain the hostname
   */
  relativeName(zone: string): string {
    this.closestZone({ [zone]: zone });
    if (this.name === zone) return "@";
    const suffix = `.${zone}`;
    const expression = /^\$\{(.*)\}$/.exec(this.name)?.[1];
    if (expression !== undefined) return `\${trimsuffix(${expression}, "${suffix}")}`;
    return this.name.endsWith(suffix) ? this.name.slice(0, -suffix.length) : this.name;
  }
}

/** A resource that a publisher has created for a record. */
export interface PublishedRecord {
  /** The resource, in the scope that `publish` received. */
  readonly resource: TerraformResource;
  /**
   * Id with which Terraform imports the record, in the form of its provider. It has an effect only if the record
   * exists before the migration.
   *
   * @default - the record is created; an error if it exists
   */
  readonly importId?: string | undefined;
}

/** Creates records with resources of any DNS provider, for {@link DnsPublication.custom}. */
export interface IRecordPublisher {
  /**
   * Creates a record set, as one resource, or as one for each value where the provider has a resource for each value.
   * It is called once for each record of the stack, in the constructor of the first migration that needs the record.
   * Certificates and gates depend on the returned resources. A resource keeps its id when the data changes, so that
   * Terraform updates it in place.
   *
   * @param scope scope of the resources; it is the same for a record in every synthesis, whatever other records exist
   * @param record the record set
   * @returns the resources, at least one
   */
  publish(scope: Construct, record: RecordToPublish): readonly PublishedRecord[];
}
