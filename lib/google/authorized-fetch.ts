import { setTimeout as wait } from "node:timers/promises";
import { environmentFetch, failureWords, printableUrl, proxyWords } from "../http";
import { defined } from "../json/defined";
import { parseJson } from "../json/fields";

interface AuthorizedFetchOptions extends Pick<PaceOptions, "sleep"> {
  readonly credentials: (url: string) => Promise<Iterable<readonly [string, string]>>;
  readonly pace: Pace;
  readonly random?: () => number;
}

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
  sleep = wait,
  random = Math.random,
}: AuthorizedFetchOptions): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const fetch = environmentFetch();
  const ask = async (url: string, init: RequestInit) => {
    await pace();
    const headers = new Headers(init.headers);
    for (const [name, value] of await credentials(url)) headers.set(name, value);
    const { method, body, signal } = init;
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
      if (response.status !== 429) return readable(response);
      await response.arrayBuffer();
      await sleep(pauseMs * (0.75 + random() / 2));
    }
    return readable(await ask(String(input), init));
  };
}

/** The client reads only JSON, but a proxy in front of the service may refuse credentials with an HTML page. */
async function readable(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const text = await response.text();
  const { status, headers } = response;
  if (parseJson(text) !== undefined) return new Response(text, { status, headers });
  const error = { code: status, status: "UNAUTHENTICATED", message: "the service answered HTTP 401" };
  return Response.json({ error }, { status });
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
