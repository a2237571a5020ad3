import { ServiceError } from "../../errors";
import type { HttpClient, HttpResponse } from "../../http";
import type { PreparedRequest } from "../requests";

/** Headers of each request, such as `authorization`; asked for each time, as tokens expire. */
export type CallHeaders = () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

/** What a call needs of the one who makes it. */
export interface Sender {
  readonly http: HttpClient;
  readonly headers: CallHeaders;
  readonly signal: AbortSignal | undefined;
}

export interface SendOptions {
  readonly purpose: string;
  readonly accept?: readonly number[];
  readonly repeatable?: boolean;
  /** Whether the request goes to the API: nobody else gets the headers of the caller. @default true */
  readonly isTrusted?: boolean;
}

/** @throws ServiceError as `HttpClient.send` does */
export async function send(
  { http, headers, signal }: Sender,
  request: Pick<PreparedRequest, "method" | "url" | "headers" | "body">,
  { isTrusted = true, ...options }: SendOptions,
): Promise<HttpResponse> {
  return http.send({
    method: request.method,
    url: request.url,
    headers: { ...request.headers, ...(isTrusted ? await headers() : {}) },
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(signal === undefined ? {} : { signal }),
    ...options,
  });
}

/**
 * The JSON of an answer; undefined where it has no content.
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
