/** A request and its result. */
export interface LoggedRequest {
  /** Counts up from 1. */
  readonly number: number;
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly httpMethod: string;
  /** Path and query, with masked credentials. */
  readonly target: string;
  /** Id of the description's method; absent without a matching method. */
  readonly method?: string;
  readonly status: number;
  readonly caller: string;
  /** Duration in milliseconds of the machine's time. */
  readonly durationMs: number;
  /** Whether the request may have changed something. */
  readonly mutation: boolean;
}

/** A stored request; converted to its public form only when it is read. */
interface NotedRequest extends Omit<LoggedRequest, "number" | "time"> {
  /** The cloud's time in milliseconds of the Unix epoch. */
  readonly timeMs: number;
}

export interface RequestLog {
  add(request: NotedRequest): void;
  /** Returns the latest requests, oldest first. */
  list(): readonly LoggedRequest[];
  /** Number of all requests so far. */
  readonly count: number;
  clear(): void;
}

/**
 * Creates a log.
 *
 * @param onRequest called for each request
 * @param keep maximum number of stored requests; older ones are removed.
 * @default 10_000
 */
export function createRequestLog(onRequest?: (request: LoggedRequest) => void, keep = 10_000): RequestLog {
  let kept: NotedRequest[] = [];
  let count = 0;
  return {
    add(request) {
      count++;
      kept.push(request);
      if (kept.length > keep * 2) kept = kept.slice(-keep);
      onRequest?.(describe(request, count));
    },
    list: () => {
      const latest = kept.slice(-keep);
      return latest.map((request, index) => describe(request, count - latest.length + index + 1));
    },
    get count() {
      return count;
    },
    clear() {
      kept = [];
      count = 0;
    },
  };
}

function describe({ timeMs, ...request }: NotedRequest, number: number): LoggedRequest {
  return { number, time: new Date(timeMs).toISOString(), ...request };
}
