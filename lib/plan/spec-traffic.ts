/** Step 8: address records, changed in place and reversible. */
export interface TrafficSpec {
  /**
   * Whose records to manage: `all` are the hostnames of `previous` and every served hostname that is not a wildcard.
   *
   * @default "all"
   */
  readonly hostnames?: "all" | readonly string[];

  /** Where the records point: to what they were, or to the load balancer's addresses. */
  readonly to: "previous" | "loadBalancer";

  /**
   * What each hostname's records are today. Existing record sets are taken over and changed in place; `{ a: [], aaaa: [] }` says that
   * a name has none.
   */
  readonly previous: Readonly<Record<string, PreviousRecords>>;

  /** Time to live of the records, in seconds, 1 to 86400. Lower it a full old time to live before the cut-over. @default 60 */
  readonly ttlSeconds?: number;

  /**
   * First label of the name that hosts with a CNAME are pointed to, one in each zone: their type can't change without a
   * moment of emptiness, their target can.
   *
   * @default "cert-migration-ingress"
   */
  readonly ingressLabel?: string;
}

/** What a name's records are before the migration: addresses, or an alias to another name. */
export type PreviousRecords = PreviousAddresses | PreviousAlias;

/** Records of a name that has addresses of its own. */
export interface PreviousAddresses {
  /** IPv4 addresses of its A record set; empty for none. @default - no A record set */
  readonly a?: readonly string[];
  /** IPv6 addresses of its AAAA record set; empty for none. @default - no AAAA record set */
  readonly aaaa?: readonly string[];
}

/** The record of a name that stands for another one. */
export interface PreviousAlias {
  /** Target of its CNAME record set. */
  readonly cname: string;
}
