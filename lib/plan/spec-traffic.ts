/** Address records of step 8. Terraform updates them in place, so that traffic can be rolled back. */
export interface TrafficSpec {
  /**
   * Hostnames whose records the migration manages. `all` means the hostnames of `previous` and every served hostname
   * without wildcard.
   *
   * @default "all"
   */
  readonly hostnames?: "all" | readonly string[];

  /** Target of the records: the previous values, or the addresses of the load balancer. */
  readonly to: "previous" | "loadBalancer";

  /**
   * Current records of each hostname. Terraform imports existing record sets and updates them in place; `{ a: [],
   * aaaa: [] }` means that a hostname has none.
   */
  readonly previous: { readonly [hostname: string]: PreviousRecords };

  /**
   * Time to live of the records, in seconds, 1 to 86400. Lower it before the move, at least one previous time to live
   * ahead.
   *
   * @minimum 1
   * @maximum 86400
   * @default 60
   */
  readonly ttlSeconds?: number;

  /**
   * First label of the name to which CNAME records of hostnames point, one name in each zone. The type of such a
   * record can't change without a gap, but its target can.
   *
   * @default "cert-migration-ingress"
   */
  readonly ingressLabel?: string;
}

/** Records of a hostname before the migration: addresses, or an alias. */
export type PreviousRecords = PreviousAddresses | PreviousAlias;

/** Address records of a hostname. */
export interface PreviousAddresses {
  /** IPv4 addresses of the A record set; empty for none. @default - no A record set @reference id, variables */
  readonly a?: readonly string[];
  /** IPv6 addresses of the AAAA record set; empty for none. @default - no AAAA record set @reference id, variables */
  readonly aaaa?: readonly string[];
}

/** CNAME record of a hostname. */
export interface PreviousAlias {
  /** Target of the CNAME record. @reference id, variables */
  readonly cname: string;
}
