/** Decides whether a request is retried, and how long to wait before. Uses no clock. */

/** Limits of retries. Times in milliseconds. */
export interface RetryPolicy {
  /**
   * The most attempts, including the first.
   *
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * The longest wait after the first attempt, in milliseconds; it doubles with each further attempt.
   *
   * @default 1_000
   */
  readonly initialDelayMs?: number;
  /**
   * The longest wait, in milliseconds. If the service requests a longer wait with `Retry-After`, the attempts end
   * instead.
   *
   * @default 32_000
   */
  readonly maxDelayMs?: number;
}

export const defaultRetryPolicy: Required<RetryPolicy> = { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 32_000 };

const repeatableMethods = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Returns whether the request is idempotent: sending it twice has the effect of sending it once (RFC 9110, 9.2.2). */
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
 * Returns whether the same request may succeed later. The reason takes precedence, because the same exhausted quota
 * arrives as 403, 429 or 503.
 *
 * @param status HTTP status; undefined if the connection failed
 * @param reason the service's reason, for example `rateLimitExceeded`
 */
export function isPassing(status: number | undefined, reason: string | undefined): boolean {
  if (reason !== undefined && passingReasons.has(reason)) return true;
  return status === undefined || passingStatuses.has(status);
}

/** Statuses with which a service reports that it did nothing, so that even a change may be retried. */
const untouchedStatuses = new Set([429, 503]);

/** Returns whether the service refused before it did anything. */
export function wasNotBegun(status: number | undefined, reason: string | undefined): boolean {
  return status !== undefined && (untouchedStatuses.has(status) || (status === 403 && isPassing(status, reason)));
}

/**
 * Returns the wait before the next attempt: exponential with full jitter, or the time that the service requested.
 *
 * @param attempt number of the attempt that failed, from 1
 * @param retryAfterMs the wait that the service requested, if any
 * @param random from 0 up to 1
 * @returns milliseconds; undefined if the service requests a longer wait than the policy allows
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
 * @returns milliseconds from `now`, never negative; undefined if the header is absent or invalid
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim()) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
