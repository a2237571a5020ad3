import type { ApiDescription, Match, Method, ReceivedValue } from "../../discovery";
import { CloudError, type ErrorDialect } from "../cloud-error";
import type { WireAnswer, WireRequest } from "./wire";

/** An object of a JSON body. */
export type Json = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A request that has been routed and held against its description. */
export interface Call {
  readonly description: ApiDescription;
  readonly method: Method;
  /** Path and query, by the description's names. */
  readonly parameters: Readonly<Record<string, ReceivedValue>>;
  /** Without fields that only the service sets; enumerations by name. Empty where the method takes no body. */
  readonly body: Json;
  /** Who calls, as far as the credentials tell: the last characters of a token, an API key, or `anonymous`. Recorded, never required. */
  readonly caller: string;
}

/** Answers a call; undefined stands for an empty answer. Throws {@link CloudError} to refuse. */
export type Handler = (call: Call) => Json | undefined | Promise<Json | undefined>;

/** A request that uploads or downloads media, of a method that the description has media for. */
export interface MediaCall {
  readonly request: WireRequest;
  /** Body of the request. */
  readonly octets: Uint8Array;
  readonly match: Match;
  /**
   * Checks parameters and metadata by the description.
   *
   * @param metadata JSON, or empty
   * @throws CloudError
   */
  readonly read: (metadata: string) => Call;
  /** Writes a resource as the answer to an upload, with the fields that the caller selected. */
  readonly answer: (resource: Json) => WireAnswer;
}

/** Answers a request that carries media. Throws {@link CloudError} to refuse. */
type MediaHandler = (call: MediaCall) => WireAnswer;

/** One API as the cloud answers it. A method without a handler is answered with 501. */
export interface CloudService {
  readonly description: ApiDescription;
  readonly errors: ErrorDialect;
  /** By method id. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Answers uploads, upload sessions and downloads. @default - the service has no media */
  readonly media?: MediaHandler;
  /** Numbers of enumerations, by `Schema.property` and name, where clients send numbers. */
  readonly enumNumbers?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A name as the descriptions spell it, of `dns_authorization_id` as of `dnsAuthorizationId`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A parameter that is text; the description has seen to it that it is there where it is required. */
export function textParameter(call: Call, name: string): string {
  const value = call.parameters[name];
  return value === undefined ? "" : String(value);
}

/** A parameter that is a whole number, which arrives as text; undefined where it is not given. */
export function countParameter(call: Call, name: string): number | undefined {
  const value = call.parameters[name];
  return value === undefined ? undefined : Number(value);
}

/** Refuses an argument by its place in the request, as the services do. */
export function invalidField(field: string, description: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", `${field}: ${description}`, {
    details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description }] }],
  });
}
