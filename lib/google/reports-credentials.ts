import type { AuthClient, GoogleAuth } from "google-auth-library";
import { signalWithin } from "../async/abort";
import { InputError, ServiceError } from "../errors";
import { environmentFetch, failureWords, type HttpClient } from "../http";
import { defined } from "../json/defined";
import { quote } from "../text/quote";
import { credentialsError } from "./credentials";
import { delegationError, publicTokenUrl, reportsScope, signedTokens, withoutCause } from "./signed-tokens";
import { requestTimeoutMs, withTimeLimit } from "./time-limit";

/** The scope for signing with the caller's credentials. The token for the reports never has this scope. */
const signingScope = "https://www.googleapis.com/auth/iam";
const publicSigningUrl = "https://iamcredentials.googleapis.com";
/** Placeholder for a project. Without a project, the library queries `gcloud` and the metadata server. */
const noProject = "-";

export interface ReportsCredentialsOptions {
  /**
   * The administrator whom a service account impersonates, by domain-wide delegation.
   *
   * @default - the credentials act in their own name
   */
  readonly subject?: string;
  /**
   * The service account that sends the requests, or that impersonates `subject`. IAM Credentials signs for it, so that
   * it needs no key. The application default credentials need `roles/iam.serviceAccountTokenCreator` on it.
   *
   * @default - the service account of the application default credentials
   */
  readonly serviceAccount?: string;
  /** File of the credentials. @default - the location of application default credentials */
  readonly keyFile?: string;
  /**
   * URL that replaces Google's token service, as `CLOUDSDK_AUTH_TOKEN_HOST` does for gcloud.
   *
   * @default "https://oauth2.googleapis.com/token"
   */
  readonly tokenUrl?: string;
  /** URL that replaces Google's IAM Credentials. @default "https://iamcredentials.googleapis.com" */
  readonly signingUrl?: string;
  readonly http?: HttpClient;
  readonly now?: () => Date;
  /**
   * Ends every request for credentials, for a signature and for a token. Its reason is the error of the caller.
   *
   * @default - the timeouts of the requests only
   */
  readonly signal?: AbortSignal;
}

export interface ReportsCredentials {
  /** The project to which a user's requests are charged, if the credentials name one. */
  readonly quotaProject?: string;
  /**
   * Returns an access token with the scope `admin.reports.audit.readonly` only, and renews it before it expires.
   *
   * @throws ServiceError `delegation-refused`, `signing-refused`, `credentials-refused` or `token-unavailable`; its
   * message contains no token and no key
   */
  readonly token: () => Promise<string>;
}

/**
 * Finds the credentials for the administrators' audit log: the application default credentials themselves, a service
 * account with a key file, or a service account without a key, for which IAM Credentials signs.
 *
 * @throws ServiceError `credentials-missing`, `credentials-unreadable`, or `token-unavailable` if the metadata server
 * does not answer; InputError `service-account-missing` if no service account can sign for `subject`, or
 * `endpoint-malformed`; the reason of `signal`
 */
export async function reportsCredentials(options: ReportsCredentialsOptions = {}): Promise<ReportsCredentials> {
  const tokenUrl = checkUrl(options.tokenUrl ?? publicTokenUrl, "token service");
  const signingUrl = checkUrl(options.signingUrl ?? publicSigningUrl, "signing service");
  const { subject } = options;
  const { signal = new AbortController().signal } = options;
  const auth = findCredentials(options, reportsScope, tokenUrl, signal);
  const client = await clientOf(auth, signal);
  const signer = await signerOf(options, client, auth, signal);
  const quotaProject = client.quotaProjectId ?? undefined;
  const own = { ...defined({ quotaProject }) };
  if (signer === undefined) return { ...own, token: () => tokenOf(client, subject, signal) };
  const caller = await callerOf(options, client, signer, tokenUrl, signal);
  const headers = (url: string) => headersOf(caller, url, signal);
  const { http, now } = options;
  const token = signedTokens({ signer, headers, signal, tokenUrl, signingUrl, ...defined({ subject, http, now }) });
  return { token };
}

/**
 * Returns the library's transport, with requests to its fixed token address redirected to `tokenUrl`. Requests use the
 * proxy of the environment, as all requests do, and end with `signal` or after the usual timeout.
 */
function transportTo(tokenUrl: string, signal: AbortSignal): { readonly fetchImplementation: typeof fetch } {
  const send = environmentFetch();
  const fetchImplementation = ((input: string | URL, init: RequestInit = {}) => {
    const given = [signal, init.signal].filter((candidate) => candidate instanceof AbortSignal);
    const url = String(input) === publicTokenUrl ? tokenUrl : input;
    return send(url, { ...init, signal: signalWithin(requestTimeoutMs, ...given) });
  }) as typeof fetch;
  return { fetchImplementation };
}

function findCredentials(
  options: ReportsCredentialsOptions,
  scope: string,
  tokenUrl: string,
  signal: AbortSignal,
): GoogleAuth {
  const { GoogleAuth } = library();
  return new GoogleAuth({
    projectId: noProject,
    scopes: [scope],
    ...defined({ keyFilename: options.keyFile }),
    clientOptions: {
      transporterOptions: transportTo(tokenUrl, signal),
      ...(options.subject === undefined || scope !== reportsScope ? {} : { subject: options.subject }),
    },
  });
}

async function clientOf(auth: GoogleAuth, signal: AbortSignal): Promise<AuthClient> {
  try {
    return await withTimeLimit(auth.getClient(), requestTimeoutMs, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw tokenFailure(cause);
  }
}

/** Returns the service account that IAM Credentials signs for; undefined for credentials with a key of their own. */
async function signerOf(
  { subject, serviceAccount }: ReportsCredentialsOptions,
  client: AuthClient,
  auth: GoogleAuth,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (serviceAccount !== undefined) return serviceAccount;
  if (subject === undefined || client instanceof library().JWT) return undefined;
  // User credentials are not queried for a service account, because they have none.
  const found =
    client instanceof library().UserRefreshClient
      ? undefined
      : await withTimeLimit(auth.getCredentials(), requestTimeoutMs, signal).catch(
          (): { readonly client_email?: string } => ({}),
        );
  signal.throwIfAborted();
  if (found?.client_email !== undefined) return found.client_email;
  const message = `${quote(subject)} can't be impersonated by these credentials, which are of no service account; name one with --service-account, on which you have roles/iam.serviceAccountTokenCreator`;
  throw new InputError("service-account-missing", message);
}

async function callerOf(
  options: ReportsCredentialsOptions,
  client: AuthClient,
  signer: string,
  tokenUrl: string,
  signal: AbortSignal,
): Promise<AuthClient> {
  if (client instanceof library().Impersonated && client.getTargetPrincipal() === signer) {
    // The caller needs the right to sign for the impersonated account; the account itself does not have it.
    const { sourceClient } = client as unknown as { readonly sourceClient: AuthClient };
    sourceClient.transporter.defaults = { ...sourceClient.transporter.defaults, ...transportTo(tokenUrl, signal) };
    return sourceClient;
  }
  return clientOf(findCredentials(options, signingScope, tokenUrl, signal), signal);
}

async function tokenOf(client: AuthClient, subject: string | undefined, signal: AbortSignal): Promise<string> {
  try {
    const { token } = await withTimeLimit(client.getAccessToken(), requestTimeoutMs, signal);
    if (typeof token === "string" && token !== "") return token;
  } catch (cause) {
    signal.throwIfAborted();
    throw delegationError(refusalOf(cause), subject) ?? tokenFailure(cause);
  }
  throw new ServiceError("the token service gave no token", { code: "token-unavailable", retryable: true });
}

async function headersOf(
  caller: AuthClient,
  url: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  try {
    return Object.fromEntries(await withTimeLimit(caller.getRequestHeaders(url), requestTimeoutMs, signal));
  } catch (cause) {
    signal.throwIfAborted();
    throw tokenFailure(cause);
  }
}

function refusalOf(cause: unknown): { readonly word: string; readonly sentence: string } | undefined {
  const { response } = cause as { readonly response?: { readonly data?: unknown } };
  const { error, error_description: sentence } = (response?.data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof error !== "string") return undefined;
  return { word: error, sentence: typeof sentence === "string" ? `${error}: ${sentence}` : error };
}

/** Returns why the token request failed. A service that does not answer is not an error of the credentials. */
function tokenFailure(cause: unknown): unknown {
  const { message = "" } = cause as { readonly message?: string };
  const ofCredentials = message.startsWith("no answer within") ? undefined : credentialsError(cause);
  if (ofCredentials !== undefined) return withoutCause(ofCredentials);
  const unreachable = `the token service could not be reached: ${failureWords(cause)}`;
  return new ServiceError(unreachable, { code: "token-unavailable", retryable: true });
}

/** Checks that the URL uses HTTPS or is on this machine, because it receives a token. */
function checkUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (url !== undefined && isAllowed && url.username === "" && url.search === "") return url.href.replace(/\/$/, "");
  const message = `the ${what} ${quote(text)} can't be used; use https://HOST/, without user and query, or http:// to this machine`;
  throw new InputError("endpoint-malformed", message);
}

/** Loads the credentials library on first use, because loading it takes time. */
function library(): typeof import("google-auth-library") {
  return require("google-auth-library") as typeof import("google-auth-library");
}
