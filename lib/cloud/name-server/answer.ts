import { canonicalName, isAtOrBelow, parentName } from "./domain-name";
import type { Rcode } from "./numbers";
import { parseRrdata } from "./rrdata/rrdata";
import type { RecordSet, Zone, ZoneSource } from "./zone";

/** What is asked. Text in it comes from the network; control characters and the like are escaped. */
export interface Question {
  /** Absolute, upper and lower case as it was asked. */
  readonly name: string;
  /** As in `CNAME`; `TYPE65280` for a type without a name. */
  readonly type: string;
  /** As in `IN`; `CLASS32` for a class without a name. */
  readonly class: string;
}

/** Records of one set in one section of an answer. */
export interface AnsweredRecords {
  /** Owner, which differs from the set's own name for wildcards. */
  readonly name: string;
  readonly recordSet: RecordSet;
  /** Seconds; differs from the set's own for a SOA that tells how long an absence may be kept. */
  readonly ttlSeconds: number;
}

/** An answer before it becomes a message. */
export interface Answer {
  readonly rcode: Rcode;
  /** Whether the server speaks for the zone of the asked name. */
  readonly authoritative: boolean;
  readonly answers: readonly AnsweredRecords[];
  readonly authority: readonly AnsweredRecords[];
  readonly additional: readonly AnsweredRecords[];
}

/** Longest chain of CNAMEs that one answer follows. Resolvers give up at about as many. */
const longestChain = 16;

/** Types that only questions have, and how they end here: transfers are not offered, the others are not questions or long obsolete. */
const questionOnlyRcodes: ReadonlyMap<string, Rcode> = new Map([
  ["AXFR", "REFUSED"],
  ["IXFR", "REFUSED"],
  ["OPT", "FORMERR"],
  ["TKEY", "NOTIMP"],
  ["TSIG", "NOTIMP"],
  ["MAILA", "NOTIMP"],
  ["MAILB", "NOTIMP"],
]);

/** An answer without records. */
export function emptyAnswer(rcode: Rcode): Answer {
  return { rcode, authoritative: false, answers: [], authority: [], additional: [] };
}

/**
 * Answers one question from zones, as an authoritative server does (RFC 1034, section 4.3.2; wildcards by RFC 4592).
 *
 * A chain of CNAMEs is followed through all zones, and ends where it leaves them or comes back to itself; its response code is that of its end
 * (RFC 6604). `ANY` is answered with one record set (RFC 8482). Outside of all zones and for classes other than IN the answer is REFUSED.
 *
 * @throws InputError if a SOA or NS record that is needed can't be read
 */
export function answerQuestion(zones: ZoneSource, question: Question): Answer {
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

/** DS records lie on the parent's side of a delegation (RFC 4035, section 3.1.4.1). */
function findZone(zones: ZoneSource, name: string, type: string): Zone | undefined {
  const zone = zones.findZone(name);
  const above = type === "DS" && zone?.dnsName === name ? parentName(name) : undefined;
  const parent = above === undefined ? undefined : zones.findZone(above);
  return parent?.hasName(name) === true ? parent : zone;
}

type Found =
  | { readonly kind: "records" | "alias" | "referral"; readonly recordSet: RecordSet }
  | { readonly kind: "nothing"; readonly rcode: "NOERROR" | "NXDOMAIN" };

function lookUp(zone: Zone, name: string, type: string): Found {
  const cut = findCut(zone, name, type);
  if (cut !== undefined) return { kind: "referral", recordSet: cut };
  const own = zone.recordSets(name);
  if (own.length > 0 || zone.hasName(name)) return choose(own, type);
  const wildcard = `*.${closestEncloser(zone, name)}`;
  if (!zone.hasName(wildcard)) return { kind: "nothing", rcode: "NXDOMAIN" };
  return choose(zone.recordSets(wildcard), type);
}

/** The topmost NS set between apex and name: what lies there or below is somebody else's to answer. */
function findCut(zone: Zone, name: string, type: string): RecordSet | undefined {
  let cut: RecordSet | undefined;
  // A DS record belongs to the parent, so its own name is no cut for it.
  let at: string | undefined = type === "DS" ? parentName(name) : name;
  while (at !== undefined && at !== zone.dnsName && isAtOrBelow(at, zone.dnsName)) {
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

function choose(recordSets: readonly RecordSet[], type: string): Found {
  let alias: RecordSet | undefined;
  for (const recordSet of recordSets) {
    if (recordSet.type === type || type === "ANY") return { kind: "records", recordSet };
    if (recordSet.type === "CNAME") alias = recordSet;
  }
  return alias === undefined ? { kind: "nothing", rcode: "NOERROR" } : { kind: "alias", recordSet: alias };
}

function chainEnd(rcode: Rcode, answers: readonly AnsweredRecords[]): Answer {
  return { rcode, authoritative: true, answers, authority: [], additional: [] };
}

/** No such name, or no such records: the SOA says for how long that may be kept (RFC 2308, section 3). */
function negative(rcode: Rcode, zone: Zone, answers: readonly AnsweredRecords[]): Answer {
  const soa = zone.recordSets(zone.dnsName).find((recordSet) => recordSet.type === "SOA");
  if (soa === undefined) return chainEnd(rcode, answers);
  const { negativeTtlSeconds } = parseRrdata("SOA", soa.rrdatas[0] ?? "");
  const ttlSeconds = Math.min(soa.ttl, negativeTtlSeconds);
  return { ...chainEnd(rcode, answers), authority: [{ name: soa.name, recordSet: soa, ttlSeconds }] };
}

/** Names the servers of the delegated zone, with those of their addresses that this zone has. */
function referral(zone: Zone, cut: RecordSet, answers: readonly AnsweredRecords[]): Answer {
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
