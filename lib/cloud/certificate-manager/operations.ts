import { randomUUID } from "node:crypto";
import { type CloudError, foundOrThrow } from "../cloud-error";
import { type Call, type Handlers, type Json, listNamed, textParameter } from "../front";
import { createOperationStore, type OperationTimes, type ServiceOptions } from "../operations";
import { checkLocationUnlessAny, locationPart, resourceErrors } from "./names";

interface LocatedOperation extends OperationTimes {
  readonly name: string;
  readonly target: string;
  readonly verb: string;
  /** Type of the metadata. @default - the type of Certificate Manager's operations */
  readonly metadataType?: string;
  readonly response?: Json;
  readonly error?: Json;
}

export interface LocatedOperations {
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

/**
 * Creates the operations of a service. The cloud has one address for all services, so that the handlers of one service
 * answer for the operations of all of them.
 */
export function createLocatedOperations(
  options: Pick<ServiceOptions, "store" | "clock" | "operationMs">,
  service: LocatedService = "certificatemanager",
): LocatedOperations {
  const typePrefix = typePrefixes[service];
  const { kept, begin, isDone } = createOperationStore<LocatedOperation>(options, "certificatemanager.operations");
  const read = (operation: LocatedOperation) => describe(operation, isDone(operation));

  const keep = (methodId: string, target: string, end: Pick<LocatedOperation, "response" | "error">): Json =>
    read(
      begin(methodId, (times) => {
        const name = `${locationPart(target)}/operations/operation-${times.startedAt}-${randomUUID()}`;
        const metadata = service === "certificatemanager" ? {} : { metadataType: `${typePrefix}OperationMetadata` };
        return { key: name, operation: { name, target, verb: verbOf(methodId), ...metadata, ...times, ...end } };
      }),
    );
  const find = (call: Call): LocatedOperation => {
    const name = textParameter(call, "name");
    return foundOrThrow(kept.get(name), () => resourceErrors.notFound(name));
  };

  return {
    start: (methodId, target, schema, resource) => {
      const type = resource === undefined ? "type.googleapis.com/google.protobuf.Empty" : `${typePrefix}${schema}`;
      return keep(methodId, target, { response: { "@type": type, ...resource } });
    },
    fail: (methodId, target, error) => keep(methodId, target, { error: error.rpcStatus }),
    handlers: {
      [`${prefix}.get`]: (call) => read(find(call)),
      [`${prefix}.list`]: (call) => {
        const location = textParameter(call, "name");
        checkLocationUnlessAny(location);
        const start = location.endsWith("/-") ? location.slice(0, -1) : `${location}/operations/`;
        const found = [...kept.values()].filter(({ name }) => name.startsWith(start));
        return listNamed(call, "operations", found.map(read));
      },
      [`${prefix}.delete`]: (call) => {
        kept.delete(find(call).name);
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
function describe(operation: LocatedOperation, isDone: boolean): Json {
  const { name, target, verb, startedAt, doneAt, response, error } = operation;
  const { metadataType = `${typePrefixes.certificatemanager}OperationMetadata` } = operation;
  const metadata = {
    "@type": metadataType,
    createTime: new Date(startedAt).toISOString(),
    ...(isDone ? { endTime: new Date(doneAt).toISOString() } : {}),
    target,
    verb,
    requestedCancellation: false,
    apiVersion: "v1",
  };
  if (!isDone) return { name, metadata };
  return { name, metadata, done: true, ...(error === undefined ? { response } : { error }) };
}
