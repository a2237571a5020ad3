import { randomUUID } from "node:crypto";
import { ownDescription } from "../discovery";
import { lastPart, locationIn } from "../resource-names";
import { CloudError, foundOrThrow } from "./cloud-error";
import {
  applyMask,
  type Call,
  type CloudService,
  type Handler,
  invalidField,
  type Json,
  listNamed,
  textParameter,
} from "./front";
import type { LogEntries } from "./log-entries";
import type { OperationTime } from "./operations";
import { createPlainOperations } from "./operations";
import type { Clock, Store } from "./state";

/** A log bucket. Only its settings are stored: entries are kept for the project as a whole. */
interface LogBucket extends Json {
  /** For example `projects/p1/locations/global/buckets/b1`. */
  readonly name: string;
  readonly lifecycleState: "ACTIVE" | "DELETE_REQUESTED";
  readonly retentionDays: number;
}

interface KeptBucket {
  readonly bucket: LogBucket;
  /** Time of its deletion request, in milliseconds of the cloud's time. */
  readonly deletedAtMs?: number;
}

/** Milliseconds for which a deleted bucket keeps its name: seven days, by field notes on the provider. */
const keptAfterDeletionMs = 7 * 24 * 3_600_000;

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
function ownBucket(name: string): LogBucket | undefined {
  const id = lastPart(name);
  const found = locationIn(name) === "global" && Object.hasOwn(ownBuckets, id) ? ownBuckets[id] : undefined;
  return found === undefined
    ? undefined
    : { name, lifecycleState: "ACTIVE", retentionDays: usualRetentionDays, ...found };
}

/** Returns the names of a location's default buckets. @param parent for example `projects/p1/locations/global` */
function ownBucketNames(parent: string): readonly string[] {
  return locationIn(parent) === "global" ? Object.keys(ownBuckets).map((id) => `${parent}/buckets/${id}`) : [];
}

function newBucket(name: string, body: Json, now: string): LogBucket {
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
function changedBucket(
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

const prefix = "logging.projects.locations";

/** Creates Cloud Logging with buckets and the query of entries; buckets store no entries of their own. */
export function createLoggingService(
  store: Store,
  clock: Clock,
  operationMs: OperationTime,
  entries: LogEntries,
): CloudService {
  const description = ownDescription("logging:v2");
  const kept = store.collection<KeptBucket>("logging.buckets");
  const operations = createPlainOperations({ store, clock, operationMs, collection: "logging.operations" });
  const shape = { description, schema: { $ref: "LogBucket" } };
  const now = () => clock.now().toISOString();

  /** Returns a stored bucket; undefined after its deletion period. */
  const find = (name: string): KeptBucket | undefined => {
    const found = kept.get(name);
    const isExpired =
      found?.deletedAtMs !== undefined && clock.now().getTime() >= found.deletedAtMs + keptAfterDeletionMs;
    if (isExpired) kept.delete(name);
    if (found !== undefined && !isExpired) return found;
    const bucketOfProject = ownBucket(name);
    return bucketOfProject === undefined ? undefined : { bucket: bucketOfProject };
  };
  const get = (call: Call): KeptBucket => {
    const name = textParameter(call, "name");
    return foundOrThrow(find(name), () => new CloudError("NOT_FOUND", `Bucket \`${name}\` does not exist`));
  };
  const create = (call: Call): LogBucket => {
    const name = `${textParameter(call, "parent")}/buckets/${textParameter(call, "bucketId")}`;
    const bucket = newBucket(name, call.body, now());
    const existing = find(name);
    if (existing !== undefined)
      throw new CloudError(
        "ALREADY_EXISTS",
        `Bucket \`${name}\` already exists, in the state ${existing.bucket.lifecycleState}`,
      );
    kept.set(name, { bucket });
    return bucket;
  };
  const update = (call: Call): LogBucket => {
    const { bucket } = get(call);
    const after = changedBucket(bucket, call.body, textParameter(call, "updateMask"), now(), shape);
    kept.set(bucket.name, { bucket: after });
    return after;
  };
  const remove = (call: Call): Json => {
    const { bucket } = get(call);
    if (ownBucket(bucket.name) !== undefined)
      throw new CloudError("INVALID_ARGUMENT", `${bucket.name} can't be deleted`);
    if (bucket.lifecycleState === "ACTIVE")
      kept.set(bucket.name, {
        bucket: { ...bucket, lifecycleState: "DELETE_REQUESTED", updateTime: now() },
        deletedAtMs: clock.now().getTime(),
      });
    return {};
  };
  const undelete = (call: Call): Json => {
    const { bucket } = get(call);
    if (bucket.lifecycleState !== "DELETE_REQUESTED")
      throw new CloudError("FAILED_PRECONDITION", `${bucket.name} is not being deleted`);
    kept.set(bucket.name, { bucket: { ...bucket, lifecycleState: "ACTIVE", updateTime: now() } });
    return {};
  };
  const list = (call: Call): Json => {
    const parent = textParameter(call, "parent");
    const names = [...ownBucketNames(parent), ...[...kept.entries()].map(([name]) => name)];
    const inIt = [...new Set(names)].filter((name) => name.startsWith(`${parent}/buckets/`));
    return listNamed(
      call,
      "buckets",
      inIt.flatMap((name) => find(name)?.bucket ?? []),
    );
  };
  const inOperation = (change: (call: Call) => LogBucket): Handler => {
    return (call) => {
      const bucket = change(call);
      const [location = ""] = bucket.name.split("/buckets/");
      const response = { "@type": "type.googleapis.com/google.logging.v2.LogBucket", ...bucket };
      return operations.start(call.method.id, `${location}/operations/${randomUUID()}`, response);
    };
  };
  return {
    description,
    errors: "status",
    handlers: {
      "logging.entries.list": (call) => entries.list(call),
      [`${prefix}.buckets.create`]: create,
      [`${prefix}.buckets.createAsync`]: inOperation(create),
      [`${prefix}.buckets.delete`]: remove,
      [`${prefix}.buckets.get`]: (call) => get(call).bucket,
      [`${prefix}.buckets.list`]: list,
      [`${prefix}.buckets.patch`]: update,
      [`${prefix}.buckets.undelete`]: undelete,
      [`${prefix}.buckets.updateAsync`]: inOperation(update),
      [`${prefix}.operations.get`]: (call) => operations.get(textParameter(call, "name")),
    },
  };
}
