import { createHash } from "node:crypto";
import { CloudError } from "../cloud-error";
import { type Call, type Json, textParameter } from "../front";
import type { ServiceOptions } from "../operations";
import type { Collection } from "../state";
import type { Scope } from "./links";
import { type ComputeOperations, scopeOfCall } from "./operations";
import { type ComputeResource, pathOfResource, type Resources } from "./resources";

/** The states of a resource before and after a call; `before` is undefined for a creation, `after` for a deletion. */
interface Change {
  readonly before?: ComputeResource;
  readonly after?: ComputeResource;
}

interface MutationsOptions extends Pick<ServiceOptions, "store" | "clock" | "failOperation"> {
  readonly resources: Resources;
  readonly operations: ComputeOperations;
  readonly onChange: () => void;
}

/**
 * Applies a change and starts its operation; a failed one changes nothing. @param decide checks, and changes nothing
 */
export type Mutate = (call: Call, decide: () => Change) => Json;

/** A request with a `requestId`, for as long as its repetitions are recognized. */
interface Seen {
  readonly digest: string;
  readonly operation: string;
  readonly at: number;
}

/** How long a `requestId` is remembered, in milliseconds of the cloud's time. */
const rememberedMs = 60 * 60_000;
/** Beyond this number the oldest are removed earlier, because the cloud's time may stand still. */
const mostRemembered = 10_000;

export function createMutate(options: MutationsOptions): Mutate {
  const { store, clock, resources, operations, failOperation, onChange } = options;
  const seen = store.collection<Seen>("compute.requests");
  return (call, decide) => {
    const scope = scopeOfCall(call);
    const request = requestOf(call, scope);
    const now = clock.now().getTime();
    dropOldest(seen, now);
    const repeated = request === undefined ? undefined : seen.get(request.key);
    if (request !== undefined && repeated !== undefined) {
      if (repeated.digest !== request.digest) throw invalidRequestId("it has been used for another request");
      const operation = operations.get(repeated.operation);
      if (operation !== undefined) return operations.describe(operation);
    }
    const { before, after } = decide();
    const failure = failOperation?.(call.method.id, call);
    const target = (after ?? before) as ComputeResource;
    const operation = operations.start(call, scope, { link: target.selfLink, id: target.id }, failure);
    const answer = operations.describe(operation);
    if (request !== undefined) seen.set(request.key, { digest: request.digest, operation: operation.path, at: now });
    if (failure === undefined) {
      if (after === undefined) resources.delete(pathOfResource(target));
      else resources.set(pathOfResource(target), after);
      onChange();
    }
    return answer;
  };
}

/** Removes the oldest requests: the expired ones, and the excess over the maximum number. */
function dropOldest(seen: Collection<Seen>, now: number): void {
  for (const [key, { at }] of seen.entries()) {
    if (seen.size < mostRemembered && at + rememberedMs > now) return;
    seen.delete(key);
  }
}

function requestOf(call: Call, scope: Scope): { readonly key: string; readonly digest: string } | undefined {
  const id = textParameter(call, "requestId");
  if (id === "") return undefined;
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) || /^[0-]+$/.test(id))
    throw invalidRequestId("it has to be a UUID, and not all zeros");
  const { requestId: _, ...parameters } = call.parameters;
  const what = JSON.stringify([call.method.id, parameters, call.body]);
  return { key: `${scope.project} ${id.toLowerCase()}`, digest: createHash("sha256").update(what).digest("base64url") };
}

function invalidRequestId(why: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `Invalid value for field 'requestId': ${why}.`);
}
