import { canonicalName, isDomainAtOrBelow, parentName } from "./domain-name";
import type { Rcode } from "./message-format";
import { parseRrdata } from "./rrdata/rrdata";

/** All records of one name and type. Must not change in place, because parsed data are cached per object. */
export interface ServedRecordSet {
  /** Absolute name in the canonical text of `readDomainName`; the first label may be `*`. */
  readonly name: string;
  readonly type: string;
  /** Time to live in seconds. */
  readonly ttl: number;
  /** Data in zone-file form, one text per record. */
  readonly rrdatas: readonly string[];
}

export interface Zone {
  /** Name of the apex, absolute and in lower case, for example `example.com.` */
  readonly dnsName: string;
  /** Returns the record sets of a name, in any order. The name is absolute and in lower case. */
  readonly recordSets: (name: string) => readonly ServedRecordSet[];
  /** Returns whether a name or any name below it has records ("empty non-terminal", RFC 4592, section 2.2.2). */
  readonly hasName: (name: string) => boolean;
}

export interface ZoneSource {
  /** Returns the zone with the longest name that contains this name. The name is absolute and in lower case. */
  readonly findZone: (name: string) => Zone | undefined;
  /**
   * Returns a number that differs after each change of the zones; replies are cached until then. @default - no cache
   */
  readonly version?: () => number;
}

/** A question. Its text comes from the network; control characters and similar ones are escaped. */
export interface Question {
  /** Absolute name in the client's upper and lower case. */
  readonly name: string;
  /** Type, for example `CNAME`; `TYPE65280` for a type without a name. */
  readonly type: string;
  /** Class, for example `IN`; `CLASS32` for a class without a name. */
  readonly class: string;
}

export interface AnsweredRecords {
  /** Owner name; for wildcards different from the name of the record set. */
  readonly name: string;
  readonly recordSet: ServedRecordSet;
  /** Time to live in seconds; different from the record set's value for a SOA record in a negative answer. */
  readonly ttlSeconds: number;
}

export interface ZoneAnswer {
  readonly rcode: Rcode;
  readonly authoritative: boolean;
  readonly answers: readonly AnsweredRecords[];
  readonly authority: readonly AnsweredRecords[];
  readonly additional: readonly AnsweredRecords[];
}

/** Maximum length of a CNAME chain in one answer, similar to the limits of resolvers. */
const longestChain = 16;

/** Response codes of types that exist only in questions: zone transfers are not offered, others are not queries. */
const questionOnlyRcodes: ReadonlyMap<string, Rcode> = new Map([
  ["AXFR", "REFUSED"],
  ["IXFR", "REFUSED"],
  ["OPT", "FORMERR"],
  ["TKEY", "NOTIMP"],
  ["TSIG", "NOTIMP"],
  ["MAILA", "NOTIMP"],
  ["MAILB", "NOTIMP"],
]);

export function emptyAnswer(rcode: Rcode): ZoneAnswer {
  return { rcode, authoritative: false, answers: [], authority: [], additional: [] };
}

/**
 * Answers one question from zones, as an authoritative server does (RFC 1034, section 4.3.2; wildcards by RFC 4592).
 *
 * A chain of CNAMEs is followed through all zones. It ends at a name outside them or at a loop; its last name
 * determines the response code (RFC 6604). `ANY` is answered with one record set (RFC 8482). The answer is REFUSED
 * outside of all zones and for classes other than IN.
 *
 * @throws InputError if a required SOA or NS record can't be read
 */
export function answerQuestion(zones: ZoneSource, question: Question): ZoneAnswer {
  if (question.class !== "IN") return emptyAnswer("REFUSED");
  const questionOnly = questionOnlyRcodes.get(question.type);
  if (questionOnly !== undefined) return emptyAnswer(questionOnly);

  const answers: AnsweredRecords[] = [];
  const seen = new Set<string>();
  let owner = question.name;
  for (;;) {
    const name = canonicalName(owner);
    const zone = findZone(zones, name, question.type);
    if (zone === undefined) return answers.length === 0 ? emptyAnswer("REFUSED") : chainEnd("NOERROR", answers);
    const found = lookUp(zone, name, question.type);
    if (found.kind === "referral") return referral(zone, found.recordSet, answers);
    if (found.kind === "nothing") return negative(found.rcode, zone, answers);
    answers.push({ name: owner, recordSet: found.recordSet, ttlSeconds: found.recordSet.ttl });
    if (found.kind === "records") return chainEnd("NOERROR", answers);
    seen.add(name);
    owner = parseRrdata("CNAME", found.recordSet.rrdatas[0] ?? "").target;
    if (seen.has(canonicalName(owner)) || seen.size === longestChain) return chainEnd("NOERROR", answers);
  }
}

/** Returns the zone of a name. DS records belong to the parent's side of a delegation (RFC 4035, section 3.1.4.1). */
function findZone(zones: ZoneSource, name: string, type: string): Zone | undefined {
  const zone = zones.findZone(name);
  const above = type === "DS" && zone?.dnsName === name ? parentName(name) : undefined;
  const parent = above === undefined ? undefined : zones.findZone(above);
  return parent?.hasName(name) === true ? parent : zone;
}

type Found =
  | { readonly kind: "records" | "alias" | "referral"; readonly recordSet: ServedRecordSet }
  | { readonly kind: "nothing"; readonly rcode: "NOERROR" | "NXDOMAIN" };

function lookUp(zone: Zone, name: string, type: string): Found {
  const cut = findCut(zone, name, type);
  if (cut !== undefined) return { kind: "referral", recordSet: cut };
  const recordSets = zone.recordSets(name);
  if (recordSets.length > 0 || zone.hasName(name)) return choose(recordSets, type);
  const wildcard = `*.${closestEncloser(zone, name)}`;
  if (!zone.hasName(wildcard)) return { kind: "nothing", rcode: "NXDOMAIN" };
  return choose(zone.recordSets(wildcard), type);
}

/** Returns the topmost NS set between apex and name. Names at or below this delegation belong to another zone. */
function findCut(zone: Zone, name: string, type: string): ServedRecordSet | undefined {
  let cut: ServedRecordSet | undefined;
  // A DS record belongs to the parent, so an NS set with its name is not a delegation for it.
  let at: string | undefined = type === "DS" ? parentName(name) : name;
  while (at !== undefined && at !== zone.dnsName && isDomainAtOrBelow(at, zone.dnsName)) {
    cut = zone.recordSets(at).find((recordSet) => recordSet.type === "NS") ?? cut;
    at = parentName(at);
  }
  return cut;
}

function closestEncloser(zone: Zone, name: string): string {
  let encloser = parentName(name) ?? zone.dnsName;
  while (encloser !== zone.dnsName && !zone.hasName(encloser)) encloser = parentName(encloser) ?? zone.dnsName;
  return encloser;
}

function choose(recordSets: readonly ServedRecordSet[], type: string): Found {
  let alias: ServedRecordSet | undefined;
  for (const recordSet of recordSets) {
    if (recordSet.type === type || type === "ANY") return { kind: "records", recordSet };
    if (recordSet.type === "CNAME") alias = recordSet;
  }
  return alias === undefined ? { kind: "nothing", rcode: "NOERROR" } : { kind: "alias", recordSet: alias };
}

function chainEnd(rcode: Rcode, answers: readonly AnsweredRecords[]): ZoneAnswer {
  return { rcode, authoritative: true, answers, authority: [], additional: [] };
}

/** Returns the answer without records; its SOA record states how long resolvers may cache it (RFC 2308, section 3). */
function negative(rcode: Rcode, zone: Zone, answers: readonly AnsweredRecords[]): ZoneAnswer {
  const soa = zone.recordSets(zone.dnsName).find((recordSet) => recordSet.type === "SOA");
  if (soa === undefined) return chainEnd(rcode, answers);
  const { negativeTtlSeconds } = parseRrdata("SOA", soa.rrdatas[0] ?? "");
  const ttlSeconds = Math.min(soa.ttl, negativeTtlSeconds);
  return { ...chainEnd(rcode, answers), authority: [{ name: soa.name, recordSet: soa, ttlSeconds }] };
}

/** Returns the servers of the delegated zone, with those of their addresses that this zone contains. */
function referral(zone: Zone, cut: ServedRecordSet, answers: readonly AnsweredRecords[]): ZoneAnswer {
  const glue = cut.rrdatas.flatMap((rrdata) => {
    const { target } = parseRrdata("NS", rrdata);
    return zone
      .recordSets(canonicalName(target))
      .filter(({ type }) => type === "A" || type === "AAAA")
      .map((recordSet) => ({ name: target, recordSet, ttlSeconds: recordSet.ttl }));
  });
  return {
    rcode: "NOERROR",
    authoritative: answers.length > 0,
    answers,
    authority: [{ name: cut.name, recordSet: cut, ttlSeconds: cut.ttl }],
    additional: glue,
  };
}
