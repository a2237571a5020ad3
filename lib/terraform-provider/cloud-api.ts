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
  /** How long a request is repeated while its failure may pass. @default 300_000 */
  readonly timeoutMs?: number;
}

export interface CloudRequest extends Attempt {
  readonly httpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, as in `/v1/projects/p/locations/global/certificates?certificateId=c`. */
  readonly target: string;
  readonly body?: JsonObject;
}

/**
 * The cloud, by HTTP alone. Requests of every method are repeated while their failure may pass, as the provider does: after 429, 500, 502 and 503,
 * and after a connection that was reset.
 */
export interface CloudApi {
  /** @throws ServiceError with the API's own message */
  send(request: CloudRequest): Promise<JsonObject>;
  /** The same, and undefined where there is nothing (404). */
  find(request: CloudRequest): Promise<JsonObject | undefined>;
  /**
   * Waits until an operation has ended. One that can't be found is asked for again.
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
  /** Project whose quota a request counts against, by the request's target; it goes into `X-Goog-User-Project`. @default none is named */
  readonly userProject?: (target: string) => string | undefined;
  /** Waits before a request is repeated, and before an operation is asked for again. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** @default the machine's clock, in milliseconds */
  readonly now?: () => number;
}

/** Of SendRequest in the provider's transport. */
const defaultRequestTimeoutMs = 5 * 60_000;

/** The provider waits half a second at first, and longer each time; a rehearsal's time is shorter. */
const firstRetryMs = 50;
const longestRetryMs = 2_000;

const firstPollMs = 5;
const longestPollMs = 250;

export function createCloudApi(options: CloudApiOptions): CloudApi {
  const sleep = options.sleep ?? (async (ms, signal) => void (await wait(ms, undefined, { signal })));
  const now = options.now ?? Date.now;
  const askOnce = async ({ httpMethod, target, body, purpose, signal }: CloudRequest, accept: readonly number[]) => {
    const userProject = options.userProject?.(target);
    return options.http.send({
      method: httpMethod,
      url: new URL(target, options.cloudUrl).href,
      headers: {
        authorization: `Bearer ${options.accessToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(userProject === undefined ? {} : { "x-goog-user-project": userProject }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      purpose,
      signal,
      accept,
    });
  };
  const ask = async (request: CloudRequest, accept: readonly number[], isRetried = mayPass) => {
    const endsAt = now() + (request.timeoutMs ?? defaultRequestTimeoutMs);
    for (let delayMs = firstRetryMs; ; delayMs = Math.min(longestRetryMs, delayMs * 2)) {
      try {
        return await askOnce(request, accept);
      } catch (error) {
        if (!isRetried(error) || now() + delayMs > endsAt) throw error;
        await sleep(delayMs, request.signal);
      }
    }
  };
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
        const status = { httpMethod: "GET", target: statusTarget, purpose, signal, timeoutMs: endsAt - now() } as const;
        current = parse((await ask(status, [], (error) => mayPass(error) || isNotFound(error))).text);
      }
      throwIfFailed(current, purpose);
      return current;
    },
  };
  return api;
}

const passingStatuses: readonly (number | undefined)[] = [429, 500, 502, 503];

/** Whether the provider sends a request again: never for a connection that was refused, or an answer that was none. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status, code, message } = error;
  if (status === undefined) return code === "service-timeout" || message.includes("ECONNRESET");
  if (status === 409) return message.includes("operationInProgress");
  if (status === 403) return /Quota exceeded for quota metric '.*' and limit '.* per minute' of service/.test(message);
  return passingStatuses.includes(status);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
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
