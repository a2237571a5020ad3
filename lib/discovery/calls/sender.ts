import { ServiceError } from "../../errors";
import type { HttpClient, HttpResponse } from "../../http";
import { defined } from "../../json/defined";
import type { PreparedRequest } from "../requests";

/** Returns the headers of a request, for example `authorization`. Called for each request, because tokens expire. */
export type CallHeaders = () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

/** The caller's settings that a call needs. */
export interface Sender {
  readonly http: HttpClient;
  readonly headers: CallHeaders;
  readonly signal: AbortSignal | undefined;
}

export interface SendOptions {
  readonly purpose: string;
  readonly accept?: readonly number[];
  readonly repeatable?: boolean;
  /** Whether the request goes to the API. Other destinations do not receive the caller's headers. @default true */
  readonly isTrusted?: boolean;
}

/**
 * Sends a request.
 *
 * @throws ServiceError as `HttpClient.send` does
 */
export async function send(
  { http, headers, signal }: Sender,
  request: Pick<PreparedRequest, "method" | "url" | "headers" | "body">,
  { isTrusted = true, ...options }: SendOptions,
): Promise<HttpResponse> {
  return http.send({
    method: request.method,
    url: request.url,
    headers: { ...request.headers, ...(isTrusted ? await headers() : {}) },
    ...defined({ body: request.body, signal }),
    ...options,
  });
}

/**
 * Returns the JSON of a response; undefined if the response has no content.
 *
 * @throws ServiceError `answer-not-json`
 */
export function jsonOf(text: string, purpose: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError(`${purpose}: the answer is not JSON`, { code: "answer-not-json", retryable: false, cause });
  }
}
