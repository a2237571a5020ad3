import { setTimeout as wait } from "node:timers/promises";
import { InputError, ServiceError } from "../errors";
import type { Code } from "../findings/codes";
import { defined } from "../json/defined";
import { failureWords } from "./failure-words";
import { printableUrl } from "./printable-url";
import { environmentFetch, proxyWords } from "./proxy";
import { BodyFailure, readBody } from "./response-body";
import {
  defaultRetryPolicy,
  isPassing,
  isRepeatable,
  parseRetryAfter,
  type RetryPolicy,
  retryDelayMs,
  wasNotBegun,
} from "./retry";
import { parseRefusal } from "./service-refusal";

/** Longest answer that is read unless another limit is given, in bytes after decompression: 32 MiB. */
export const defaultMaxBodyBytes = 32 * 1024 * 1024;

export interface HttpClientOptions {
  /** @default the `fetch` of Node, through the proxy that the environment sets for HTTPS */
  readonly fetch?: typeof fetch;
  /** @default the machine's clock */
  readonly now?: () => Date;
  /** Waits; rejects when the signal aborts. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
  readonly limits?: HttpLimits;
  readonly retry?: RetryPolicy;
  /** @default "cert-migration" */
  readonly userAgent?: string;
}

/** Limits of a request. */
interface HttpLimits {
  /**
   * Timeout of one attempt in milliseconds, including its body.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /**
   * Timeout of all attempts and the waits between them together, in milliseconds.
   *
   * @default 120_000
   */
  readonly deadlineMs?: number;
  /**
   * Longest answer that is read, in bytes after decompression.
   *
   * @default {@link defaultMaxBodyBytes}
   */
  readonly maxBodyBytes?: number;
}

export interface HttpRequest {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The attempted action for messages, for example `listing APIs`. */
  readonly purpose: string;
  /** Statuses from 300 up that are accepted as an answer instead of an error. @default none */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal;
  readonly retries?: RequestRetries;
}

/** Whether a request is retried, and what is called before. */
interface RequestRetries {
  /**
   * Whether the request may safely be sent twice.
   *
   * @default - true for GET, HEAD, OPTIONS, PUT and DELETE
   */
  readonly repeatable?: boolean;
  /** Called before each wait. */
  readonly onRetry?: (retry: RetryNotice) => void;
}

/** Why a request is retried. */
export interface RetryNotice {
  readonly purpose: string;
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly why: string;
  /** Code of the failure. */
  readonly code: Code;
}

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** The body as UTF-8. */
  readonly text: string;
}

export interface HttpClient {
  /**
   * Sends a request, and retries it if that is safe and may help.
   *
   * @throws {@link InputError} if the URL cannot be requested at all; {@link ServiceError} if the service refused,
   * failed or did not answer: `code` is `service-refused`, `service-unreachable`, `service-timeout`, `answer-too-large`
   * or `answer-cut`
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

type Failure = { readonly error: ServiceError; readonly retryAfterMs?: number };

/**
 * Creates the only client that calls `fetch`. Its errors contain no secrets: tokens in queries are masked, and headers
 * are never shown.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const settings = {
    fetch: options.fetch ?? environmentFetch(),
    now: options.now ?? (() => new Date()),
    sleep: options.sleep ?? (async (ms, signal) => void (await wait(ms, undefined, { signal }))),
    random: options.random ?? Math.random,
    limits: { timeoutMs: 30_000, deadlineMs: 120_000, maxBodyBytes: defaultMaxBodyBytes, ...options.limits },
    retry: { ...defaultRetryPolicy, ...options.retry },
    userAgent: options.userAgent ?? "cert-migration",
  } satisfies Settings;
  return { send: (request) => sendWithRetries(request, settings) };
}

type Settings = Required<Omit<HttpClientOptions, "limits" | "retry">> & {
  readonly limits: Required<HttpLimits>;
  readonly retry: Required<RetryPolicy>;
};

async function sendWithRetries(request: HttpRequest, settings: Settings): Promise<HttpResponse> {
  checkUrl(request);
  const endsAt = settings.now().getTime() + settings.limits.deadlineMs;
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt++) {
    request.signal?.throwIfAborted();
    const leftMs = endsAt - settings.now().getTime();
    const outcome = await sendOnce(request, settings, Math.max(1, Math.min(settings.limits.timeoutMs, leftMs)));
    if (!("error" in outcome)) return outcome;
    const delayMs = delayAfter(outcome, attempt, request, settings, endsAt);
    if (delayMs === undefined) throw attempt === 1 ? outcome.error : withAttempts(outcome.error, attempt);
    const { message: why, code } = outcome.error;
    request.retries?.onRetry?.({ purpose: request.purpose, attempt, delayMs, why, code });
    await settings.sleep(delayMs, request.signal ?? never);
  }
}

function delayAfter(
  { error, retryAfterMs }: Failure,
  attempt: number,
  request: HttpRequest,
  settings: Settings,
  endsAt: number,
): number | undefined {
  const harmless =
    request.retries?.repeatable ?? (isRepeatable(request.method) || wasNotBegun(error.status, error.reason));
  if (!error.retryable || !harmless || attempt >= settings.retry.maxAttempts) return undefined;
  const delayMs = retryDelayMs(attempt, retryAfterMs, settings.random(), settings.retry);
  return delayMs !== undefined && settings.now().getTime() + delayMs < endsAt ? delayMs : undefined;
}

async function sendOnce(request: HttpRequest, settings: Settings, timeoutMs: number): Promise<HttpResponse | Failure> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  try {
    const response = await settings.fetch(request.url, {
      method: request.method,
      headers: { "user-agent": settings.userAgent, ...request.headers },
      signal,
      ...defined({ body: request.body }),
    });
    const body = await readBody(response, settings.limits.maxBodyBytes);
    const headers = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
    const text = new TextDecoder().decode(body);
    if (response.status < 300 || request.accept?.includes(response.status)) {
      return { status: response.status, headers, body, text };
    }
    return refusal(request, response.status, text, parseRetryAfter(headers.get("retry-after"), settings.now()));
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (cause instanceof InputError) throw cause;
    return { error: describeFailure(request, cause, timeout.aborted ? timeoutMs : undefined) };
  }
}

function refusal(request: HttpRequest, status: number, body: string, retryAfterMs: number | undefined): Failure {
  const { message, reason } = parseRefusal(body);
  const outcome = reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
  const reported = message === "" ? outcome : `${outcome}: ${message}`;
  return {
    error: new ServiceError(`${request.purpose}: ${printableUrl(request.url)} answered ${reported}`, {
      code: "service-refused",
      status,
      retryable: isPassing(status, reason),
      ...defined({ reason }),
    }),
    ...defined({ retryAfterMs }),
  };
}

/**
 * Describes a failed attempt.
 *
 * @param timedOutMs timeout that ended the attempt, in milliseconds; undefined if it ended otherwise
 */
function describeFailure(request: HttpRequest, cause: unknown, timedOutMs: number | undefined): ServiceError {
  const where = `${request.purpose}: ${printableUrl(request.url)}`;
  if (timedOutMs !== undefined) {
    const message = `${where} did not answer within ${timedOutMs / 1_000} s`;
    return new ServiceError(message, { code: "service-timeout", retryable: true, cause });
  }
  if (cause instanceof BodyFailure) {
    const [code, retryable] =
      cause.code === "body-too-large" ? (["answer-too-large", false] as const) : (["answer-cut", true] as const);
    return new ServiceError(`${where}: ${cause.message}`, { code, retryable, cause });
  }
  const message = `${where} could not be reached${proxyWords(request.url)}: ${failureWords(cause)}`;
  return new ServiceError(message, { code: "service-unreachable", retryable: true, cause });
}

function withAttempts(error: ServiceError, attempts: number): ServiceError {
  const { code, retryable, status, reason, cause } = error;
  return new ServiceError(`${error.message} (${attempts} attempts)`, {
    code,
    retryable,
    cause,
    ...defined({ status, reason }),
  });
}

function checkUrl(request: HttpRequest): void {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const message = `${request.purpose}: '${printableUrl(request.url)}' can't be asked; use a URL that begins with https:// or http://`;
    throw new InputError("url-invalid", message);
  }
  if (url.username !== "" || url.password !== "") {
    const message = `${request.purpose}: '${printableUrl(request.url)}' carries a user and a password; leave them out of the URL`;
    throw new InputError("url-invalid", message);
  }
}
