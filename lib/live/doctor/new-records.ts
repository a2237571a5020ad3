import { withoutDot } from "../../dns";
import { textsOf } from "../../json/fields";
import { isReference, type MigrationPlan } from "../../plan";
import { lastPart } from "../../resource-names";
import type { SourceMigration, StackContents } from "../../source";

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
    return [{ project: owner, zone: lastPart(zone), name: withoutDot(name), type, data: textsOf(rrdatas) }];
  });
  return [...ofPlan, ...ofStack].filter(({ project: owner, zone, name }) => ![owner, zone, name].some(isReference));
}

/** Returns the path of the construct that synthesized a block, or an empty string. */
function pathOf(values: StackContents["resources"][number]["values"]): string {
  const { metadata } = (values["//"] ?? {}) as { readonly metadata?: { readonly path?: unknown } };
  return typeof metadata?.path === "string" ? metadata.path : "";
}
