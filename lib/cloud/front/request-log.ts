/** A request and what became of it. */
export interface LoggedRequest {
  /** Counts up from 1. */
  readonly number: number;
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly httpMethod: string;
  /** Path and query, credentials masked. */
  readonly target: string;
  /** Id of the description's method; absent where none matched. */
  readonly method?: string;
  readonly status: number;
  readonly caller: string;
  /** How long it took, in milliseconds of the machine. */
  readonly durationMs: number;
  /** Whether it may have changed something. */
  readonly mutation: boolean;
}

export interface RequestLog {
  add(request: Omit<LoggedRequest, "number">): void;
  /** The latest ones, oldest first. */
  list(): readonly LoggedRequest[];
  /** How many there have been. */
  readonly count: number;
  clear(): void;
}

/** @param keep how many are kept; older ones are forgotten. @default 10_000 */
export function createRequestLog(keep = 10_000): RequestLog {
  let kept: LoggedRequest[] = [];
  let count = 0;
  return {
    add(request) {
      count++;
      kept.push({ number: count, ...request });
      if (kept.length > keep * 2) kept = kept.slice(-keep);
    },
    list: () => kept.slice(-keep),
    get count() {
      return count;
    },
    clear() {
      kept = [];
      count = 0;
    },
  };
}
