import type { RecordVerdict } from "./codes";
import type { ChallengeRecord } from "./records";

/** TTL of manually published records, in seconds. The TTL is short, so that mistakes expire soon. */
const ttlSeconds = 300;

/**
 * Returns the command lines that fix a record: Terraform if it writes the record, otherwise a dynamic update (RFC 2136)
 * for zones that accept updates. Names and targets contain no shell metacharacters; {@link ChallengeRecord}s are
 * checked for that.
 */
export function fixCommands(verdict: RecordVerdict, record: ChallengeRecord): readonly string[] {
  const { name, data, zone, published } = record;
  if (verdict === "published") return [];
  if (verdict === "record-unanswered") return [`dig +trace ${name} CNAME`];
  if (published === "cloudDns") {
    if (verdict !== "record-conflicting-txt") return ["terraform apply"];
    const ofZone = `gcloud dns managed-zones list --filter='dnsName=${zone}.' --format='value(name)'`;
    return [`gcloud dns record-sets delete ${name} --type=TXT --zone="$(${ofZone})"`, "terraform apply"];
  }
  // The record may validate the domain for another user; a pasted command must not delete it.
  if (verdict === "record-conflicting-cname") return [];
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
