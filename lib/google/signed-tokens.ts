import { ServiceError } from "../errors";
import { createHttpClient, type HttpClient } from "../http";
import { defined } from "../json/defined";
import { type Fields, parseJson } from "../json/fields";
import { quote } from "../text/quote";

/** The only scope of the token: read the log. */
export const reportsScope = "https://www.googleapis.com/auth/admin.reports.audit.readonly";
/** Google's token service. It is also the audience of signed assertions, whatever URL they are sent to. */
export const publicTokenUrl = "https://oauth2.googleapis.com/token";

/** Milliseconds before expiry at which a token is replaced: reading a page may take minutes. */
const renewBeforeMs = 5 * 60_000;
const lifetimeSeconds = 3_600;

/** A service account without a key, and the caller that may sign for it. */
export interface SignedTokenOptions {
  readonly signer: string;
  /** The user whom the service account impersonates. @default - the service account acts in its own name */
  readonly subject?: string;
  /** Returns the headers of the caller that may sign for the service account, for a URL. */
  readonly headers: (url: string) => Promise<Readonly<Record<string, string>>>;
  readonly tokenUrl: string;
  readonly signingUrl: string;
  readonly http?: HttpClient;
  readonly now?: () => Date;
  /** Ends every request. @default - the timeouts of the requests only */
  readonly signal?: AbortSignal;
}

interface Token {
  readonly token: string;
  readonly endsMs: number;
}

/**
 * Creates tokens of a service account without its key. In its own name, IAM Credentials returns a token directly. For
 * another user, it signs an assertion (RFC 7523), which the token service exchanges for a token.
 *
 * @returns a function whose token is valid for at least five minutes. It throws ServiceError `signing-refused`,
 * `delegation-refused`, `credentials-refused`, `token-unavailable`, or the network's error
 */
export function signedTokens(options: SignedTokenOptions): () => Promise<string> {
  const { now = () => new Date(), http = createHttpClient(), subject } = options;
  let kept: Token | undefined;
  return async () => {
    const nowMs = now().getTime();
    if (kept !== undefined && nowMs < kept.endsMs - renewBeforeMs) return kept.token;
    kept =
      subject === undefined
        ? await actingToken(options, http, nowMs)
        : await exchange(await sign(options, subject, http, nowMs), options, subject, http, nowMs);
    return kept.token;
  };
}

async function actingToken(options: SignedTokenOptions, http: HttpClient, nowMs: number): Promise<Token> {
  const body = { scope: [reportsScope], lifetime: `${lifetimeSeconds}s` };
  const answer = await callSigner(options, "generateAccessToken", body, http);
  const token = textIn(answer, "accessToken", "the signing service gave no token");
  const endsMs = Date.parse(String(answer.expireTime));
  return { token, endsMs: Number.isNaN(endsMs) ? nowMs : endsMs };
}

async function sign(options: SignedTokenOptions, subject: string, http: HttpClient, nowMs: number): Promise<string> {
  const issued = Math.floor(nowMs / 1_000);
  const claims = { iss: options.signer, sub: subject, scope: reportsScope, aud: publicTokenUrl };
  const payload = JSON.stringify({ ...claims, iat: issued, exp: issued + lifetimeSeconds });
  const answer = await callSigner(options, "signJwt", { payload }, http);
  return textIn(answer, "signedJwt", "the signing service gave no signature");
}

async function callSigner(
  { signer, signingUrl, headers, signal }: SignedTokenOptions,
  method: "signJwt" | "generateAccessToken",
  body: object,
  http: HttpClient,
): Promise<Fields> {
  const url = `${signingUrl}/v1/projects/-/serviceAccounts/${encodeURIComponent(signer)}:${method}`;
  try {
    const { text } = await http.send({
      method: "POST",
      url,
      headers: { ...(await headers(url)), "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose: `signing as ${quote(signer)}`,
      retries: { repeatable: true },
      ...defined({ signal }),
    });
    return objectIn(text, "the signing service");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const remedy = `the caller needs roles/iam.serviceAccountTokenCreator on ${quote(signer)}, and the API iamcredentials.googleapis.com has to be enabled`;
    throw new ServiceError(`${error.message}; ${remedy}`, { code: "signing-refused", retryable: false });
  }
}

async function exchange(
  assertion: string,
  { tokenUrl, signal }: SignedTokenOptions,
  subject: string,
  http: HttpClient,
  nowMs: number,
): Promise<Token> {
  try {
    const { text } = await http.send({
      method: "POST",
      url: tokenUrl,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString(),
      purpose: `asking for a token of ${quote(subject)}`,
      retries: { repeatable: true },
      ...defined({ signal }),
    });
    const answer = objectIn(text, "the token service");
    const token = textIn(answer, "access_token", "the token service gave no token");
    const seconds = Number(answer.expires_in);
    return { token, endsMs: nowMs + (seconds > 0 ? seconds * 1_000 : 0) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { reason: word = "", message } = error;
    throw (
      delegationError({ word, sentence: message }, subject) ??
      new ServiceError(message, { code: "credentials-refused", retryable: false })
    );
  }
}

/** Returns whether the service refused, so that a retry would not help. */
function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "service-refused" && !error.retryable;
}

/**
 * Returns why the service account may not impersonate the subject, from the token service's answer (RFC 6749, 5.2).
 * Returns undefined for a refusal with another reason.
 *
 * @param word for example `unauthorized_client`
 */
export function delegationError(
  refusal: { readonly word: string; readonly sentence: string } | undefined,
  subject: string | undefined,
): ServiceError | undefined {
  if (refusal === undefined || subject === undefined) return undefined;
  const isOfClient = /^(?:unauthorized_client|access_denied|invalid_scope)$/.test(refusal.word);
  const isOfSubject = refusal.word === "invalid_grant" && /invalid email|user id|account/i.test(refusal.sentence);
  if (!isOfClient && !isOfSubject) return undefined;
  const remedy = isOfClient
    ? `authorize the client ID of the service account for the scope ${reportsScope} in the Admin console (Security, Access and data control, API controls, Domain-wide delegation)`
    : "give an active user of the organization who is an administrator";
  const message = `${quote(subject)} can't be impersonated (${refusal.sentence}); ${remedy}`;
  return new ServiceError(message, { code: "delegation-refused", retryable: false });
}

/** Removes the cause of an error: errors of libraries contain the request, and with it secrets. */
export function withoutCause(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { message, code, retryable } = error;
  return new ServiceError(message, { code, retryable });
}

function objectIn(text: string, service: string): Fields {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null) return value as Fields;
  // The text itself is not shown, because it may contain a token.
  const message = `the answer of ${service} is not a JSON object`;
  throw new ServiceError(message, { code: "token-unavailable", retryable: true });
}

function textIn(answer: Fields, field: string, otherwise: string): string {
  const value = answer[field];
  if (typeof value === "string" && value !== "") return value;
  throw new ServiceError(otherwise, { code: "token-unavailable", retryable: true });
}
