import { CloudError } from "./cloud-error";
import type { Call, Json } from "./front";
import type { Clock, Store } from "./state";

/**
 * Duration of operations, in milliseconds of the cloud's time: a constant, or a function that is called with the id of
 * the method that begins an operation, for example `compute.addresses.insert`.
 */
export type OperationTime = number | ((methodId: string) => number);

/** Returns the duration of an operation that a method begins now, in milliseconds of the cloud's time. */
export function timeOf(operationTime: OperationTime, methodId: string): number {
  return typeof operationTime === "number" ? operationTime : operationTime(methodId);
}

/** What every service needs. */
export interface ServiceOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly operationMs: OperationTime;
  /** Returns an error that makes an operation fail; nothing changes then. @default - no operation fails */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
}

/** A stored operation. Its response is known at its start; only `done` depends on the time. */
interface StoredOperation {
  readonly response: Json;
  /** End in milliseconds since 1970, of the cloud's time. */
  readonly doneAt: number;
}

interface PlainOperationsOptions extends Omit<ServiceOptions, "failOperation"> {
  /** Collection in which the operations are stored, for example `logging.operations`. */
  readonly collection: string;
}

/** Long-running operations of completed changes, without metadata. */
interface PlainOperations {
  /** Starts an operation. @param response result of the change, with its `@type` */
  start(methodId: string, name: string, response: Json): Json;
  /** Returns an operation in its present state. @throws CloudError if it does not exist */
  get(name: string): Json;
}

/** Maximum number of stored operations; beyond it, each new operation removes the oldest. */
const mostKept = 10_000;

export function createPlainOperations(options: PlainOperationsOptions): PlainOperations {
  const { clock, operationMs } = options;
  const kept = options.store.collection<StoredOperation>(options.collection);
  const get = (name: string): Json => {
    const operation = kept.get(name);
    if (operation === undefined) throw new CloudError("NOT_FOUND", `the operation ${name} does not exist`);
    const isDone = clock.now().getTime() >= operation.doneAt;
    return isDone ? { name, done: true, response: operation.response } : { name };
  };
  return {
    start(methodId, name, response) {
      kept.set(name, { response, doneAt: clock.now().getTime() + timeOf(operationMs, methodId) });
      const oldest = kept.size > mostKept ? kept.entries().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest[0]);
      return get(name);
    },
    get,
  };
}
