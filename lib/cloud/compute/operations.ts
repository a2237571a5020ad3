import { STATUS_CODES } from "node:http";
import { writeComputeScope } from "../../resource-names";
import { CloudError, foundOrThrow } from "../cloud-error";
import { type Call, type Handlers, type Json, textParameter } from "../front";
import { createOperationStore, type OperationTimes, type ServiceOptions } from "../operations";
import { regions } from "../projects";
import { indexBy } from "../state";
import { aggregatedAnswer, computeErrors, computeListAnswer } from "./answers";
import { decimalId, type Ids, linkTo, resourcePath, type Scope, scopeOf } from "./links";
import { compact } from "./resources";

/** The resource that an operation changes. */
interface OperationTarget {
  readonly link: string;
  readonly id: string;
}

interface ComputeOperation extends OperationTimes {
  readonly path: string;
  readonly scope: Scope;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly target: OperationTarget;
  readonly user: string;
  readonly failure?: { readonly httpStatus: number; readonly code: string; readonly message: string };
}

interface ComputeOperationsOptions extends Pick<ServiceOptions, "store" | "clock" | "operationMs"> {
  readonly ids: Ids;
  /** Maximum duration of a `wait` call, in milliseconds of the machine's time. */
  readonly longestWaitMs: number;
}

export interface ComputeOperations {
  /** Starts an operation. @param failure error with which the operation will end */
  start(call: Call, scope: Scope, target: OperationTarget, failure: CloudError | undefined): ComputeOperation;
  get(path: string): ComputeOperation | undefined;
  describe(operation: ComputeOperation): Json;
  /** Ends all `wait` calls. */
  release(): void;
  readonly handlers: Handlers;
}

export function createComputeOperations(options: ComputeOperationsOptions): ComputeOperations {
  const { clock, ids, longestWaitMs } = options;
  const { kept, begin, isDone } = createOperationStore<ComputeOperation>(options, "compute.operations");
  const inScope = indexBy(kept, ({ scope }) => [writeComputeScope(scope), scope.project]);
  const waiting = new Set<() => void>();
  const describe = (operation: ComputeOperation) => describeAt(operation, clock.now().getTime());

  const find = (call: Call): ComputeOperation => {
    const scope = scopeOfCall(call);
    const name = textParameter(call, "operation");
    const path = resourcePath(scope, "operations", name);
    const found = kept.get(path) ?? inScope(writeComputeScope(scope)).find(({ id }) => id === name);
    return foundOrThrow(found, () => computeErrors.notFound(path));
  };
  /** Returns the operation when it is done, or when the wait ends. */
  const wait = (operation: ComputeOperation): Promise<Json> =>
    new Promise((resolve) => {
      const finish = () => {
        stopClock();
        clearTimeout(timer);
        waiting.delete(finish);
        resolve(describe(operation));
      };
      const stopClock = clock.after(operation.doneAt - clock.now().getTime(), finish);
      const timer = setTimeout(finish, longestWaitMs);
      timer.unref();
      waiting.add(finish);
    });

  const handlersOf = (resource: string): Handlers => ({
    [`compute.${resource}.get`]: (call) => describe(find(call)),
    [`compute.${resource}.list`]: (call) => {
      const scope = scopeOfCall(call);
      const all = inScope(writeComputeScope(scope)).map(describe);
      return computeListAnswer(call, "compute#operationList", resourcePath(scope, "operations", ""), all);
    },
    [`compute.${resource}.delete`]: (call) => {
      kept.delete(find(call).path);
      return undefined;
    },
    [`compute.${resource}.wait`]: (call) => {
      const operation = find(call);
      return isDone(operation) ? describe(operation) : wait(operation);
    },
  });
  return {
    start: (call, scope, target, failure) =>
      begin(call.method.id, (times) => {
        const hex = ids.next();
        const name = `operation-${times.startedAt}-${hex.slice(0, 8)}-${hex.slice(8)}`;
        const operation: ComputeOperation = {
          path: resourcePath(scope, "operations", name),
          scope,
          id: decimalId(hex),
          name,
          type: call.method.name,
          target,
          user: call.caller,
          ...times,
          ...(failure === undefined ? {} : { failure: failureOf(failure) }),
        };
        return { key: operation.path, operation };
      }),
    get: (path) => kept.get(path),
    describe,
    release() {
      for (const finish of [...waiting]) finish();
    },
    handlers: {
      ...handlersOf("globalOperations"),
      ...handlersOf("regionOperations"),
      "compute.globalOperations.aggregatedList": (call) => {
        const all = inScope(textParameter(call, "project")).map(describe);
        return aggregatedAnswer(call, "compute#operationAggregatedList", "operations", all);
      },
    },
  };
}

/** Returns the project and region of a call's path. @throws CloudError for a region that does not exist */
export function scopeOfCall(call: Call): Scope {
  const region = textParameter(call, "region");
  if (region !== "" && !regions().has(region)) {
    const message = `Invalid value for field 'region': '${region.slice(0, 200)}'. Unknown region.`;
    throw new CloudError("INVALID_ARGUMENT", message);
  }
  return scopeOf(textParameter(call, "project"), region === "" ? undefined : region);
}

function failureOf({ httpStatus, reason, message }: CloudError): NonNullable<ComputeOperation["failure"]> {
  return { httpStatus, code: reason.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), message };
}

function describeAt(operation: ComputeOperation, now: number): Json {
  const { path, scope, id, name, type, target, user, startedAt, doneAt, failure } = operation;
  const isDone = now >= doneAt;
  const hasStarted = isDone || now > startedAt;
  const startTime = new Date(startedAt).toISOString();
  return compact({
    kind: "compute#operation",
    id,
    name,
    operationType: type,
    targetLink: target.link,
    targetId: target.id,
    user,
    status: isDone ? "DONE" : hasStarted ? "RUNNING" : "PENDING",
    progress: isDone ? 100 : Math.floor((100 * Math.max(0, now - startedAt)) / (doneAt - startedAt)),
    insertTime: startTime,
    startTime: hasStarted ? startTime : undefined,
    endTime: isDone ? new Date(doneAt).toISOString() : undefined,
    selfLink: linkTo(path),
    region: scope.region === undefined ? undefined : linkTo(writeComputeScope(scope)),
    ...(isDone && failure !== undefined
      ? {
          error: { errors: [{ code: failure.code, message: failure.message }] },
          httpErrorStatusCode: failure.httpStatus,
          httpErrorMessage: (STATUS_CODES[failure.httpStatus] ?? "").toUpperCase(),
        }
      : {}),
  });
}
