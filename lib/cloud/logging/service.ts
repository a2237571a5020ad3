import { randomUUID } from "node:crypto";
import { ownDescription } from "../../discovery";
import { CloudError } from "../cloud-error";
import {
  type Call,
  type CloudService,
  type Handler,
  type Json,
  listPage,
  listRequestOf,
  textParameter,
} from "../front";
import type { OperationTime } from "../operation-time";
import { createPlainOperations } from "../plain-operations";
import type { Clock, Store } from "../state";
import {
  changedBucket,
  type KeptBucket,
  keptAfterDeletionMs,
  type LogBucket,
  newBucket,
  ownBucket,
  ownBucketNames,
} from "./log-buckets";

const prefix = "logging.projects.locations";

/**
 * Creates Cloud Logging with its buckets only; buckets store no entries.
 *
 * @param operationMs duration of operations, in milliseconds of the cloud's time
 */
export function createLoggingService(store: Store, clock: Clock, operationMs: OperationTime): CloudService {
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
    const own = ownBucket(name);
    return own === undefined ? undefined : { bucket: own };
  };
  const get = (call: Call): KeptBucket => {
    const name = textParameter(call, "name");
    const found = find(name);
    if (found === undefined) throw new CloudError("NOT_FOUND", `Bucket \`${name}\` does not exist`);
    return found;
  };
  const create = (call: Call): LogBucket => {
    const name = `${textParameter(call, "parent")}/buckets/${textParameter(call, "bucketId")}`;
    const bucket = newBucket(name, call.body, now());
    const there = find(name);
    if (there !== undefined)
      throw new CloudError(
        "ALREADY_EXISTS",
        `Bucket \`${name}\` already exists, in the state ${there.bucket.lifecycleState}`,
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
    const { items, ...next } = listPage(
      inIt.flatMap((name) => find(name)?.bucket ?? []),
      listRequestOf(call, "pageSize"),
      { defaultSize: 100, mostSize: 1_000, keyOf: ({ name }) => String(name) },
    );
    return { buckets: items, ...next };
  };
  /** Returns a handler that performs a change and returns its operation. */
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
    handlers: new Map<string, Handler>([
      [`${prefix}.buckets.create`, create],
      [`${prefix}.buckets.createAsync`, inOperation(create)],
      [`${prefix}.buckets.delete`, remove],
      [`${prefix}.buckets.get`, (call) => get(call).bucket],
      [`${prefix}.buckets.list`, list],
      [`${prefix}.buckets.patch`, update],
      [`${prefix}.buckets.undelete`, undelete],
      [`${prefix}.buckets.updateAsync`, inOperation(update)],
      [`${prefix}.operations.get`, (call) => operations.get(textParameter(call, "name"))],
    ]),
  };
}
