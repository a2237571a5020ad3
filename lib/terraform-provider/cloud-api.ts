import { setTimeout as wait } from "node:timers/promises";
import { ServiceError } from "../errors";
import type { HttpClient } from "../http";
import { defined } from "../json/defined";

/** An object in a JSON body. */
export interface ApiObject {
  readonly [name: string]: unknown;
}

/** Purpose and limits of a request. */
export interface Attempt {
  /** Purpose for messages, for example `creating google_dns_record_set`. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** Project of the resource, for requests whose target has none. */
  readonly project?: string;
  /** Time limit for retries of a request, in milliseconds. @default 300_000 */
  readonly timeoutMs?: number;
}

export interface CloudRequest extends Attempt {
  readonly httpMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, for example `/v1/projects/p/locations/global/certificates?certificateId=c`. */
  readonly target: string;
  readonly body?: ApiObject;
}

/**
 * Access to the cloud over HTTP. Retries requests of every method after temporary failures, as the provider does: after
 * 429, 500, 502 and 503, and after a reset connection. A connection that the service closes without an answer repeats
 * reads only, as Go's HTTP transport does.
 */
export interface CloudApi {
  /** Sends a request. @throws ServiceError with the API's own message */
  send(request: CloudRequest): Promise<ApiObject>;
  /** Sends a request. @returns undefined for 404 */
  find(request: CloudRequest): Promise<ApiObject | undefined>;
  /**
   * Waits until an operation has ended. Retries if the operation is not found, except a change of Cloud DNS.
   *
   * @param operation answer of the service: an operation of Certificate Manager (`done`) or Compute Engine (`status`),
   * or a change of Cloud DNS (`status`)
   * @param statusTarget path at which the operation is polled
   * @throws ServiceError if the operation failed, or took longer than `timeoutMs`
   */
  settle(operation: ApiObject, statusTarget: string, attempt: Attempt, timeoutMs: number): Promise<ApiObject>;
}

export interface CloudApiOptions {
  readonly cloudUrl: string;
  readonly http: HttpClient;
  readonly accessToken: string;
  /**
   * Returns the project whose quota a request counts against, by the request's target and the resource's project. It
   * is sent as `X-Goog-User-Project`.
   *
   * @default no project is sent
   */
  readonly userProject?: (target: string, owner?: string) => string | undefined;
  /** Waits before a retry, and before the next poll of an operation. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns the current time in milliseconds. @default the machine's clock */
  readonly now?: () => number;
}

/** Time limit of SendRequest in the provider's transport. */
const defaultRequestTimeoutMs = 5 * 60_000;

/**
 * Retry and poll intervals in milliseconds. The provider starts with half a second and increases the interval; a
 * rehearsal uses shorter intervals.
 */
const firstRetryMs = 50;
const longestRetryMs = 2_000;

const firstPollMs = 5;
const longestPollMs = 250;

export function createCloudApi(options: CloudApiOptions): CloudApi {
  const sleep = options.sleep ?? (async (ms, signal) => void (await wait(ms, undefined, { signal })));
  const now = options.now ?? Date.now;
  const askOnce = async (
    { httpMethod, target, body, purpose, signal, project }: CloudRequest,
    accept: readonly number[],
  ) => {
    const userProject = options.userProject?.(target, project);
    return options.http.send({
      method: httpMethod,
      url: new URL(target, options.cloudUrl).href,
      headers: {
        authorization: `Bearer ${options.accessToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...defined({ "x-goog-user-project": userProject }),
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
        const isRepeated = isRetried(error) || (request.httpMethod === "GET" && isClosedWithoutAnswer(error));
        if (!isRepeated || now() + delayMs > endsAt) throw error;
        await sleep(delayMs, request.signal);
      }
    }
  };
  return {
    send: async (request) => parse((await ask(request, [])).text),
    find: async (request) => {
      const answer = await ask(request, [404]);
      return answer.status === 404 ? undefined : parse(answer.text);
    },
    settle: async (operation, statusTarget, attempt, timeoutMs) => {
      const { purpose, signal } = attempt;
      const endsAt = now() + timeoutMs;
      let current = operation;
      for (let pollMs = firstPollMs; !hasEnded(current); pollMs = Math.min(longestPollMs, pollMs * 2)) {
        if (now() > endsAt) {
          const message = `${purpose}: the operation ${describe(operation)}: timeout while waiting for state to become ${awaited(current)}, timeout: ${goDuration(timeoutMs)})`;
          throw new ServiceError(message, { code: "operation-timeout", retryable: true });
        }
        await sleep(pollMs, signal);
        const status = { ...attempt, httpMethod: "GET", target: statusTarget, timeoutMs: endsAt - now() } as const;
        // The provider's waiter for Cloud DNS reports a missing change at once.
        const isRetried = (error: unknown) => mayPass(error) || (!isDnsChange(operation) && isNotFound(error));
        current = parse((await ask(status, [], isRetried)).text);
      }
      throwIfFailed(current, purpose);
      return current;
    },
  };
}

const passingStatuses: readonly (number | undefined)[] = [429, 500, 502, 503];

/**
 * Returns whether the provider retries a request. It does not retry after a refused connection or an invalid answer.
 */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status, code, message } = error;
  if (status === undefined) return code === "service-timeout" || message.includes("ECONNRESET");
  if (status === 409) return message.includes("operationInProgress");
  if (status === 403) return /Quota exceeded for quota metric '.*' and limit '.* per minute' of service/.test(message);
  return passingStatuses.includes(status);
}

/**
 * Returns whether the service closed the connection before it answered. Go's transport repeats a GET then, if it used
 * the connection before, which is true of nearly all reads; other methods fail with `EOF`.
 */
function isClosedWithoutAnswer(error: unknown): boolean {
  return error instanceof ServiceError && error.status === undefined && error.message.includes("UND_ERR_SOCKET");
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

function parse(text: string): ApiObject {
  return text.trim() === "" ? {} : (JSON.parse(text) as ApiObject);
}

function isDnsChange({ kind }: ApiObject): boolean {
  return kind === "dns#change";
}

/** Returns the awaited and the last state in the words of the provider's SDK, so that messages can be searched for. */
function awaited(operation: ApiObject): string {
  const { status } = operation;
  if (typeof status !== "string") return "'done: true' (last state: 'done: false'";
  return `${isDnsChange(operation) ? "'done'" : "'DONE'"} (last state: '${status}'`;
}

/** Returns a duration as Go prints it, for example `1m30s`. */
function goDuration(ms: number): string {
  const seconds = ms / 1_000;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const rest = `${seconds % 60}s`;
  return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest;
}

function hasEnded({ done, status }: ApiObject): boolean {
  return done === true || status === "DONE" || status === "done";
}

/**
 * Throws if an operation failed. The APIs have two formats: `error` as google.rpc.Status, and `error` with a list of
 * errors.
 */
function throwIfFailed(operation: ApiObject, purpose: string): void {
  const error = operation.error as ({ readonly errors?: readonly ApiObject[] } & ApiObject) | undefined;
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

function describe(operation: ApiObject): string {
  return String(operation.name ?? operation.id ?? "");
}
