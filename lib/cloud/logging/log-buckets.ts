import { lastPart, locationIn } from "../../resource-names";
import { CloudError } from "../cloud-error";
import { applyMask, invalidField, type Json } from "../front";

/** A log bucket. Only its settings are stored; the cloud writes no log entries. */
export interface LogBucket extends Json {
  /** For example `projects/p1/locations/global/buckets/b1`. */
  readonly name: string;
  readonly lifecycleState: "ACTIVE" | "DELETE_REQUESTED";
  readonly retentionDays: number;
}

/** A stored bucket. */
export interface KeptBucket {
  readonly bucket: LogBucket;
  /** Time of its deletion request, in milliseconds of the cloud's time. */
  readonly deletedAtMs?: number;
}

/**
 * Time for which a deleted bucket keeps its name, in milliseconds (seven days in `DELETE_REQUESTED`, according to field
 * notes on the provider).
 */
export const keptAfterDeletionMs = 7 * 24 * 3_600_000;

/** Default buckets of every project, in the location global. */
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

/** Returns a default bucket of a project; undefined for any other name. */
export function ownBucket(name: string): LogBucket | undefined {
  const id = lastPart(name);
  const found = locationIn(name) === "global" && Object.hasOwn(ownBuckets, id) ? ownBuckets[id] : undefined;
  return found === undefined
    ? undefined
    : { name, lifecycleState: "ACTIVE", retentionDays: usualRetentionDays, ...found };
}

/** Returns the names of a location's default buckets. @param parent for example `projects/p1/locations/global` */
export function ownBucketNames(parent: string): readonly string[] {
  return locationIn(parent) === "global" ? Object.keys(ownBuckets).map((id) => `${parent}/buckets/${id}`) : [];
}

export function newBucket(name: string, body: Json, now: string): LogBucket {
  const id = lastPart(name);
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

/** Returns a bucket after a change. @throws CloudError for an immutable field, and for a bucket in deletion */
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
    throw new CloudError("FAILED_PRECONDITION", `${before.name} is locked: its retention can no longer be changed`);
  if (before.analyticsEnabled === true && after.analyticsEnabled !== true)
    throw invalidField("analytics_enabled", "it can no longer be turned off");
  checkRetention(after);
  return { ...(filled(after) as LogBucket), updateTime: now };
}

function checkRetention({ retentionDays }: LogBucket): void {
  if (retentionDays >= retention.least && retentionDays <= retention.most) return;
  throw invalidField("retention_days", `it is ${retentionDays}; ${retention.least} to ${retention.most} are allowed`);
}

/** Returns a body without empty members, as in answers. */
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
