import { randomUUID } from "node:crypto";
import type { CloudError } from "../cloud-error";
import { type Call, type Handlers, type Json, listNamed, textParameter } from "../front";
import { type OperationTime, timeOf } from "../operations";
import type { Clock, Store } from "../state";
import { checkLocationUnlessAny, locationPart, notFound } from "./names";

/** A stored long-running operation. All fields are known at its start; only `done` depends on the time. */
interface StoredOperation {
  readonly name: string;
  readonly target: string;
  readonly verb: string;
  /** Type of the metadata. @default - the type of Certificate Manager's operations */
  readonly metadataType?: string;
  readonly createTime: string;
  /** RFC 3339; the operation is done from this time on. */
  readonly endTime: string;
  readonly response?: Json;
  readonly error?: Json;
}

export interface Operations {
  /** Starts the operation of a completed mutation. @param resource becomes the response */
  start(methodId: string, target: string, schema: string, resource: Json | undefined): Json;
  /** Starts an operation that will fail and changes nothing. */
  fail(methodId: string, target: string, error: CloudError): Json;
  readonly handlers: Handlers;
}

const typePrefixes = {
  certificatemanager: "type.googleapis.com/google.cloud.certificatemanager.v1.",
  networksecurity: "type.googleapis.com/google.cloud.networksecurity.v1.",
  privateca: "type.googleapis.com/google.cloud.security.privateca.v1.",
} as const;

/** A service with locations, whose operations are read at `projects/P/locations/L/operations/O`. */
export type LocatedService = keyof typeof typePrefixes;

const prefix = "certificatemanager.projects.locations.operations";

/** Maximum number of stored operations; beyond it, each new operation removes the oldest. */
const mostKept = 10_000;

/**
 * Creates the operations of a service. The cloud has one address for all services, so that the handlers of one service
 * answer for the operations of all of them.
 */
export function createOperations(
  store: Store,
  clock: Clock,
  operationMs: OperationTime,
  service: LocatedService = "certificatemanager",
): Operations {
  const typePrefix = typePrefixes[service];
  const operations = store.collection<StoredOperation>("certificatemanager.operations");

  const keep = (methodId: string, target: string, end: Pick<StoredOperation, "response" | "error">): Json => {
    const now = clock.now().getTime();
    const operation: StoredOperation = {
      name: `${locationPart(target)}/operations/operation-${now}-${randomUUID()}`,
      target,
      verb: verbOf(methodId),
      ...(service === "certificatemanager" ? {} : { metadataType: `${typePrefix}OperationMetadata` }),
      createTime: new Date(now).toISOString(),
      endTime: new Date(now + timeOf(operationMs, methodId)).toISOString(),
      ...end,
    };
    operations.set(operation.name, operation);
    const oldest = operations.size > mostKept ? operations.entries().next().value : undefined;
    if (oldest !== undefined) operations.delete(oldest[0]);
    return describe(operation, clock.now());
  };
  const find = (call: Call): StoredOperation => {
    const name = textParameter(call, "name");
    const operation = operations.get(name);
    if (operation === undefined) throw notFound(name);
    return operation;
  };

  return {
    start: (methodId, target, schema, resource) => {
      const type = resource === undefined ? "type.googleapis.com/google.protobuf.Empty" : `${typePrefix}${schema}`;
      return keep(methodId, target, { response: { "@type": type, ...resource } });
    },
    fail: (methodId, target, error) => keep(methodId, target, { error: error.rpcStatus }),
    handlers: {
      [`${prefix}.get`]: (call) => describe(find(call), clock.now()),
      [`${prefix}.list`]: (call) => {
        const location = textParameter(call, "name");
        checkLocationUnlessAny(location);
        const start = location.endsWith("/-") ? location.slice(0, -1) : `${location}/operations/`;
        const all = [...operations.values()].filter(({ name }) => name.startsWith(start));
        const found = all.map((operation) => describe(operation, clock.now()));
        return listNamed(call, "operations", found);
      },
      [`${prefix}.delete`]: (call) => {
        operations.delete(find(call).name);
        return {};
      },
      // The mutation is complete when its operation starts. As in the service, cancellation is best effort and has no
      // effect.
      [`${prefix}.cancel`]: (call) => {
        find(call);
        return {};
      },
    },
  };
}

function verbOf(methodId: string): string {
  const name = methodId.slice(methodId.lastIndexOf(".") + 1);
  return name === "patch" ? "update" : name;
}

/** Returns an operation as the API does: with `done` only after its end. */
function describe(operation: StoredOperation, now: Date): Json {
  const { name, target, verb, createTime, endTime, response, error } = operation;
  const { metadataType = `${typePrefixes.certificatemanager}OperationMetadata` } = operation;
  const isDone = Date.parse(endTime) <= now.getTime();
  const metadata = {
    "@type": metadataType,
    createTime,
    ...(isDone ? { endTime } : {}),
    target,
    verb,
    requestedCancellation: false,
    apiVersion: "v1",
  };
  if (!isDone) return { name, metadata };
  return { name, metadata, done: true, ...(error === undefined ? { response } : { error }) };
}
