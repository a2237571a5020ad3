import { mapConcurrently } from "../../async/concurrent";
import { type LookUp, withDot } from "../../dns";
import type { RecordVerdict } from "./codes";
import type { ChallengeRecord } from "./records";

/** A record, and its state in DNS. */
export interface RecordCheck {
  readonly record: ChallengeRecord;
  readonly verdict: RecordVerdict;
  /** The conflicting data in DNS; untrusted. */
  readonly found: readonly string[];
  /** What to do; absent if nothing is needed. */
  readonly fix?: string;
  /** Command lines that fix the record, in order; empty if no command is known. */
  readonly commands: readonly string[];
}

const ownTarget = /^.+\.authorize\.certificatemanager\.goog\./;
/** Certificate Manager follows aliases as a resolver does. A longer chain counts as a loop. */
const mostAliases = 8;

/**
 * Queries DNS for each record, up to a maximum number at the same time.
 *
 * @param onCheck called with each result when it is known
 */
export function checkRecords(
  records: readonly ChallengeRecord[],
  lookUp: LookUp,
  concurrency = 32,
  onCheck: (check: RecordCheck) => void = () => undefined,
): Promise<readonly RecordCheck[]> {
  return mapConcurrently(records, concurrency, async (record) => {
    const check = await checkRecord(record, lookUp);
    onCheck(check);
    return check;
  });
}

/** Queries DNS for one record. If the record is missing, checks for the records that conflict with it. */
export async function checkRecord(record: ChallengeRecord, lookUp: LookUp): Promise<RecordCheck> {
  const { name, data } = record;
  const answer = await lookUp(name, "CNAME");
  if (!answer.ok) return unanswered(record, answer.detail);
  const aliases = [...new Set(answer.data)];
  if (await leadsTo(withDot(data), aliases, lookUp)) return { record, verdict: "published", found: [], commands: [] };
  const publish = publishAt(name, record);
  const missing = `${publish}${
    record.published !== "external"
      ? "; Terraform writes it, so apply, and see that the zone is the one that is delegated to"
      : ""
  }`;
  if (aliases.length > 0) return checkOtherAliases(record, aliases, missing, lookUp);
  const texts = await lookUp(name, "TXT");
  if (!texts.ok) return unanswered(record, texts.detail);
  if (texts.data.length > 0 && !(await isOfWildcard(name, "TXT", texts.data, lookUp))) {
    const fix = `the name has a TXT record of another CA: remove it, then ${publish}; or use authorizationType PER_PROJECT_RECORD`;
    return judged(record, "record-conflicting-txt", texts.data, fix);
  }
  const doubled = `${name}${record.zone}.`;
  const twice = await lookUp(doubled, "CNAME");
  const isDoubled = (target: string) => target === withDot(data) || zoneAppendedTo(data, target, doubled) !== undefined;
  if (twice.ok && twice.data.some(isDoubled)) {
    const fix = `it is published as ${doubled}: type '${record.relativeName}' where the zone is added by itself, or keep the trailing dot`;
    return judged(record, "record-doubled", [doubled], fix);
  }
  const addresses = await lookUp(name, "A");
  if (addresses.ok && addresses.data.length > 0 && !(await isOfWildcard(name, "A", addresses.data, lookUp))) {
    const fix = `switch the proxy off for this record (Cloudflare: DNS only, in Terraform 'proxied = false'), or remove the address records of the name; then ${publish}`;
    return judged(record, "record-proxied", addresses.data, fix);
  }
  return judged(record, "record-missing", [], missing);
}

/** Checks why a name has aliases that do not lead to its target. @param missing fix of a record without aliases */
async function checkOtherAliases(
  record: ChallengeRecord,
  aliases: readonly string[],
  missing: string,
  lookUp: LookUp,
): Promise<RecordCheck> {
  const { name, data } = record;
  if (await isOfWildcard(name, "CNAME", aliases, lookUp)) {
    const fix = `${missing}; it outweighs the wildcard record that answers now`;
    return judged(record, "record-under-wildcard", aliases, fix);
  }
  const several = await severalAliases(withDot(name), aliases, lookUp);
  if (several !== undefined) {
    const { owner, targets } = several;
    const others = targets.filter((target) => target !== withDot(data)).join(", ");
    const fix = targets.includes(withDot(data))
      ? `remove the other CNAME of ${owner}: ${others}`
      : `remove the CNAMEs of ${owner}: ${others}; then ${publishAt(owner, record)}`;
    return judged(record, "record-several-cnames", targets, fix);
  }
  const appended = await appendedZone(record, aliases, lookUp);
  if (appended !== undefined) {
    const { owner, target, zone } = appended;
    const what = `the target of ${owner} lacks its trailing dot, so that the zone ${zone} was appended`;
    const fix = `${what}; replace it: ${publishAt(owner, record)}, with the dot`;
    const check = judged(record, "record-target-relative", [target], fix);
    // The name is an alias of `owner`, so the record must be fixed there; commands for the name would not help.
    return owner === withDot(name) ? check : { ...check, commands: [] };
  }
  if (aliases.every((target) => isOfAuthorization(target, withDot(name)))) {
    return judged(record, "record-wrong", aliases, `replace its target: ${publishAt(name, record)}`);
  }
  const fix = `another service renews certificates with it: use authorizationType PER_PROJECT_RECORD, which has another record name; or, when the other service no longer needs it, ${publishAt(name, record)}`;
  return judged(record, "record-conflicting-cname", aliases, fix);
}

function judged(record: ChallengeRecord, verdict: RecordVerdict, found: readonly string[], fix: string): RecordCheck {
  return { record, verdict, found, fix, commands: fixCommands(verdict, record) };
}

function unanswered(record: ChallengeRecord, detail: string): RecordCheck {
  const fix = "retry; if the look-up still fails, fix the zone's delegation or name servers";
  return judged(record, "record-unanswered", [detail], fix);
}

function publishAt(owner: string, { data }: ChallengeRecord): string {
  return `publish ${owner} CNAME ${data}`;
}

/** Reports whether the only alias of a name is the target, or leads to the target through other aliases. */
async function leadsTo(target: string, aliases: readonly string[], lookUp: LookUp): Promise<boolean> {
  for await (const next of followed(aliases, lookUp)) if (next === target) return true;
  return false;
}

/** Returns the names that an alias leads to, in order, while each name has exactly one alias. */
async function* followed(aliases: readonly string[], lookUp: LookUp): AsyncGenerator<string> {
  let [next] = aliases;
  let count = aliases.length;
  for (let step = 0; step < mostAliases && next !== undefined && count === 1; step += 1) {
    yield next;
    const answer = await lookUp(next, "CNAME");
    if (!answer.ok) return;
    [next] = answer.data;
    count = answer.data.length;
  }
}

/** Returns the first name in the chain with several aliases, and its aliases. */
async function severalAliases(
  name: string,
  aliases: readonly string[],
  lookUp: LookUp,
): Promise<{ readonly owner: string; readonly targets: readonly string[] } | undefined> {
  if (aliases.length > 1) return { owner: name, targets: aliases };
  for await (const owner of followed(aliases, lookUp)) {
    const answer = await lookUp(owner, "CNAME");
    if (answer.ok && answer.data.length > 1) return { owner, targets: answer.data };
  }
  return undefined;
}

/** Returns the first target in the chain that is the own target with a zone appended (no trailing dot). */
async function appendedZone(
  { name, data }: ChallengeRecord,
  aliases: readonly string[],
  lookUp: LookUp,
): Promise<{ readonly owner: string; readonly target: string; readonly zone: string } | undefined> {
  let owner = withDot(name);
  for await (const target of followed(aliases, lookUp)) {
    const zone = zoneAppendedTo(data, target, owner);
    if (zone !== undefined) return { owner, target, zone };
    owner = target;
  }
  return undefined;
}

/** Reports whether a target belongs to an authorization of Certificate Manager, with or without a zone appended. */
function isOfAuthorization(target: string, owner: string): boolean {
  const relativeTarget = ownTarget.exec(target)?.[0];
  return (
    relativeTarget !== undefined &&
    (relativeTarget === target || zoneAppendedTo(relativeTarget, target, owner) !== undefined)
  );
}

/** Returns the zone with its trailing dot. @param owner name of the record; the zone must contain it */
function zoneAppendedTo(data: string, target: string, owner: string): string | undefined {
  const recordTarget = withDot(data);
  if (!target.startsWith(recordTarget)) return undefined;
  const zone = target.slice(recordTarget.length);
  return zone !== "" && (owner === zone || owner.endsWith(`.${zone}`)) ? zone : undefined;
}

/** Reports whether a neighboring name that does not exist has the same records. */
async function isOfWildcard(
  name: string,
  type: "A" | "CNAME" | "TXT",
  data: readonly string[],
  lookUp: LookUp,
): Promise<boolean> {
  const beside = `_cert-migration-nobody-has-this${name.slice(name.indexOf("."))}`;
  const answer = await lookUp(beside, type);
  return answer.ok && JSON.stringify([...answer.data].sort()) === JSON.stringify([...data].sort());
}

/** TTL of manually published records, in seconds. The TTL is short, so that mistakes expire soon. */
const ttlSeconds = 300;

/**
 * Returns the command lines that fix a record: Terraform if it writes the record, otherwise a dynamic update (RFC 2136)
 * for zones that accept updates. Names and targets contain no shell metacharacters; {@link ChallengeRecord}s are
 * checked for that.
 */
function fixCommands(verdict: RecordVerdict, record: ChallengeRecord): readonly string[] {
  const { name, data, zone, published } = record;
  if (verdict === "published") return [];
  if (verdict === "record-unanswered") return [`dig +trace ${name} CNAME`];
  if (published !== "external" && verdict !== "record-several-cnames") {
    if (verdict !== "record-conflicting-txt") return ["terraform apply"];
    // No command for every provider deletes the TXT record.
    if (published === "custom") return [];
    const ofZone = `gcloud dns managed-zones list --filter='dnsName=${zone}.' --format='value(name)'`;
    return [`gcloud dns record-sets delete ${name} --type=TXT --zone="$(${ofZone})"`, "terraform apply"];
  }
  // The record may validate the domain for another user; a pasted command must not delete it.
  if (verdict === "record-conflicting-cname" || verdict === "record-several-cnames") return [];
  // Only the DNS host can switch its proxy off.
  if (verdict === "record-proxied") return [];
  const removed = {
    "record-missing": [],
    "record-under-wildcard": [],
    "record-doubled": [`delete ${name}${zone}. CNAME`],
    "record-target-relative": [`delete ${name} CNAME`],
    "record-wrong": [`delete ${name} CNAME`],
    "record-conflicting-txt": [`delete ${name} TXT`],
  }[verdict];
  const updates = [...removed, `add ${name} ${ttlSeconds} CNAME ${data}`].map((update) => `update ${update}`);
  return [`printf '%s\\n' ${[`zone ${zone}.`, ...updates, "send"].map((line) => `'${line}'`).join(" ")} | nsupdate`];
}
