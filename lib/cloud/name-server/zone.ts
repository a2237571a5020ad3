/** All records of one name and type, as in Cloud DNS. Never changed in place: what is read of one is kept with it. */
export interface RecordSet {
  /** Absolute, in the one text that `readDomainName` makes of it; the first label may be `*`. */
  readonly name: string;
  readonly type: string;
  /** Seconds for which resolvers may keep the answer. */
  readonly ttl: number;
  /** Data in zone-file form, one text a record. */
  readonly rrdatas: readonly string[];
}

/** A zone as the name server looks at it. */
export interface Zone {
  /** Name of the apex, absolute and in lower case, as in `example.com.` */
  readonly dnsName: string;
  /** What a name has, in any order. The name is absolute and in lower case. */
  readonly recordSets: (name: string) => readonly RecordSet[];
  /** Whether a name has records or lies above one that has ("empty non-terminal", RFC 4592, section 2.2.2). */
  readonly hasName: (name: string) => boolean;
}

/** Zones, looked at anew for each question. */
export interface ZoneSource {
  /** The zone with the longest name in which this name lies. The name is absolute and in lower case. */
  readonly findZone: (name: string) => Zone | undefined;
  /**
   * A number that is another one after every change of the zones or of what is in them: replies are kept for as long as it stays.
   *
   * @default - nothing is known of changes, and nothing kept
   */
  readonly version?: () => number;
}
