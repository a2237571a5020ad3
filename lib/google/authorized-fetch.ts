import { setTimeout as wait } from "node:timers/promises";
import { ServiceError } from "../errors";
import {
  BodyFailure,
  defaultMaxBodyBytes,
  environmentFetch,
  failureWords,
  printableUrl,
  proxyWords,
  readBody,
} from "../http";
import { defined } from "../json/defined";
import { parseJson } from "../json/fields";

interface AuthorizedFetchOptions extends Pick<PaceOptions, "sleep"> {
  readonly credentials: (url: string) => Promise<Iterable<readonly [string, string]>>;
  readonly pace: Pace;
  /** Signals that abort requests, by the value of their header {@link callHeader}. @default - none */
  readonly signals?: ReadonlyMap<string, AbortSignal>;
  /** Longest answer that is read, in bytes after decompression. @default 32 MiB */
  readonly maxBodyBytes?: number;
  readonly random?: () => number;
}

/**
 * Header with which a call of the client names its signal, because the client passes no signal of its caller on. The
 * header is not sent.
 */
export const callHeader = "x-cert-migration-call";

/** Milliseconds to wait before each retry of a request that exceeded the quota. */
const pausesMs = [1_000, 3_000];

/**
 * Sends the requests of the client of Certificate Manager. The library's own function throws at every HTTP error before
 * the client has read the service's message; "not found" would then look like a network failure. All of the requests
 * only read, and can be retried.
 */
export function authorizedFetch({
  credentials,
  pace,
  signals = new Map(),
  maxBodyBytes = defaultMaxBodyBytes,
  sleep = wait,
  random = Math.random,
}: AuthorizedFetchOptions): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const fetch = environmentFetch();
  const ask = async (url: string, init: RequestInit) => {
    await pace();
    const headers = new Headers(init.headers);
    const ofCall = signals.get(headers.get(callHeader) ?? "");
    headers.delete(callHeader);
    for (const [name, value] of await credentials(url)) headers.set(name, value);
    const { method, body } = init;
    const given = [init.signal, ofCall].filter((signal) => signal instanceof AbortSignal);
    const signal = given.length === 0 ? undefined : AbortSignal.any(given);
    try {
      return await fetch(url, { headers, ...defined({ method, body, signal }) });
    } catch (cause) {
      signal?.throwIfAborted();
      // The client passes on this message, but not its cause.
      throw new Error(
        `${printableUrl(new URL(url).origin)} could not be reached${proxyWords(url)}: ${failureWords(cause)}`,
        { cause },
      );
    }
  };
  return async (input, init = {}) => {
    for (const pauseMs of pausesMs) {
      const response = await ask(String(input), init);
      if (response.status !== 429) return readable(response, maxBodyBytes);
      await response.body?.cancel();
      await sleep(pauseMs * (0.75 + random() / 2));
    }
    return readable(await ask(String(input), init), maxBodyBytes);
  };
}

/**
 * Reads an answer up to the limit. The client reads only JSON, but a proxy in front of the service may refuse
 * credentials with an HTML page.
 *
 * @throws ServiceError `answer-too-large` or `answer-cut`
 */
async function readable(response: Response, maxBodyBytes: number): Promise<Response> {
  const body = await readBody(response, maxBodyBytes).catch((cause: unknown) => {
    if (!(cause instanceof BodyFailure)) throw cause;
    const isTooLarge = cause.code === "body-too-large";
    const code = isTooLarge ? "answer-too-large" : "answer-cut";
    throw new ServiceError(cause.message, { code, retryable: !isTooLarge, cause });
  });
  const { status } = response;
  if (status === 401 && parseJson(new TextDecoder().decode(body)) === undefined) {
    const error = { code: status, status: "UNAUTHENTICATED", message: "the service answered HTTP 401" };
    return Response.json({ error }, { status });
  }
  // The body is decompressed.
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  const isEmpty = body.length === 0 || status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers });
}

interface PaceOptions {
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** The number of requests that may be sent at once. Further requests wait {@link msForRequest} each. */
const burst = 60;
/**
 * A project has 300 requests a minute for all its clients. This package uses at most 210 in any minute, and 150 a
 * minute in the long run.
 */
const msForRequest = 400;

/** Resolves when the next request may be sent, in the order of the calls. */
export type Pace = () => Promise<void>;

/** Keeps requests to Certificate Manager within the quota of their project, whatever the number of pages. */
export function createPace({ now = Date.now, sleep = wait }: PaceOptions = {}): Pace {
  /** Time until which the quota is used by earlier requests, in milliseconds. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  return async () => {
    const time = now();
    // A clock that is set back must not delay a request for longer than the time of a burst.
    paidUntil = Math.min(Math.max(paidUntil, time - burst * msForRequest), time + burst * msForRequest) + msForRequest;
    if (paidUntil > time) await sleep(paidUntil - time);
  };
}
