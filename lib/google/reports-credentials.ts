import type { AuthClient, GoogleAuth } from "google-auth-library";
import { InputError, ServiceError } from "../errors";
import { environmentFetch, type HttpClient } from "../http";
import { quote } from "../text/quote";
import { credentialsError } from "./credentials";
import { delegationError, publicTokenUrl, reportsScope, signedTokens, withoutCause } from "./signed-tokens";
import { inTime, requestTimeoutMs } from "./time-limit";

/** What signing asks of the credentials of the caller; the token for the reports never has it. */
const signingScope = "https://www.googleapis.com/auth/iam";
const publicSigningUrl = "https://iamcredentials.googleapis.com";
/** In place of a project: without one the library asks `gcloud` and the metadata server for the user's. */
const noProject = "-";

/** Who asks for the administrators' log. */
export interface ReportsCredentialsOptions {
  /** The administrator as whom a service account asks, by domain-wide delegation. @default - nobody: the credentials ask in their own name */
  readonly subject?: string;
  /**
   * The service account that asks, or that acts for `subject`. IAM Credentials signs for it, so that no key of it is needed; the application default
   * credentials need `roles/iam.serviceAccountTokenCreator` on it.
   *
   * @default - that of the application default credentials
   */
  readonly serviceAccount?: string;
  /** File of the credentials. @default - where application default credentials are */
  readonly keyFile?: string;
  /** In place of Google's token service, as `CLOUDSDK_AUTH_TOKEN_HOST` has it for gcloud. @default "https://oauth2.googleapis.com/token" */
  readonly tokenUrl?: string;
  /** In place of Google's IAM Credentials. @default "https://iamcredentials.googleapis.com" */
  readonly signingUrl?: string;
  /** @default - one with the usual limits */
  readonly http?: HttpClient;
  /** @default the machine's clock */
  readonly now?: () => Date;
}

/** Credentials for the administrators' log. */
export interface ReportsCredentials {
  /** The project that the requests of a user count for, where the credentials name one. */
  readonly quotaProject?: string;
  /**
   * An access token with the scope `admin.reports.audit.readonly` alone, renewed before it ends.
   *
   * @throws ServiceError `delegation-refused`, `signing-refused`, `credentials-refused` or `token-unavailable`; no token and no key is in its message
   */
  readonly token: () => Promise<string>;
}

/**
 * Finds the credentials that ask for the administrators' log: the application default credentials themselves, a service account by its key file, or one
 * without a key, for which IAM Credentials signs.
 *
 * @throws ServiceError `credentials-missing` or `credentials-unreadable`; InputError `service-account-missing` where nobody could sign for `subject`, or
 *     `endpoint-malformed`
 */
export async function reportsCredentials(options: ReportsCredentialsOptions = {}): Promise<ReportsCredentials> {
  const tokenUrl = checkUrl(options.tokenUrl ?? publicTokenUrl, "token service");
  const signingUrl = checkUrl(options.signingUrl ?? publicSigningUrl, "signing service");
  const { subject } = options;
  const auth = findCredentials(options, reportsScope, tokenUrl);
  const client = await clientOf(auth);
  const signer = await signerOf(options, client, auth);
  const quotaProject = client.quotaProjectId ?? undefined;
  const own = { ...(quotaProject === undefined ? {} : { quotaProject }) };
  if (signer === undefined) return { ...own, token: () => tokenOf(client, subject) };
  const caller = await callerOf(options, client, signer, tokenUrl);
  const headers = (url: string) => headersOf(caller, url);
  const { http, now } = options;
  const token = signedTokens({
    signer,
    headers,
    tokenUrl,
    signingUrl,
    ...(subject === undefined ? {} : { subject }),
    ...(http === undefined ? {} : { http }),
    ...(now === undefined ? {} : { now }),
  });
  return { token };
}

/** The way to the network of the library, which knows one address of the token service. It goes through the proxy of the environment, as all requests do. */
function transportTo(tokenUrl: string): { readonly fetchImplementation: typeof fetch } {
  const send = environmentFetch();
  const fetchImplementation = ((input: string | URL, init?: RequestInit) =>
    send(String(input) === publicTokenUrl ? tokenUrl : input, init)) as typeof fetch;
  return { fetchImplementation };
}

function findCredentials(options: ReportsCredentialsOptions, scope: string, tokenUrl: string): GoogleAuth {
  const { GoogleAuth } = library();
  return new GoogleAuth({
    projectId: noProject,
    scopes: [scope],
    ...(options.keyFile === undefined ? {} : { keyFilename: options.keyFile }),
    clientOptions: {
      transporterOptions: transportTo(tokenUrl),
      ...(options.subject === undefined || scope !== reportsScope ? {} : { subject: options.subject }),
    },
  });
}

async function clientOf(auth: GoogleAuth): Promise<AuthClient> {
  try {
    return await auth.getClient();
  } catch (cause) {
    throw withoutCause(credentialsError(cause) ?? cause);
  }
}

/** The service account that IAM Credentials has to sign for; nobody where the credentials have a key of their own, or ask in their own name. */
async function signerOf(
  { subject, serviceAccount }: ReportsCredentialsOptions,
  client: AuthClient,
  auth: GoogleAuth,
): Promise<string | undefined> {
  if (serviceAccount !== undefined) return serviceAccount;
  if (subject === undefined || client instanceof library().JWT) return undefined;
  // What a user has logged in with is asked nothing: it is no service account.
  const found =
    client instanceof library().UserRefreshClient
      ? undefined
      : await auth.getCredentials().catch((): { readonly client_email?: string } => ({}));
  if (found?.client_email !== undefined) return found.client_email;
  const message = `${quote(subject)} can't be impersonated by these credentials, which are of no service account; name one with --service-account, on which you have roles/iam.serviceAccountTokenCreator`;
  throw new InputError("service-account-missing", message);
}

/** Who asks IAM Credentials to sign. */
async function callerOf(
  options: ReportsCredentialsOptions,
  client: AuthClient,
  signer: string,
  tokenUrl: string,
): Promise<AuthClient> {
  if (client instanceof library().Impersonated && client.getTargetPrincipal() === signer) {
    // The right to sign for the account is that of whoever acts as it, not the account's own.
    const { sourceClient } = client as unknown as { readonly sourceClient: AuthClient };
    sourceClient.transporter.defaults = { ...sourceClient.transporter.defaults, ...transportTo(tokenUrl) };
    return sourceClient;
  }
  return clientOf(findCredentials(options, signingScope, tokenUrl));
}

async function tokenOf(client: AuthClient, subject: string | undefined): Promise<string> {
  try {
    const { token } = await inTime(client.getAccessToken(), requestTimeoutMs, new AbortController().signal);
    if (typeof token === "string" && token !== "") return token;
  } catch (cause) {
    throw delegationError(refusalOf(cause), subject) ?? tokenFailure(cause);
  }
  throw new ServiceError("the token service gave no token", { code: "token-unavailable", retryable: true });
}

async function headersOf(caller: AuthClient, url: string): Promise<Readonly<Record<string, string>>> {
  try {
    const asked = caller.getRequestHeaders(url);
    return Object.fromEntries(await inTime(asked, requestTimeoutMs, new AbortController().signal));
  } catch (cause) {
    throw tokenFailure(cause);
  }
}

function refusalOf(cause: unknown): { readonly word: string; readonly sentence: string } | undefined {
  const { response } = cause as { readonly response?: { readonly data?: unknown } };
  const { error, error_description: sentence } = (response?.data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof error !== "string") return undefined;
  return { word: error, sentence: typeof sentence === "string" ? `${error}: ${sentence}` : error };
}

/** Why there is no token. That nobody answers is no fault of the credentials. */
function tokenFailure(cause: unknown): unknown {
  const { code, message = "" } = cause as { readonly code?: unknown; readonly message?: string };
  const ofCredentials = message.startsWith("no answer within") ? undefined : credentialsError(cause);
  if (ofCredentials !== undefined) return withoutCause(ofCredentials);
  const why = typeof code === "string" ? code : message;
  const unreachable = `the token service could not be reached: ${why}`;
  return new ServiceError(unreachable, { code: "token-unavailable", retryable: true });
}

/** A token goes over https, or to this machine. */
function checkUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (url !== undefined && isAllowed && url.username === "" && url.search === "") return url.href.replace(/\/$/, "");
  const message = `the ${what} ${quote(text)} can't be used; use https://HOST/, without user and query, or http:// to this machine`;
  throw new InputError("endpoint-malformed", message);
}

/** It takes time to load: only who needs credentials pays for it. */
function library(): typeof import("google-auth-library") {
  return require("google-auth-library") as typeof import("google-auth-library");
}
