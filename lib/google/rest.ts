import { isOwnDescriptionId, type OwnDescriptionId, ownDescription } from "../discovery";
import { BugError, ServiceError } from "../errors";
import { createHttpClient, type HttpClient } from "../http";
import { createCertificateManagerClient, serviceError } from "./client";
import { credentialsError, refusedCredentials } from "./credentials";
import { readEndpoint } from "./endpoint";
import { inTime, requestTimeoutMs } from "./time-limit";

/** An object of JSON, of which nothing is known yet; untrusted. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parameters of a method by name. */
type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface RestCall {
  /** As in `dns.managedZones.list`. */
  readonly method: string;
  readonly parameters: Parameters;
  readonly body?: object;
  /** What is being attempted, for messages, as in `listing zones of p`. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** Asks Google's APIs by their descriptions. */
export interface RestApi {
  /** @throws ServiceError where the service refuses or does not answer, or its answer is no JSON object */
  call(request: RestCall): Promise<JsonObject>;
  /**
   * The items of all pages.
   *
   * @param field that holds the items of a page, or what finds them
   * @throws ServiceError as `call`, and `answer-endless` for pages that lead back to themselves
   */
  list(request: RestCall, field: string | ItemsOf): Promise<readonly JsonObject[]>;
  /**
   * The items of all pages of a collection by its path, for collections that no description of this project has.
   *
   * @throws ServiceError as `list`
   */
  listAt(place: PlaceCall): Promise<readonly JsonObject[]>;
}

interface PlaceCall {
  readonly service: keyof typeof bases;
  /** Behind the service's base, as in `projects/P/global/sslPolicies`; each part is escaped. */
  readonly path: string;
  /** That holds the items of a page. */
  readonly field: string;
  readonly purpose: string;
  readonly signal: AbortSignal;
}

type ItemsOf = (page: JsonObject) => readonly JsonObject[];

export interface RestOptions {
  /** Base URL of a service that answers for all of them; plain HTTP is asked without credentials. @default - each API's own */
  readonly endpoint?: string | undefined;
  /** @default - one with the usual limits */
  readonly http?: HttpClient;
  /** Headers of the caller's credentials for a URL. @default - those of application default credentials */
  readonly credentials?: (url: string) => Promise<Readonly<Record<string, string>>>;
  /** How long the credentials may be looked for, each time. @default 30_000 */
  readonly credentialsTimeoutMs?: number;
}

/** Versions of the APIs that are asked. */
const versions: Readonly<Record<string, string>> = {
  cloudbilling: "v1",
  cloudresourcemanager: "v3",
  compute: "v1",
  dns: "v1",
  serviceusage: "v1",
};

/** What stands before the paths of a service that is asked by path: its own host, and what follows any host. */
const bases = {
  compute: { host: "https://compute.googleapis.com/", root: "compute/v1/" },
  networksecurity: { host: "https://networksecurity.googleapis.com/", root: "v1/" },
} as const;

const mostPages = 1_000;

/**
 * A client of the APIs of which this project has descriptions. Credentials are looked for at the first call over HTTPS.
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
        ...(body === undefined ? {} : { body }),
        purpose,
        // The few that are posted only ask.
        repeatable: true,
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
      ...(body === undefined ? {} : { body }),
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    return send(request, { purpose, signal });
  };
  return {
    call: async (request) => call(request),
    list: (request, field) =>
      allPages(request.purpose, field, (pageToken) =>
        call(pageToken === "" ? request : { ...request, parameters: { ...request.parameters, pageToken } }),
      ),
    listAt: ({ service, path, field, purpose, signal }) => {
      const { host, root } = bases[service];
      const escaped = path.split("/").map(encodeURIComponent).join("/");
      const url = new URL(`${root}${escaped}`, endpoint ?? host);
      return allPages(purpose, field, (pageToken) => {
        if (pageToken !== "") url.searchParams.set("pageToken", pageToken);
        return send({ method: "GET", url: url.href }, { purpose, signal });
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

/** @param ask for the page of a token, the empty one first */
async function allPages(
  purpose: string,
  field: string | ItemsOf,
  ask: (pageToken: string) => Promise<JsonObject>,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  let pageToken = "";
  do {
    seen.add(pageToken);
    const page = await ask(pageToken);
    for (const item of typeof field === "string" ? objectsOf(page[field]) : field(page)) items.push(item);
    pageToken = textOf(page.nextPageToken);
    if (seen.has(pageToken) && pageToken !== "") throw endless(purpose, "a page leads back to itself");
    if (seen.size > mostPages) throw endless(purpose, `there are more than ${mostPages} pages`);
  } while (pageToken !== "");
  return items;
}

function descriptionOf(method: string): OwnDescriptionId {
  const api = method.slice(0, method.indexOf("."));
  const id = `${api}:${versions[api]}`;
  if (!isOwnDescriptionId(id)) throw new BugError(`there is no description of ${method}`);
  return id;
}

/** The libraries that look for credentials wait for a token without end. */
async function credentialsInTime<Headers>(
  found: Promise<Headers>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Headers> {
  try {
    return await inTime(found, milliseconds, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : serviceError("looking for credentials", error);
  }
}

/** One set of credentials for everything: those with which Certificate Manager is asked. */
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
    throw new ServiceError(`${purpose}: the answer is no JSON`, { code: "answer-malformed", retryable: false, cause });
  }
  if (isObject(value)) return value;
  throw new ServiceError(`${purpose}: the answer is no JSON object`, { code: "answer-malformed", retryable: false });
}

function endless(purpose: string, why: string): ServiceError {
  return new ServiceError(`${purpose}: ${why}`, { code: "answer-endless", retryable: false });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; none where it is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list; none where it is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** A text; the empty one where it is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
