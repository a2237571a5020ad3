import { CloudError, foundOrThrow } from "./cloud-error";
import type { Call, Json } from "./front";
import type { Clock, Collection, Store } from "./state";

/**
 * Duration of operations, in milliseconds of the cloud's time: a constant, or a function that is called with the id of
 * the method that begins an operation, for example `compute.addresses.insert`.
 */
export type OperationTime = number | ((methodId: string) => number);

/** Returns the duration of an operation that a method begins now, in milliseconds of the cloud's time. */
export function operationTimeOf(operationTime: OperationTime, methodId: string): number {
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

/** Start and end of an operation in milliseconds since 1970, of the cloud's time. The end is known at the start. */
export interface OperationTimes {
  readonly startedAt: number;
  readonly doneAt: number;
}

/** Maximum number of stored operations; beyond it, each new operation removes the oldest one that is done. */
const mostKept = 10_000;

/** The long-running operations of a service. Their changes are complete when they start; only `done` takes time. */
export interface OperationStore<Operation extends OperationTimes> {
  /**
   * Stores an operation that a method begins now.
   *
   * @param describe returns the key of the operation, and its times with what the service adds
   */
  begin(
    methodId: string,
    describe: (times: OperationTimes) => { readonly key: string; readonly operation: Operation },
  ): Operation;
  readonly kept: Collection<Operation>;
  isDone(operation: Operation): boolean;
}

/** @param collection collection of the store, for example `logging.operations` */
export function createOperationStore<Operation extends OperationTimes>(
  { store, clock, operationMs }: Pick<ServiceOptions, "store" | "clock" | "operationMs">,
  collection: string,
): OperationStore<Operation> {
  const kept = store.collection<Operation>(collection);
  const isDone = ({ doneAt }: Operation) => clock.now().getTime() >= doneAt;
  return {
    kept,
    isDone,
    begin(methodId, describe) {
      const startedAt = clock.now().getTime();
      const { key, operation } = describe({ startedAt, doneAt: startedAt + operationTimeOf(operationMs, methodId) });
      kept.set(key, operation);
      for (const [oldestKey, oldest] of kept.entries()) {
        if (kept.size <= mostKept || !isDone(oldest)) break;
        kept.delete(oldestKey);
      }
      return operation;
    },
  };
}

interface PlainOperation extends OperationTimes {
  readonly response: Json;
}

/** Long-running operations without metadata. */
interface PlainOperations {
  /** Starts an operation. @param response result of the change, with its `@type` */
  start(methodId: string, name: string, response: Json): Json;
  /** Returns an operation in its present state. @throws CloudError if it does not exist */
  get(name: string): Json;
}

/** @param options.collection collection in which the operations are stored, for example `logging.operations` */
export function createPlainOperations(
  options: Omit<ServiceOptions, "failOperation"> & { readonly collection: string },
): PlainOperations {
  const { kept, begin, isDone } = createOperationStore<PlainOperation>(options, options.collection);
  const get = (name: string): Json => {
    const missing = () => new CloudError("NOT_FOUND", `the operation ${name} does not exist`);
    const operation = foundOrThrow(kept.get(name), missing);
    return isDone(operation) ? { name, done: true, response: operation.response } : { name };
  };
  return {
    start(methodId, name, response) {
      begin(methodId, (times) => ({ key: name, operation: { response, ...times } }));
      return get(name);
    },
    get,
  };
}
