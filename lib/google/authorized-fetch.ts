import { setTimeout as wait } from "node:timers/promises";
import { environmentFetch, failureWords, printableUrl, proxyWords } from "../http";
import { defined } from "../json/defined";
import type { Pace } from "./pace";

export interface AuthorizedFetchOptions {
  /** Returns the headers of the caller's credentials for a URL. */
  readonly credentials: (url: string) => Promise<Iterable<readonly [string, string]>>;
  /** Waits until the quota allows the next request. */
  readonly pace: Pace;
  /** @default setTimeout */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. @default Math.random */
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
      return await fetch(url, {
        headers,
        ...defined({ method, body, signal }),
      });
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

/**
 * Makes a refusal readable for the client, which reads only JSON. A proxy or gateway in front of the service may refuse
 * credentials with an HTML page.
 */
async function readable(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const text = await response.text();
  const { status, headers } = response;
  if (isJson(text)) return new Response(text, { status, headers });
  const error = { code: status, status: "UNAUTHENTICATED", message: "the service answered HTTP 401" };
  return Response.json({ error }, { status });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
