import { escapeUnsafe } from "../../text/quote";
import type { WireRequest } from "./service";

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
  list(): readonly LoggedRequest[];
  readonly count: number;
  clear(): void;
}

/** Creates a log. @param keep maximum number of stored requests; older ones are removed @default 10_000 */
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

const noQuery = new URLSearchParams();

/** Returns the caller according to the credentials: the last characters of a token or of an API key, or `anonymous`. */
export function callerOf({ headers, target }: WireRequest): string {
  const question = target.indexOf("?");
  const query = question === -1 ? noQuery : new URLSearchParams(target.slice(question + 1));
  const bearer = headers.authorization === undefined ? undefined : /^Bearer\s+(\S+)/i.exec(headers.authorization)?.[1];
  const token = bearer ?? query.get("access_token") ?? query.get("oauth_token");
  if (token !== null) return `token …${ending(token)}`;
  const key = headers["x-goog-api-key"] ?? query.get("key");
  return key === null ? "anonymous" : `key …${ending(key)}`;
}

/** Returns the end of a secret: enough to distinguish credentials, too short to expose them. */
function ending(secret: string): string {
  return secret.length < 12 ? "" : escapeUnsafe(secret.slice(-4));
}
