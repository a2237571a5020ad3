import { withoutDot } from "../../dns";
import type { LiveRecordSet } from "../../google";
import { canonicalAddress } from "../../hostnames";
import { isReference } from "../../plan";
import { gcloud } from "../../text/command-line";
import { type CheckResult, doctorFinding } from "./model";
import type { NewRecord } from "./new-records";

export function judgeNewRecord(record: NewRecord, live: readonly LiveRecordSet[]): CheckResult {
  const { project, zone, name, type, data } = record;
  const liveRecordSet = live.find((set) => set.name === name && set.type === type);
  if (liveRecordSet === undefined || comparable(type, liveRecordSet.data) === comparable(type, data))
    return { findings: [] };
  const exists = `${name} ${type} exists in the DNS zone ${zone} with ${liveRecordSet.data.join(", ")}`;
  if (data.some(isReference)) {
    return { findings: [], unknown: [`whether ${exists} because of an earlier apply: only Terraform knows its data`] };
  }
  const place = [`--zone=${zone}`, `--project=${project}`];
  const command = gcloud("dns record-sets describe", `${name}.`, `--type=${type}`, ...place);
  return {
    findings: [
      doctorFinding("record-overwritten", name, `${exists}, and the plan writes ${data.join(", ")}`, { command }),
    ],
  };
}

function comparable(type: string, data: readonly string[]): string {
  const isAddress = type === "A" || type === "AAAA";
  return [...new Set(data.map((value) => (isAddress ? canonicalAddress(value) : withoutDot(value))))].sort().join("\n");
}
