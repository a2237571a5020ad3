import { setTimeout as wait } from "node:timers/promises";
import { ServiceError } from "../errors";
import type { HttpClient } from "../http";

/** An object of a JSON body. */
export interface JsonObject {
  readonly [name: string]: unknown;
}

/** Why a request is made, and how it ends early. */
export interface Attempt {
  /** What is being attempted, for messages, as in `creating google_dns_record_set`. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

export interface CloudRequest extends Attempt {
  readonly httpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, as in `/v1/projects/p/locations/global/certificates?certificateId=c`. */
  readonly target: string;
  readonly body?: JsonObject;
}

/** The cloud, by HTTP alone. */
export interface CloudApi {
  /** @throws ServiceError with the API's own message */
  send(request: CloudRequest): Promise<JsonObject>;
  /** The same, and undefined where there is nothing (404). */
  find(request: CloudRequest): Promise<JsonObject | undefined>;
  /**
   * Waits until an operation has ended.
   *
   * @param operation as the service answered it: of Certificate Manager (`done`), Compute Engine (`status`) or a change of Cloud DNS (`status`)
   * @param statusTarget path where it is asked for
   * @throws ServiceError if it failed, or took longer than `timeoutMs`
   */
  settle(operation: JsonObject, statusTarget: string, attempt: Attempt, timeoutMs: number): Promise<JsonObject>;
}

export interface CloudApiOptions {
  readonly cloudUrl: string;
  readonly http: HttpClient;
  readonly accessToken: string;
  /** Waits before an operation is asked for again. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** @default the machine's clock, in milliseconds */
  readonly now?: () => number;
}

const firstPollMs = 5;
const longestPollMs = 250;

export function createCloudApi(options: CloudApiOptions): CloudApi {
  const sleep = options.sleep ?? (async (ms, signal) => void (await wait(ms, undefined, { signal })));
  const now = options.now ?? Date.now;
  const ask = async ({ httpMethod, target, body, purpose, signal }: CloudRequest, accept: readonly number[]) =>
    options.http.send({
      method: httpMethod,
      url: new URL(target, options.cloudUrl).href,
      headers: {
        authorization: `Bearer ${options.accessToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      purpose,
      signal,
      accept,
    });
  const api: CloudApi = {
    send: async (request) => parse((await ask(request, [])).text),
    find: async (request) => {
      const answer = await ask(request, [404]);
      return answer.status === 404 ? undefined : parse(answer.text);
    },
    settle: async (operation, statusTarget, { purpose, signal }, timeoutMs) => {
      const endsAt = now() + timeoutMs;
      let current = operation;
      for (let pollMs = firstPollMs; !hasEnded(current); pollMs = Math.min(longestPollMs, pollMs * 2)) {
        if (now() > endsAt) {
          const message = `${purpose}: the operation ${describe(operation)} has not ended within ${timeoutMs / 1_000} s`;
          throw new ServiceError(message, { code: "operation-timeout", retryable: true });
        }
        await sleep(pollMs, signal);
        current = await api.send({ httpMethod: "GET", target: statusTarget, purpose, signal });
      }
      throwIfFailed(current, purpose);
      return current;
    },
  };
  return api;
}

function parse(text: string): JsonObject {
  return text.trim() === "" ? {} : (JSON.parse(text) as JsonObject);
}

function hasEnded({ done, status }: JsonObject): boolean {
  return done === true || status === "DONE" || status === "done";
}

/** Two dialects: `error` of google.rpc.Status, and a list of errors inside of it. */
function throwIfFailed(operation: JsonObject, purpose: string): void {
  const error = operation.error as ({ readonly errors?: readonly JsonObject[] } & JsonObject) | undefined;
  if (error === undefined || error === null) return;
  const errors = error.errors ?? [error];
  const messages = errors.map(({ code, message }) => `${String(code ?? "")} ${String(message ?? "")}`.trim());
  const reason = String(errors[0]?.code ?? "");
  throw new ServiceError(`${purpose}: the operation ${describe(operation)} failed: ${messages.join("; ")}`, {
    code: "operation-failed",
    retryable: false,
    ...(reason === "" ? {} : { reason }),
  });
}

function describe(operation: JsonObject): string {
  return String(operation.name ?? operation.id ?? "");
}
