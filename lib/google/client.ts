import { ServiceError } from "../errors";
import { proxyFor } from "../http";
import { authorizedFetch } from "./authorized-fetch";
import { credentialsError, isOfKeys, refusedCredentials, tokenError } from "./credentials";
import { readEndpoint } from "./endpoint";
import { createPace, type Pace } from "./pace";

/** Code of google.rpc for what is not there. */
export const notFound = 5;
/** Code of google.rpc for credentials that the service does not accept. */
const unauthenticated = 16;
const hints: Readonly<Record<number, string>> = {
  7: "; the caller needs roles/certificatemanager.viewer or more, and the API has to be enabled",
};
/** Codes of google.rpc that say nothing of the request itself: deadline, quota, internal, unavailable. */
const passing = new Set([4, 8, 13, 14]);

/**
 * In place of a project for the client: names of resources have theirs in them. Without one it asks `gcloud` and the metadata server for the user's
 * before its first request, which takes seconds wherever there is neither.
 */
const noProject = "-";

const publicEndpoint = new URL("https://certificatemanager.googleapis.com");

export type Client = InstanceType<typeof import("@google-cloud/certificate-manager").CertificateManagerClient>;

/**
 * The client of Certificate Manager, with application default credentials; it is handed out when it has them.
 *
 * @param endpoint base URL of another service with the same interface; plain HTTP is asked without credentials
 * @param pace as {@link createCertificateManagerClient} has it
 * @throws InputError `endpoint-malformed`
 */
export function connectCertificateManager(endpoint?: string, pace?: Pace): () => Promise<Client> {
  const client = createCertificateManagerClient(endpoint, pace);
  return async () => {
    // Nothing but credentials is looked at here. Where this fails within a method that lists, the client leaves a rejection that nobody can handle, and the process ends.
    await client.initialize().catch((cause: unknown) => {
      throw credentialsError(cause) ?? cause;
    });
    return client;
  };
}

/**
 * The client itself, for its credentials.
 *
 * @param pace keeps its requests within the quota. @default - a pace of its own
 * @throws InputError `endpoint-malformed`; `proxy-malformed`, of which the library for credentials would say nothing that helps
 */
export function createCertificateManagerClient(endpoint?: string, pace = createPace()): Client {
  const base = endpoint === undefined ? publicEndpoint : readEndpoint(endpoint);
  // For what it throws alone.
  proxyFor(base);
  // The client takes half a second and 40 MB to load: only who asks the service pays for it.
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
  const credentials = async (url: string) => (isSecure ? auth.getRequestHeaders(url) : []);
  const ask = authorizedFetch({ credentials, pace });
  // Of what is handed on nothing but method, headers, body and signal is looked at.
  auth.fetch = ask as typeof auth.fetch;
  return client;
}

/** Code of google.rpc, where the service answered at all. */
export function codeOf(error: unknown): number | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "number" ? code : undefined;
}

/** @param what was being attempted, as in `reading certificates of projects/p/locations/global` */
export function serviceError(what: string, error: unknown): ServiceError {
  const code = codeOf(error);
  const { message } = error as { readonly message?: string };
  const ofCredentials =
    error instanceof ServiceError
      ? error
      : (tokenError(error) ?? (isOfKeys(error) ? credentialsError(error) : undefined));
  if (ofCredentials !== undefined) {
    const { code, retryable, cause, status } = ofCredentials;
    const known = status === undefined ? {} : { status };
    return new ServiceError(`${what}: ${ofCredentials.message}`, { code, retryable, cause, ...known });
  }
  if (code === unauthenticated) {
    const refused = { code: "credentials-refused", status: 401, retryable: false, cause: error };
    return refusedCredentials(new ServiceError(`${what}: ${message || "the service answered HTTP 401"}`, refused));
  }
  // The client hands on what its parser says, with a piece of somebody's page in it.
  const said = error instanceof SyntaxError ? "the answer is no JSON" : message || String(error);
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
  // A credential is never sent in clear.
  const withoutCredentials = {
    getProjectId: async () => "",
    getClient: async () => ({}),
  };
  return secure ? address : { ...address, auth: withoutCredentials };
}
