import { mapConcurrently } from "../../async/concurrent";
import { type LookUp, withDot } from "../../dns";
import type { RecordVerdict } from "./codes";
import { mendCommands } from "./mend";
import type { ChallengeRecord } from "./records";

export interface RecordCheck {
  readonly record: ChallengeRecord;
  readonly verdict: RecordVerdict;
  /** What DNS has instead; untrusted. */
  readonly found: readonly string[];
  /** What to do; absent where nothing is. */
  readonly fix?: string;
  /** Command lines that do it, one after the other; empty where nobody can say one. */
  readonly commands: readonly string[];
}

const ownTarget = /^.+\.authorize\.certificatemanager\.goog\./;
/** Certificate Manager follows aliases as a resolver does; who delegates a challenge on and on has made a loop. */
const mostAliases = 8;

/**
 * Asks DNS for each record, so many at a time.
 *
 * @param onCheck told of each of them as it is known
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

/** Asks DNS for one record, and where it is not there, for what is in its way. */
export async function checkRecord(record: ChallengeRecord, lookUp: LookUp): Promise<RecordCheck> {
  const { name, data } = record;
  const publishAt = (owner: string) => `publish ${owner} CNAME ${data}`;
  const publish = publishAt(name);
  const say = (verdict: RecordVerdict, found: readonly string[], fix: string): RecordCheck => {
    return { record, verdict, found, fix, commands: mendCommands(verdict, record) };
  };
  const unanswered = (detail: string) =>
    say("record-unanswered", [detail], "ask again; where it stays so, mend the zone's delegation or name servers");

  const aliases = await lookUp(name, "CNAME");
  if (!aliases.ok) return unanswered(aliases.detail);
  if (await leadsTo(withDot(data), aliases.data, lookUp))
    return { record, verdict: "published", found: [], commands: [] };
  const missing = `${publish}${
    record.published === "cloudDns"
      ? "; Terraform writes it, so apply, and see that the zone is the one that is delegated to"
      : ""
  }`;
  if (aliases.data.length > 0) {
    if (await isOfWildcard(name, "CNAME", aliases.data, lookUp)) {
      return say(
        "record-under-wildcard",
        aliases.data,
        `${missing}; it outweighs the wildcard record that answers now`,
      );
    }
    const appended = await appendedZone(record, aliases.data, lookUp);
    if (appended !== undefined) {
      const { owner, target, zone } = appended;
      const what = `the target of ${owner} lacks its trailing dot, so that the zone ${zone} was appended`;
      const check = say("record-target-relative", [target], `${what}; replace it: ${publishAt(owner)}, with the dot`);
      // Whoever delegated the name elsewhere has to correct the record there.
      return owner === withDot(name) ? check : { ...check, commands: [] };
    }
    if (aliases.data.every((target) => isOfAuthorization(target, withDot(name)))) {
      return say("record-wrong", aliases.data, `replace its target: ${publish}`);
    }
    const fix = `somebody else renews certificates by it: use authorizationType PER_PROJECT_RECORD, which has a name of its own, or once the other no longer renews, ${publish}`;
    return say("record-conflicting-cname", aliases.data, fix);
  }
  const texts = await lookUp(name, "TXT");
  if (!texts.ok) return unanswered(texts.detail);
  if (texts.data.length > 0 && !(await isOfWildcard(name, "TXT", texts.data, lookUp))) {
    const fix = `a TXT record is left there by another authority: remove it, then ${publish}; or use authorizationType PER_PROJECT_RECORD`;
    return say("record-conflicting-txt", texts.data, fix);
  }
  const doubled = `${name}${record.zone}.`;
  const twice = await lookUp(doubled, "CNAME");
  const isDoubled = (target: string) => target === withDot(data) || zoneAppendedTo(data, target, doubled) !== undefined;
  if (twice.ok && twice.data.some(isDoubled)) {
    const fix = `it is published as ${doubled}: type '${record.relativeName}' where the zone is added by itself, or keep the trailing dot`;
    return say("record-doubled", [doubled], fix);
  }
  return say("record-missing", [], missing);
}

/** Whether a name's one alias is the target, or leads to it by others. */
async function leadsTo(target: string, aliases: readonly string[], lookUp: LookUp): Promise<boolean> {
  for await (const next of followed(aliases, lookUp)) if (next === target) return true;
  return false;
}

/** The names that an alias leads to, one after the other, as long as each has one alias alone. */
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

/** The first target on the way that is the record's own with a zone appended to it, as name servers do with a target that lacks its trailing dot. */
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

/** Whether a target is that of an authorization of Certificate Manager, with or without a zone appended. */
function isOfAuthorization(target: string, owner: string): boolean {
  const own = ownTarget.exec(target)?.[0];
  return own !== undefined && (own === target || zoneAppendedTo(own, target, owner) !== undefined);
}

/** @param owner the record's name: what was appended is a zone that has it. @returns the zone, with its trailing dot */
function zoneAppendedTo(data: string, target: string, owner: string): string | undefined {
  const own = withDot(data);
  if (!target.startsWith(own)) return undefined;
  const zone = target.slice(own.length);
  return zone !== "" && (owner === zone || owner.endsWith(`.${zone}`)) ? zone : undefined;
}

/** Whether a name beside this one, which nobody has made, has the same records. */
async function isOfWildcard(
  name: string,
  type: "CNAME" | "TXT",
  data: readonly string[],
  lookUp: LookUp,
): Promise<boolean> {
  const beside = `_cert-migration-nobody-has-this${name.slice(name.indexOf("."))}`;
  const answer = await lookUp(beside, type);
  return answer.ok && JSON.stringify([...answer.data].sort()) === JSON.stringify([...data].sort());
}
