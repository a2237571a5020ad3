/** Requests and answers of the HTTP protocol. */
import { type CloudError, type ErrorDialect, errorBody } from "../cloud-error";

export interface WireRequest {
  readonly httpMethod: string;
  /** Path and query as received. */
  readonly target: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as UTF-8. */
  readonly body: string;
  /** The body in bytes, for media; undefined in a part of a batch, which carries no media. */
  readonly octets?: Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Whether the connection is closed without an answer. */
  readonly cut?: boolean;
}

export function json(status: number, body: object): WireAnswer {
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) };
}

/** Returns the HTTP answer for an error. */
export function refusal(error: CloudError, dialect: ErrorDialect): WireAnswer {
  const retryAfter: Readonly<Record<string, string>> =
    error.status === "RESOURCE_EXHAUSTED" ? { "retry-after": "1" } : {};
  const answer = json(error.httpStatus, errorBody(error, dialect));
  return { ...answer, headers: { ...answer.headers, ...retryAfter } };
}
