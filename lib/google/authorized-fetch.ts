import { setTimeout as wait } from "node:timers/promises";
import { environmentFetch, failureWords, printableUrl, proxyWords } from "../http";
import type { Pace } from "./pace";

export interface AuthorizedFetchOptions {
  /** Headers of the caller's credentials for a URL. */
  readonly credentials: (url: string) => Promise<Iterable<readonly [string, string]>>;
  /** Waits for the quota. */
  readonly pace: Pace;
  /** @default setTimeout */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. @default Math.random */
  readonly random?: () => number;
}

/** Before a request is made again that the quota had no room for. */
const pausesMs = [1_000, 3_000];

/**
 * Makes the requests of the client of Certificate Manager. The library's own way throws at every HTTP error before the client has read what the service
 * says, so that "not found" would be no word of the service but a failure of the network. All of the requests only ask, and can be made again.
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
        ...(method === undefined ? {} : { method }),
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      // The client hands on what is said here, and nothing of its cause.
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

/** The client reads a refusal from JSON alone, and what stands before the service (a proxy, a gateway) may refuse credentials with a page. */
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
