import { InputError, ServiceError } from "../errors";
import { printableMessage, proxyFor } from "../http";
import { defined } from "../json/defined";
import { quote } from "../text/quote";
import { authorizedFetch, callHeader, createPace, type Pace } from "./authorized-fetch";
import { credentialsError, isOfKeys, refusedCredentials, tokenError } from "./credentials";
import { abortedInTime, withTimeLimit } from "./time-limit";

/** NOT_FOUND: code of google.rpc for resources that do not exist. */
export const notFound = 5;
/** UNAUTHENTICATED: code of google.rpc for credentials that the service does not accept. */
const unauthenticated = 16;
const hints: Readonly<Record<number, string>> = {
  7: "; the caller needs roles/certificatemanager.viewer or more, and the API has to be enabled",
};
/** Codes of google.rpc that do not concern the request itself: deadline, quota, internal, unavailable. */
const passing = new Set([4, 8, 13, 14]);

/**
 * Placeholder for the client's project, because resource names contain their project. Without a project, the client
 * queries `gcloud` and the metadata server before its first request, which takes seconds if neither is available.
 */
const noProject = "-";

const publicEndpoint = new URL("https://certificatemanager.googleapis.com");

export type Client = InstanceType<typeof import("@google-cloud/certificate-manager").CertificateManagerClient>;

/** Options of one call of the client, which make it stop with its signal. */
export interface CallOptions {
  readonly autoPaginate: false;
  readonly otherArgs: { readonly headers: Readonly<Record<string, string>> };
}

/**
 * Calls the client of Certificate Manager. A call that takes too long, or whose signal is aborted, ends with its
 * requests and downloads.
 */
export type CallCertificateManager = <Result>(
  call: (client: Client, options: CallOptions) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

/**
 * Returns a function that calls the client of Certificate Manager, with application default credentials.
 *
 * @param endpoint base URL of another service with the same interface; requests over plain HTTP carry no credentials
 * @param timeoutMs timeout of one call, in milliseconds
 * @param pace as for {@link createCertificateManagerClient}
 * @throws InputError `endpoint-malformed`
 */
export function connectCertificateManager(
  endpoint: string | undefined,
  timeoutMs: number,
  pace?: Pace,
): CallCertificateManager {
  const signals = new Map<string, AbortSignal>();
  const client = createCertificateManagerClient(endpoint, pace, signals);
  let calls = 0;
  return async (call, signal) => {
    // Only the credentials are checked here. If this fails within a list method, the client leaves an unhandled
    // rejection, which ends the process.
    await withTimeLimit(client.initialize().catch(failToken), timeoutMs, signal);
    calls += 1;
    const id = String(calls);
    const options = { autoPaginate: false, otherArgs: { headers: { [callHeader]: id } } } as const;
    try {
      return await abortedInTime(
        (stopping) => {
          signals.set(id, stopping);
          return call(client, options);
        },
        timeoutMs,
        signal,
      );
    } finally {
      signals.delete(id);
    }
  };
}

/**
 * Creates the client itself, without checking its credentials.
 *
 * @param pace keeps its requests within the quota. @default - a new pace
 * @param signals as for {@link authorizedFetch}
 * @throws InputError `endpoint-malformed`; `proxy-malformed`, which the credentials library would report without a
 * helpful message
 */
export function createCertificateManagerClient(
  endpoint?: string,
  pace = createPace(),
  signals?: ReadonlyMap<string, AbortSignal>,
): Client {
  const base = endpoint === undefined ? publicEndpoint : readEndpoint(endpoint);
  // Called only for its errors.
  proxyFor(base);
  // Loading the client takes half a second and 40 MB, so that it is loaded only on use.
  const { CertificateManagerClient } =
    require("@google-cloud/certificate-manager") as typeof import("@google-cloud/certificate-manager");
  type Options = NonNullable<ConstructorParameters<typeof CertificateManagerClient>[0]>;
  const client = new CertificateManagerClient({
    fallback: true,
    projectId: noProject,
    ...endpointOptions(endpoint),
  } as Options);
  const { auth } = client;
  const isSecure = base.protocol === "https:";
  const credentials = async (url: string) => (isSecure ? auth.getRequestHeaders(url).catch(failToken) : []);
  const ask = authorizedFetch({ credentials, pace, ...defined({ signals }) });
  // `ask` uses only method, headers, body and signal of its arguments.
  auth.fetch = ask as typeof auth.fetch;
  return client;
}

/** Throws the error of a request for a token. Later, this error would look like an error of the service itself. */
function failToken(cause: unknown): never {
  throw credentialsError(cause) ?? cause;
}

/** Returns the code of google.rpc; undefined if the service did not answer. */
export function codeOf(error: unknown): number | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "number" ? code : undefined;
}

/** Creates the error for a failed call. @param what the attempted action, for example `reading certificates of P` */
export function serviceError(what: string, error: unknown): ServiceError {
  const code = codeOf(error);
  const { message } = error as { readonly message?: string };
  const ofCredentials =
    error instanceof ServiceError
      ? error
      : (tokenError(error) ?? (isOfKeys(error) ? credentialsError(error) : undefined));
  if (ofCredentials !== undefined) {
    const { code, retryable, cause, status } = ofCredentials;
    return new ServiceError(`${what}: ${ofCredentials.message}`, { code, retryable, cause, ...defined({ status }) });
  }
  if (code === unauthenticated) {
    const refused = { code: "credentials-refused" as const, status: 401, retryable: false, cause: error };
    return refusedCredentials(
      new ServiceError(`${what}: ${printableMessage(message || "the service answered HTTP 401")}`, refused),
    );
  }
  // The client passes on the message of its JSON parser, which quotes the page that it could not parse.
  const said = error instanceof SyntaxError ? "the answer is not JSON" : printableMessage(message || String(error));
  return new ServiceError(`${what}: ${said}${hints[code ?? -1] ?? ""}`, {
    code: code === undefined ? "service-unreachable" : "service-refused",
    retryable: code === undefined || passing.has(code),
    cause: error,
  });
}

function endpointOptions(endpoint: string | undefined): object {
  if (endpoint === undefined) return {};
  const url = readEndpoint(endpoint);
  const secure = url.protocol === "https:";
  const address = {
    apiEndpoint: url.hostname,
    port: Number(url.port) || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
  };
  // Credentials are never sent unencrypted.
  const withoutCredentials = { getProjectId: async () => "", getClient: async () => ({}) };
  return secure ? address : { ...address, auth: withoutCredentials };
}

/**
 * Reads the base URL of a service that replaces Google's: only a host and a port. Some clients would drop anything
 * after them, and would then send requests to the wrong place.
 *
 * @throws InputError `endpoint-malformed`
 */
export function readEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw malformed(`endpoint ${quote(endpoint)} is not a URL`);
  }
  if (url.username !== "" || url.password !== "") {
    // Not shown: the text contains a secret.
    throw malformed("endpoint has a user name or a password, which is sent nowhere");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw malformed(`endpoint ${quote(endpoint)} has more than a host and a port, which the client can't use`);
  }
  return url;
}

function malformed(what: string): InputError {
  return new InputError("endpoint-malformed", `${what}; use http://HOST:PORT or https://HOST`);
}
