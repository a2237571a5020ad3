import { InputError, ServiceError } from "../errors";
import { quote } from "../quote";

/** Code of google.rpc for what is not there. */
export const notFound = 5;
const hints: Readonly<Record<number, string>> = {
  7: "; the caller needs roles/certificatemanager.viewer or more, and the API has to be enabled",
  16: "; run 'gcloud auth application-default login', or give the runner a service account",
};
/** Codes of google.rpc that say nothing of the request itself: deadline, quota, internal, unavailable. */
const passing = new Set([4, 8, 13, 14]);

export type Client = InstanceType<typeof import("@google-cloud/certificate-manager").CertificateManagerClient>;

/**
 * The client of Certificate Manager, with application default credentials; it is handed out when it has them.
 *
 * @param endpoint base URL of another service with the same interface; plain HTTP is asked without credentials
 * @throws InputError `endpoint-malformed`
 */
export function connectCertificateManager(endpoint?: string): () => Promise<Client> {
  const client = createCertificateManagerClient(endpoint);
  return async () => {
    // Nothing but credentials is looked at here. Where this fails within a method that lists, the client leaves a rejection that nobody can handle, and the process ends.
    await client.initialize().catch((cause: unknown) => {
      throw credentialsError(cause) ?? cause;
    });
    return client;
  };
}

/** The client itself, for its credentials. */
export function createCertificateManagerClient(endpoint?: string): Client {
  // The client takes half a second and 40 MB to load: only who asks the service pays for it.
  const { CertificateManagerClient } =
    require("@google-cloud/certificate-manager") as typeof import("@google-cloud/certificate-manager");
  type Options = NonNullable<ConstructorParameters<typeof CertificateManagerClient>[0]>;
  return new CertificateManagerClient({ fallback: true, ...endpointOptions(endpoint) } as Options);
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
  const ofCredentials = error instanceof ServiceError || !isOfKeys(error) ? error : credentialsError(error);
  if (ofCredentials instanceof ServiceError) {
    const { code, retryable, cause } = ofCredentials;
    return new ServiceError(`${what}: ${ofCredentials.message}`, { code, retryable, cause });
  }
  return new ServiceError(`${what}: ${message ?? String(error)}${hints[code ?? -1] ?? ""}`, {
    code: code === undefined ? "service-unreachable" : "service-refused",
    retryable: code === undefined || passing.has(code),
    cause: error,
  });
}

/**
 * What is wrong with application default credentials, by what came of looking for them; nothing where it was the network. The text of what can't be
 * read is not told: it is a secret.
 */
export function credentialsError(cause: unknown): ServiceError | undefined {
  const { message = "", code } = cause as { readonly message?: string; readonly code?: unknown };
  if (message.includes("Could not load the default credentials")) {
    return new ServiceError(`there are no credentials${hints[16]}`, {
      code: "credentials-missing",
      retryable: false,
      cause,
    });
  }
  if (typeof code === "string" && networkCode.test(code)) return undefined;
  const named = process.env.GOOGLE_APPLICATION_CREDENTIALS ?? "";
  const file =
    named === "" ? "the file of application default credentials" : `GOOGLE_APPLICATION_CREDENTIALS=${quote(named)}`;
  const why = cause instanceof SyntaxError ? "it is no JSON" : isOfKeys(cause) ? "its private key is none" : message;
  const otherwise = named === "" ? "" : "name the key file of a service account, or unset the variable and ";
  return new ServiceError(`${file} can't be used: ${why}; ${otherwise}run 'gcloud auth application-default login'`, {
    code: "credentials-unreadable",
    retryable: false,
    cause,
  });
}

const networkCode = /^(?:ECONN\w*|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|\d+)$/;

/** Whether a private key was no private key. */
function isOfKeys(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && code.startsWith("ERR_OSSL_");
}

function endpointOptions(endpoint: string | undefined): object {
  if (endpoint === undefined) return {};
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InputError(
      "endpoint-malformed",
      `endpoint ${quote(endpoint)} is not a URL; use http://HOST:PORT or https://HOST`,
    );
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new InputError(
      "endpoint-malformed",
      `endpoint ${quote(endpoint)} has more than a host and a port, which the client can't use; use http://HOST:PORT or https://HOST`,
    );
  }
  const secure = url.protocol === "https:";
  const address = {
    apiEndpoint: url.hostname,
    port: Number(url.port) || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
  };
  // A credential is never sent in clear.
  const withoutCredentials = {
    fetch: (input: string | URL, init?: RequestInit) => fetch(input, init),
    getProjectId: async () => "",
    getClient: async () => ({}),
  };
  return secure ? address : { ...address, auth: withoutCredentials };
}
