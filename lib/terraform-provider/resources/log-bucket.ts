import { ServiceError } from "../../errors";
import { textOf, type ValueObject } from "../value";
import { type KeptRow, keptKey, keptKind } from "./kept";
import type { ResourceKind } from "./kind";

/** Time for which Cloud Logging keeps a deleted bucket in `DELETE_REQUESTED`, in milliseconds. */
const deletionMs = 7 * 24 * 3_600_000;

/**
 * Returns log buckets of a project, kept by the stand-in with the life cycle of Cloud Logging. The provider adopts an
 * existing bucket by `PATCH`. A deleted bucket keeps its name for seven days and can't be changed. After that, a
 * refresh fails.
 *
 * @param now returns milliseconds
 */
export function logBucketKind(row: KeptRow, kept: Map<string, ValueObject>, now: () => number): ResourceKind {
  const plain = keptKind(row, kept);
  const deletedAt = new Map<string, number>();
  const isGone = (key: string) => now() - (deletedAt.get(key) ?? Number.POSITIVE_INFINITY) >= deletionMs;
  const keyOf = (values: ValueObject) => keptKey(row, textOf(values, "id"));
  const refuseDeleted = (values: ValueObject, key: string) => {
    if (!deletedAt.has(key) || isGone(key)) return;
    const message = `updating ${row.type} '${textOf(values, "id")}': the log bucket is in the state DELETE_REQUESTED for seven days, and can't be changed in that time; undelete it, or use another bucket_id`;
    throw new ServiceError(message, { code: "log-bucket-deleted", status: 400, retryable: false });
  };
  return {
    ...plain,
    create: async (planned, call) => {
      const { id = null } = plain.identifyNew(planned);
      const key = keptKey(row, String(id));
      refuseDeleted({ id }, key);
      deletedAt.delete(key);
      return plain.create(planned, call);
    },
    read: async (state, call) => {
      const key = keyOf(state);
      if (isGone(key)) {
        const message = `reading ${row.type} '${textOf(state, "id")}': HTTP 404, the log bucket does not exist; remove it from the state with 'terraform state rm'`;
        throw new ServiceError(message, { code: "log-bucket-missing", status: 404, retryable: false });
      }
      if (deletedAt.has(key)) return { ...state, lifecycle_state: "DELETE_REQUESTED" };
      return plain.read(state, call);
    },
    update: async (prior, planned, call) => {
      refuseDeleted(planned, keyOf(planned));
      return plain.update(prior, planned, call);
    },
    delete: async (state) => {
      // The provider does not delete the buckets that every project has.
      if (textOf(state, "bucket_id").startsWith("_")) return;
      if (!deletedAt.has(keyOf(state))) deletedAt.set(keyOf(state), now());
    },
  };
}
