import { mapConcurrently } from "../concurrent";
import { type LookUp, withDot } from "../dns";
import type { ChallengeRecord } from "./records";

/** What is wrong with a record, by code; `published` is nothing. */
export const recordVerdicts = {
  published: "the record is there, as it should be",
  "record-missing": "there is no record of that name",
  "record-doubled": "the record is there under a name that has the zone twice",
  "record-wrong": "the name leads to another authorization",
  "record-conflicting-cname": "the name leads elsewhere: somebody else proves the domain by it",
  "record-conflicting-txt": "the name has a TXT record, beside which no CNAME can be",
  "record-unanswered": "DNS did not answer",
} as const;

export type RecordVerdict = keyof typeof recordVerdicts;

export interface RecordCheck {
  readonly record: ChallengeRecord;
  readonly verdict: RecordVerdict;
  /** What DNS has instead; untrusted. */
  readonly found: readonly string[];
  /** What to do; absent where nothing is. */
  readonly fix?: string;
}

const ownTargets = /\.authorize\.certificatemanager\.goog\.$/;

/** Asks DNS for each record, so many at a time. */
export function checkRecords(
  records: readonly ChallengeRecord[],
  lookUp: LookUp,
  concurrency = 32,
): Promise<readonly RecordCheck[]> {
  return mapConcurrently(records, concurrency, (record) => checkRecord(record, lookUp));
}

/** Asks DNS for one record, and where it is not there, for what is in its way. */
export async function checkRecord(record: ChallengeRecord, lookUp: LookUp): Promise<RecordCheck> {
  const { name, data } = record;
  const publish = `publish ${name} CNAME ${data}`;
  const aliases = await lookUp(name, "CNAME");
  if (!aliases.ok) return unanswered(record, aliases.detail);
  if (aliases.data.length === 1 && aliases.data[0] === withDot(data))
    return { record, verdict: "published", found: [] };
  if (aliases.data.length > 0) {
    const own = aliases.data.every((target) => ownTargets.test(target));
    const fix = own
      ? `replace its target: ${publish}`
      : `somebody else renews certificates by it: use authorizationType PER_PROJECT_RECORD, which has a name of its own, or once the other no longer renews, ${publish}`;
    return { record, verdict: own ? "record-wrong" : "record-conflicting-cname", found: aliases.data, fix };
  }
  const texts = await lookUp(name, "TXT");
  if (!texts.ok) return unanswered(record, texts.detail);
  if (texts.data.length > 0) {
    const fix = `a TXT record is left there by another authority: remove it, then ${publish}; or use authorizationType PER_PROJECT_RECORD`;
    return { record, verdict: "record-conflicting-txt", found: texts.data, fix };
  }
  const doubled = `${name}${record.zone}.`;
  const twice = await lookUp(doubled, "CNAME");
  if (twice.ok && twice.data.includes(withDot(data))) {
    const fix = `it is published as ${doubled}: type '${record.relativeName}' where the zone is added by itself, or keep the trailing dot`;
    return { record, verdict: "record-doubled", found: [doubled], fix };
  }
  const terraform =
    record.published === "cloudDns"
      ? "; Terraform writes it, so apply, and see that the zone is the one that is delegated to"
      : "";
  return { record, verdict: "record-missing", found: [], fix: `${publish}${terraform}` };
}

function unanswered(record: ChallengeRecord, detail: string): RecordCheck {
  const fix = "ask again; where it stays so, mend the zone's delegation or name servers";
  return { record, verdict: "record-unanswered", found: [detail], fix };
}
