/**
 * All records of one name and type, as in Cloud DNS. Must not change in place, because parsed data are cached per
 * object.
 */
export interface RecordSet {
  /** Absolute name in the canonical text of `readDomainName`; the first label may be `*`. */
  readonly name: string;
  readonly type: string;
  /** Time to live in seconds. */
  readonly ttl: number;
  /** Data in zone-file form, one text per record. */
  readonly rrdatas: readonly string[];
}

/** A zone, as the name server reads it. */
export interface Zone {
  /** Name of the apex, absolute and in lower case, for example `example.com.` */
  readonly dnsName: string;
  /** Returns the record sets of a name, in any order. The name is absolute and in lower case. */
  readonly recordSets: (name: string) => readonly RecordSet[];
  /**
   * Returns whether a name has records, or is an ancestor of a name with records ("empty non-terminal", RFC 4592,
   * section 2.2.2).
   */
  readonly hasName: (name: string) => boolean;
}

/** Zones; read for each question. */
export interface ZoneSource {
  /** Returns the zone with the longest name that contains this name. The name is absolute and in lower case. */
  readonly findZone: (name: string) => Zone | undefined;
  /**
   * Returns a number that differs after every change of the zones or their content. Replies are cached while the number
   * is the same.
   *
   * @default - changes are unknown, and no replies are cached
   */
  readonly version?: () => number;
}
