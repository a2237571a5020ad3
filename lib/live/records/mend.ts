import type { RecordVerdict } from "./codes";
import type { ChallengeRecord } from "./records";

/** Time to live of what is published by hand, in seconds: mistakes in it are soon forgotten. */
const ttlSeconds = 300;

/**
 * Command lines that mend a record: Terraform's where it writes the record, else a dynamic update (RFC 2136) for zones that take one. Names and targets hold nothing
 * that a shell would read as something else: {@link ChallengeRecord}s are held to that.
 */
export function mendCommands(verdict: RecordVerdict, record: ChallengeRecord): readonly string[] {
  const { name, data, zone, published } = record;
  if (verdict === "published") return [];
  if (verdict === "record-unanswered") return [`dig +trace ${name} CNAME`];
  if (published === "cloudDns") {
    if (verdict !== "record-conflicting-txt") return ["terraform apply"];
    const ofZone = `gcloud dns managed-zones list --filter='dnsName=${zone}.' --format='value(name)'`;
    return [`gcloud dns record-sets delete ${name} --type=TXT --zone="$(${ofZone})"`, "terraform apply"];
  }
  // What proves the domain for somebody else is not taken away by a command that is pasted in haste.
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
