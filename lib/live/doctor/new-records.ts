import { bareName } from "../../dns";
import { ServiceError } from "../../errors";
import type { LiveRecordSet } from "../../google";
import { canonicalAddress } from "../../hostnames";
import { textsOf } from "../../json/fields";
import { isReference, type MigrationPlan } from "../../plan";
import { lastPart } from "../../resource-names";
import type { SourceMigration, StackContents } from "../../source";
import { gcloud } from "../../text/command-line";
import { type CheckTask, checkTask } from "./check-task";
import { type CheckResult, finding } from "./model";
import type { DoctorOptions } from "./options";

/** A record set that the first apply creates, which must not exist yet. Imported record sets are not among them. */
export interface NewRecord {
  readonly project: string;
  readonly zone: string;
  /** Without trailing dot. */
  readonly name: string;
  readonly type: string;
  /** As in the plan; may contain references, which only Terraform can resolve. */
  readonly data: readonly string[];
}

/** The records of authorizations have their own check. @param project of zones that name none */
export function newRecordsOf(
  migration: SourceMigration,
  plan: MigrationPlan | undefined,
  stack: StackContents | undefined,
  project: string | undefined,
): readonly NewRecord[] {
  const ofPlan = (plan?.traffic?.records ?? []).flatMap(({ hostname, type, data, zone, adopt }) => {
    const owner = zone?.project ?? plan?.project ?? project;
    return adopt || zone === undefined || owner === undefined
      ? []
      : [{ project: owner, zone: zone.name, name: hostname, type, data }];
  });
  const ofStack = (stack?.resources ?? []).flatMap(({ type: of, isLookedUp, importId, values, project: owner }) => {
    const { name, type, managed_zone: zone, rrdatas } = values;
    const isOwn = of === "google_dns_record_set" && !isLookedUp && pathOf(values).startsWith(`${migration.path}/`);
    if (!isOwn || importId !== undefined || owner === undefined) return [];
    if (typeof name !== "string" || typeof type !== "string" || typeof zone !== "string") return [];
    return [{ project: owner, zone: lastPart(zone), name: bareName(name), type, data: textsOf(rrdatas) }];
  });
  return [...ofPlan, ...ofStack].filter(({ project: owner, zone, name }) => ![owner, zone, name].some(isReference));
}

/** Returns the path of the construct that synthesized a block, or an empty string. */
function pathOf(values: StackContents["resources"][number]["values"]): string {
  const { metadata } = (values["//"] ?? {}) as { readonly metadata?: { readonly path?: unknown } };
  return typeof metadata?.path === "string" ? metadata.path : "";
}

export function newRecordCheckTasks(
  records: readonly NewRecord[],
  { google, signal }: DoctorOptions,
): readonly CheckTask[] {
  return records.map((record) => {
    const { project, zone, name, type } = record;
    return checkTask("records", `${name} ${type}`, async () => {
      try {
        return judgeNewRecord(record, await google.recordSets(project, { zone, name, type }, signal));
      } catch (error) {
        // The check of references reports a missing zone.
        if (error instanceof ServiceError && error.status === 404) return { findings: [] };
        throw error;
      }
    });
  });
}

function judgeNewRecord(record: NewRecord, live: readonly LiveRecordSet[]): CheckResult {
  const { project, zone, name, type, data } = record;
  const there = live.find((set) => set.name === name && set.type === type);
  if (there === undefined || comparable(type, there.data) === comparable(type, data)) return { findings: [] };
  const exists = `${name} ${type} exists in the DNS zone ${zone} with ${there.data.join(", ")}`;
  if (data.some(isReference)) {
    return { findings: [], unknown: [`whether ${exists} because of an earlier apply: only Terraform knows its data`] };
  }
  const place = [`--zone=${zone}`, `--project=${project}`];
  const command = gcloud("dns record-sets describe", `${name}.`, `--type=${type}`, ...place);
  return {
    findings: [finding("record-overwritten", name, `${exists}, and the plan writes ${data.join(", ")}`, { command })],
  };
}

function comparable(type: string, data: readonly string[]): string {
  const isAddress = type === "A" || type === "AAAA";
  return [...new Set(data.map((one) => (isAddress ? canonicalAddress(one) : bareName(one))))].sort().join("\n");
}
