import { CloudError } from "../cloud-error";
import { applyMask, invalidField, type Json } from "../front";

/** A store of log entries. Only its settings are kept: the cloud writes no entries. */
export interface LogBucket extends Json {
  /** As in `projects/p1/locations/global/buckets/b1`. */
  readonly name: string;
  readonly lifecycleState: "ACTIVE" | "DELETE_REQUESTED";
  readonly retentionDays: number;
}

/** A bucket as it is kept. */
export interface KeptBucket {
  readonly bucket: LogBucket;
  /** When its deletion was asked for, in milliseconds of the cloud's time. */
  readonly deletedAtMs?: number;
}

/** How long a deleted bucket keeps its name (seven days in `DELETE_REQUESTED`, by field notes on the provider). */
export const keptAfterDeletionMs = 7 * 24 * 3_600_000;

/** Buckets that every project has, in the location global. */
const ownBuckets: Readonly<Record<string, Partial<LogBucket>>> = {
  _Default: { description: "Default bucket", retentionDays: 30 },
  _Required: { description: "Audit bucket", retentionDays: 400, locked: true },
};
const usualRetentionDays = 30;
const retention = { least: 1, most: 3_650 };
const mutable = [
  "description",
  "retentionDays",
  "locked",
  "restrictedFields",
  "indexConfigs",
  "cmekSettings",
  "analyticsEnabled",
];

/** A bucket that a project has without making it; undefined for any other name. */
export function ownBucket(name: string): LogBucket | undefined {
  const [, location, id = ""] = /\/locations\/([^/]+)\/buckets\/([^/]+)$/.exec(name) ?? [];
  const found = location === "global" && Object.hasOwn(ownBuckets, id) ? ownBuckets[id] : undefined;
  return found === undefined
    ? undefined
    : { name, lifecycleState: "ACTIVE", retentionDays: usualRetentionDays, ...found };
}

/** Names of the buckets that a location has by itself. @param parent as in `projects/p1/locations/global` */
export function ownBucketNames(parent: string): readonly string[] {
  return parent.endsWith("/locations/global") ? Object.keys(ownBuckets).map((id) => `${parent}/buckets/${id}`) : [];
}

export function newBucket(name: string, body: Json, now: string): LogBucket {
  const id = name.split("/").at(-1) ?? "";
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(id))
    throw invalidField(
      "bucket_id",
      "1 to 100 letters, digits, underscores, hyphens and periods are needed, the first a letter or digit",
    );
  const retentionDays = Number(body.retentionDays ?? 0) || usualRetentionDays;
  const bucket = {
    ...filled(body),
    name,
    retentionDays,
    lifecycleState: "ACTIVE",
    createTime: now,
    updateTime: now,
  } as const;
  checkRetention(bucket);
  return bucket;
}

/** A bucket after a change. @throws CloudError for what never changes, and for a bucket that is being deleted */
export function changedBucket(
  before: LogBucket,
  body: Json,
  mask: string,
  now: string,
  shape: Parameters<typeof applyMask>[4],
): LogBucket {
  if (before.lifecycleState !== "ACTIVE")
    throw new CloudError(
      "FAILED_PRECONDITION",
      `Buckets must be in an ACTIVE state to be modified: ${before.name} is ${before.lifecycleState}`,
    );
  if (before.name.endsWith("/_Required")) throw invalidField("name", "the bucket _Required can't be changed");
  const after = applyMask(before, body, mask, mutable, shape) as LogBucket;
  if (before.locked === true && (after.locked !== true || after.retentionDays !== before.retentionDays))
    throw new CloudError("FAILED_PRECONDITION", `${before.name} is locked: its retention can't be changed any more`);
  if (before.analyticsEnabled === true && after.analyticsEnabled !== true)
    throw invalidField("analytics_enabled", "it can't be turned off any more");
  checkRetention(after);
  return { ...(filled(after) as LogBucket), updateTime: now };
}

function checkRetention({ retentionDays }: LogBucket): void {
  if (retentionDays >= retention.least && retentionDays <= retention.most) return;
  throw invalidField("retention_days", `it is ${retentionDays}; ${retention.least} to ${retention.most} are allowed`);
}

/** Without members that say nothing, as answers are. */
function filled(body: Json): Json {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== "" &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );
}
