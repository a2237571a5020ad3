import { isOwnDescriptionId, type OwnDescriptionId, ownDescription } from "../discovery";
import { BugError, ServiceError } from "../errors";
import { createHttpClient, type HttpClient } from "../http";
import { defined } from "../json/defined";
import { isFields, listOf } from "../json/fields";
import { createCertificateManagerClient, readEndpoint, serviceError } from "./client";
import { credentialsError, refusedCredentials } from "./credentials";
import { allPages, type Page } from "./pages";
import { requestTimeoutMs, withTimeLimit } from "./time-limit";

/** A JSON object with unknown fields; untrusted. */
export type JsonObject = Readonly<Record<string, unknown>>;

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface RestCall {
  readonly method: string;
  readonly parameters: Parameters;
  readonly body?: object;
  /** The attempted action for messages, for example `listing zones of p`. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** Client of a Google API that is called over HTTPS with JSON. */
export interface RestApi {
  /**
   * Calls a method.
   *
   * @throws ServiceError if the service refuses or does not answer, or if its answer is not a JSON object
   */
  call(request: RestCall): Promise<JsonObject>;
  /**
   * Returns the items of all pages.
   *
   * @param field the field with the items of a page, or a function that returns them
   * @throws ServiceError as `call`, and `answer-endless` if a page token repeats or the limit of pages is exceeded
   */
  list(request: RestCall, field: string | ItemsOf): Promise<readonly JsonObject[]>;
  /**
   * Returns the items of all pages of a collection by its path, for collections without a description in this project.
   *
   * @throws ServiceError as `list`
   */
  listAt(place: PlaceCall): Promise<readonly JsonObject[]>;
}

interface PlaceCall {
  readonly service: keyof typeof bases;
  /** Path after the service's base, for example `projects/P/global/sslPolicies`; each part is escaped. */
  readonly path: string;
  readonly field: string;
  readonly purpose: string;
  readonly signal: AbortSignal;
}

type ItemsOf = (page: JsonObject) => readonly JsonObject[];

/** Options of {@link createRestApi}. */
export interface RestOptions {
  /**
   * Base URL of one service that replaces all APIs; requests over plain HTTP carry no credentials.
   *
   * @default - each API's own
   */
  readonly endpoint?: string | undefined;
  readonly http?: HttpClient;
  /**
   * Returns the headers of the caller's credentials for a URL.
   *
   * @default - the headers of application default credentials
   */
  readonly credentials?: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** Timeout of each search for credentials, in milliseconds. @default 30_000 */
  readonly credentialsTimeoutMs?: number;
}

const versions: Readonly<Record<string, string>> = {
  certificatemanager: "v1",
  cloudbilling: "v1",
  cloudresourcemanager: "v3",
  compute: "v1",
  dns: "v1",
  monitoring: "v3",
  privateca: "v1",
  serviceusage: "v1",
};

/** Prefixes of the services that are called by path: the host, and the part that follows any host. */
const bases = {
  certificatemanager: { host: "https://certificatemanager.googleapis.com/", root: "v1/" },
  compute: { host: "https://compute.googleapis.com/", root: "compute/v1/" },
  networksecurity: { host: "https://networksecurity.googleapis.com/", root: "v1/" },
} as const;

/**
 * Creates a client of the APIs that this project has descriptions of. Credentials are loaded at the first call over
 * HTTPS.
 *
 * @throws InputError `endpoint-malformed` for an endpoint with more than a host and a port
 */
export function createRestApi(options: RestOptions = {}): RestApi {
  const { http = createHttpClient(), credentialsTimeoutMs = requestTimeoutMs } = options;
  const credentials = options.credentials ?? applicationDefaultCredentials();
  const endpoint = options.endpoint === undefined ? undefined : readEndpoint(options.endpoint).href;
  const send = async (
    { method, url, headers, body }: Prepared,
    { purpose, signal }: Pick<RestCall, "purpose" | "signal">,
  ): Promise<JsonObject> => {
    signal.throwIfAborted();
    const secret = url.startsWith("https:")
      ? await credentialsInTime(credentials(url), credentialsTimeoutMs, signal)
      : {};
    try {
      const { text } = await http.send({
        method,
        url,
        headers: { ...headers, ...secret },
        ...defined({ body }),
        purpose,
        retries: { repeatable: true },
        signal,
      });
      return readObject(text, purpose);
    } catch (error) {
      throw error instanceof ServiceError && error.status === 401 ? refusedCredentials(error) : error;
    }
  };
  const call: RestApi["call"] = ({ method, parameters, body, purpose, signal }) => {
    const request = ownDescription(descriptionOf(method)).request(method, {
      parameters,
      ...defined({ body, endpoint }),
    });
    return send(request, { purpose, signal });
  };
  return {
    call: async (request) => call(request),
    list: (request, field) =>
      allPages(`${request.purpose}: `, async (pageToken) => {
        const parameters = pageToken === "" ? request.parameters : { ...request.parameters, pageToken };
        return pageOf(await call({ ...request, parameters }), field);
      }),
    listAt: ({ service, path, field, purpose, signal }) => {
      const { host, root } = bases[service];
      const escaped = path.split("/").map(encodeURIComponent).join("/");
      const url = new URL(`${root}${escaped}`, endpoint ?? host);
      return allPages(`${purpose}: `, async (pageToken) => {
        if (pageToken !== "") url.searchParams.set("pageToken", pageToken);
        return pageOf(await send({ method: "GET", url: url.href }, { purpose, signal }), field);
      });
    },
  };
}

interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

function pageOf(answer: JsonObject, field: string | ItemsOf): Page<JsonObject> {
  const items = typeof field === "string" ? objectsOf(answer[field]) : field(answer);
  return { items, nextPageToken: restText(answer.nextPageToken) };
}

function descriptionOf(method: string): OwnDescriptionId {
  const api = method.slice(0, method.indexOf("."));
  const id = `${api}:${versions[api]}`;
  if (!isOwnDescriptionId(id)) throw new BugError(`${method} has no description`);
  return id;
}

/** Limits the time for credentials. The libraries that load credentials wait for a token without a timeout. */
async function credentialsInTime<Headers>(
  found: Promise<Headers>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Headers> {
  try {
    return await withTimeLimit(found, milliseconds, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : serviceError("looking for credentials", error);
  }
}

/** Returns the credentials that the Certificate Manager client uses as well, shared by all calls. */
function applicationDefaultCredentials(): NonNullable<RestOptions["credentials"]> {
  let client: ReturnType<typeof createCertificateManagerClient> | undefined;
  return async (url) => {
    client ??= createCertificateManagerClient();
    try {
      const headers = await client.auth.getRequestHeaders(url);
      return Object.fromEntries(headers);
    } catch (cause) {
      const error = credentialsError(cause) ?? serviceError("asking for a token", cause);
      const { code, retryable } = error;
      throw new ServiceError(`looking for credentials: ${error.message}`, { code, retryable, cause });
    }
  };
}

function readObject(text: string, purpose: string): JsonObject {
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch (cause) {
    throw new ServiceError(`${purpose}: the answer is not JSON`, { code: "answer-malformed", retryable: false, cause });
  }
  if (isFields(value)) return value;
  throw new ServiceError(`${purpose}: the answer is not a JSON object`, { code: "answer-malformed", retryable: false });
}

/** Returns the objects of a list; empty if the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isFields);
}

/** Returns a text; empty if the value is not a text. */
export function restText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
