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

/** A request as it is noted down; most of them nobody ever reads. */
interface NotedRequest extends Omit<LoggedRequest, "number" | "time"> {
  /** The cloud's time in milliseconds of the Unix epoch. */
  readonly timeMs: number;
}

export interface RequestLog {
  add(request: NotedRequest): void;
  /** The latest ones, oldest first. */
  list(): readonly LoggedRequest[];
  /** How many there have been. */
  readonly count: number;
  clear(): void;
}

/**
 * @param onRequest told of each request
 * @param keep how many are kept; older ones are forgotten. @default 10_000
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
