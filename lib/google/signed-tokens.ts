import { ServiceError } from "../errors";
import { createHttpClient, type HttpClient } from "../http";
import { quote } from "../text/quote";

/** All that a token may do: read the log. */
export const reportsScope = "https://www.googleapis.com/auth/admin.reports.audit.readonly";
/** Google's token service; also the audience of what is signed, wherever it is sent. */
export const publicTokenUrl = "https://oauth2.googleapis.com/token";

/** So long before its end a token is replaced: a page may take minutes. */
const renewBeforeMs = 5 * 60_000;
const lifetimeSeconds = 3_600;

/** A service account without a key, and who may sign for it. */
export interface SignedTokenOptions {
  /** E-mail address of the service account. */
  readonly signer: string;
  /** The user as whom it asks. @default - it asks in its own name */
  readonly subject?: string;
  /** Headers of whoever may sign for it, for a URL. */
  readonly headers: (url: string) => Promise<Readonly<Record<string, string>>>;
  readonly tokenUrl: string;
  readonly signingUrl: string;
  /** @default - one with the usual limits */
  readonly http?: HttpClient;
  /** @default the machine's clock */
  readonly now?: () => Date;
}

interface Token {
  readonly token: string;
  readonly endsMs: number;
}

/**
 * Tokens of a service account without its key. In its own name IAM Credentials gives one at once. For another user it signs an assertion (RFC 7523), which
 * the token service takes for a token.
 *
 * @returns gives a token that has five minutes left at least; it throws ServiceError `signing-refused`, `delegation-refused`, `credentials-refused`,
 *     `token-unavailable`, or what the network says
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
  { signer, signingUrl, headers }: SignedTokenOptions,
  method: "signJwt" | "generateAccessToken",
  body: object,
  http: HttpClient,
): Promise<Readonly<Record<string, unknown>>> {
  const url = `${signingUrl}/v1/projects/-/serviceAccounts/${encodeURIComponent(signer)}:${method}`;
  try {
    const { text } = await http.send({
      method: "POST",
      url,
      headers: { ...(await headers(url)), "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose: `signing as ${quote(signer)}`,
      repeatable: true,
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
  { tokenUrl }: SignedTokenOptions,
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
      repeatable: true,
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

/** Whether a service said no for good. */
function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === "service-refused" && !error.retryable;
}

/**
 * Why nobody may act as the subject, by what the token service said (RFC 6749, 5.2); nothing for a refusal that is about something else.
 *
 * @param word as in `unauthorized_client`
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

/** An error without its cause: those of libraries carry the request, and with it what must not be seen. */
export function withoutCause(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { message, code, retryable } = error;
  return new ServiceError(message, { code, retryable });
}

function objectIn(text: string, service: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Falls through. What it is instead is not shown: a token may be in it.
  }
  const message = `the answer of ${service} is no JSON object`;
  throw new ServiceError(message, { code: "token-unavailable", retryable: true });
}

function textIn(answer: Readonly<Record<string, unknown>>, field: string, otherwise: string): string {
  const value = answer[field];
  if (typeof value === "string" && value !== "") return value;
  throw new ServiceError(otherwise, { code: "token-unavailable", retryable: true });
}
