import { ServiceError } from "../lib/errors";
import { createHttpClient, type HttpClient } from "../lib/http";
import type { Transport } from "./side";

/** Statuses that are answers. The client retries the others, which a service gives for a while. */
const answered = Array.from({ length: 200 }, (_, index) => 300 + index).filter(
  (status) => status !== 408 && status !== 429,
);

/** Every status, for a side that is never busy. */
const all = Array.from({ length: 300 }, (_, index) => 300 + index);

interface TransportOptions {
  readonly http?: HttpClient;
  /** Returns the headers of the caller's credentials. @default - none */
  readonly credentials?: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** Whether an exhausted quota and an outage are retried. */
  readonly isRetried: boolean;
  readonly signal?: AbortSignal;
}

/** Creates a transport over HTTP or HTTPS. Credentials are sent over HTTPS only. */
export function httpTransport({
  http = createHttpClient(),
  credentials,
  isRetried,
  signal,
}: TransportOptions): Transport {
  return async ({ id, method, url, headers, body }) => {
    const secret = credentials !== undefined && url.startsWith("https:") ? await credentials(url) : {};
    try {
      const { status, text } = await http.send({
        method,
        url,
        headers: { ...headers, ...secret },
        ...(body === undefined ? {} : { body }),
        purpose: `calling ${id}`,
        accept: isRetried ? answered : all,
        ...(signal === undefined ? {} : { signal }),
      });
      return { status, body: readBody(text) };
    } catch (error) {
      // A quota that is exhausted after all retries is an answer: the run ends with one finding.
      if (!(error instanceof ServiceError) || error.status !== 429) throw error;
      return { status: 429, body: { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: error.message } } };
    }
  };
}

function readBody(text: string): Readonly<Record<string, unknown>> {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : { value };
  } catch {
    return { text: text.slice(0, 500) };
  }
}
