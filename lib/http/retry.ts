/**
 * When a request is sent again, and how long to wait before: decided here, without a clock.
 */

/** How patient a client is. Times in milliseconds. */
export interface RetryPolicy {
  /**
   * How often a request is sent at most, the first time included.
   *
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * The longest wait after the first attempt; it doubles with each further one.
   *
   * @default 1_000
   */
  readonly initialDelayMs?: number;
  /**
   * No wait is longer, whatever the service asks for in `Retry-After`: a longer wish ends the attempts instead.
   *
   * @default 32_000
   */
  readonly maxDelayMs?: number;
}

export const defaultRetryPolicy: Required<RetryPolicy> = { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 32_000 };

const repeatableMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Whether sending the request twice has the effect of sending it once (RFC 9110, 9.2.2). */
export function isRepeatable(httpMethod: string): boolean {
  return repeatableMethods.has(httpMethod.toUpperCase());
}

const passingStatuses = new Set([408, 429, 500, 502, 503, 504]);
const passingReasons = new Set([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "backendError",
  "internalError",
  "transientError",
  "serviceNotAvailable",
  "RATE_LIMIT_EXCEEDED",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
]);

/**
 * Whether the same request may succeed later. The reason comes first: the same exhausted quota arrives as 403, 429 or 503.
 *
 * @param status HTTP status; undefined where the connection failed
 * @param reason the service's own word, such as `rateLimitExceeded`
 */
export function isPassing(status: number | undefined, reason: string | undefined): boolean {
  if (reason !== undefined && passingReasons.has(reason)) return true;
  return status === undefined || passingStatuses.has(status);
}

/** Statuses by which a service says that it did nothing, so that even a change may be sent again. */
const untouchedStatuses = new Set([429, 503]);

/** Whether the service refused before it did anything. */
export function wasNotBegun(status: number | undefined, reason: string | undefined): boolean {
  return status !== undefined && (untouchedStatuses.has(status) || (status === 403 && isPassing(status, reason)));
}

/**
 * How long to wait before the next attempt: exponential with full jitter, or what the service asked for.
 *
 * @param attempt number of the attempt that failed, from 1
 * @param retryAfterMs what the service asked for, if it did
 * @param random from 0 up to 1
 * @returns milliseconds, or undefined when the service asks for more patience than the policy has
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
  policy: Required<RetryPolicy>,
): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxDelayMs) return undefined;
  const ceiling = Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(random * ceiling));
}

/**
 * Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3).
 *
 * @returns milliseconds from `now`, never negative; undefined where there is nothing to read
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim()) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
