import type { ApiDescription, Match, Method, ReceivedValue } from "../../discovery";
import { CloudError, type ErrorDialect, errorBody } from "../cloud-error";

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
  readonly cut?: boolean;
}

export function json(status: number, body: object): WireAnswer {
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) };
}

export function refusal(error: CloudError, dialect: ErrorDialect): WireAnswer {
  const retryAfter: Readonly<Record<string, string>> =
    error.status === "RESOURCE_EXHAUSTED" ? { "retry-after": "1" } : {};
  const answer = json(error.httpStatus, errorBody(error, dialect));
  return { ...answer, headers: { ...answer.headers, ...retryAfter } };
}

export type Json = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A request that has been routed and checked against its description. */
export interface Call {
  readonly description: ApiDescription;
  readonly method: Method;
  /** Parameters of the path and query, by the description's names. */
  readonly parameters: Readonly<Record<string, ReceivedValue>>;
  /** Body without read-only fields; enumerations by name. Empty if the method has no body. */
  readonly body: Json;
  /** Last characters of the caller's token or API key, or `anonymous`. Recorded, never required. */
  readonly caller: string;
}

/** Answers a call; undefined means an empty answer. Throws {@link CloudError} to reject the call. */
export type Handler = (call: Call) => Json | undefined | Promise<Json | undefined>;

export type Handlers = Readonly<Record<string, Handler>>;

/** An upload or download of media, for a method whose description supports media. */
export interface MediaCall {
  readonly request: WireRequest;
  readonly octets: Uint8Array;
  readonly match: Match;
  /** Checks parameters and metadata against the description. @param metadata JSON, or empty @throws CloudError */
  readonly read: (metadata: string) => Call;
  /** Formats a resource as the answer to an upload, with the fields that the caller selected. */
  readonly answer: (resource: Json) => WireAnswer;
}

/** Answers a request that carries media. Throws {@link CloudError} to reject the request. */
type MediaHandler = (call: MediaCall) => WireAnswer;

/** An emulated API. A method without a handler returns 501. */
export interface CloudService {
  readonly description: ApiDescription;
  readonly errors: ErrorDialect;
  readonly handlers: Handlers;
  /** Answers uploads, upload sessions and downloads. @default - the service has no media */
  readonly media?: MediaHandler;
  /**
   * Top-level fields of bodies, as `Schema.property`, whose empty text means that they are unset, as clients send it
   * for enumerations.
   *
   * @default - none
   */
  readonly unsetIfEmpty?: ReadonlySet<string>;
  /** Numbers of enumeration values, by `Schema.property` and name, for clients that send numbers. */
  readonly enumNumbers?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Returns a name in the descriptions' spelling, for `dns_authorization_id` and `dnsAuthorizationId` alike. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a text parameter. The check against the description guarantees required parameters. */
export function textParameter(call: Call, name: string): string {
  const value = call.parameters[name];
  return value === undefined ? "" : String(value);
}

/** Returns a whole-number parameter, which is received as text; undefined if the parameter is missing. */
export function countParameter(call: Call, name: string): number | undefined {
  const value = call.parameters[name];
  return value === undefined ? undefined : Number(value);
}

export function invalidField(field: string, description: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `${field}: ${description}`, {
    details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description }] }],
  });
}
