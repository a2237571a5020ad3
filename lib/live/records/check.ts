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

const ownTargets = /\.authorize\.certificatemanager\.goog\.$/;
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
  const publish = `publish ${name} CNAME ${data}`;
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
    if (aliases.data.every((target) => ownTargets.test(target))) {
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
  if (twice.ok && twice.data.includes(withDot(data))) {
    const fix = `it is published as ${doubled}: type '${record.relativeName}' where the zone is added by itself, or keep the trailing dot`;
    return say("record-doubled", [doubled], fix);
  }
  return say("record-missing", [], missing);
}

/** Whether a name's one alias is the target, or leads to it by others. */
async function leadsTo(target: string, aliases: readonly string[], lookUp: LookUp): Promise<boolean> {
  let [next] = aliases;
  let count = aliases.length;
  for (let step = 0; step < mostAliases && next !== undefined && count === 1; step += 1) {
    if (next === target) return true;
    const answer = await lookUp(next, "CNAME");
    if (!answer.ok) return false;
    [next] = answer.data;
    count = answer.data.length;
  }
  return false;
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
