import { ServiceError } from "../errors";
import type { Code } from "../findings/codes";
import { defined } from "../json/defined";
import { quote } from "../text/quote";

const logIn = "run 'gcloud auth application-default login', or give the runner a service account";

/**
 * Returns what is wrong with application default credentials, from the error of the search for them or of the request
 * for a token; undefined for network errors. The message never contains the text of an unreadable file, because it is
 * a secret.
 */
export function credentialsError(cause: unknown): ServiceError | undefined {
  const { message = "" } = cause as { readonly message?: string };
  if (message.includes("Could not load the default credentials")) {
    return permanent("credentials-missing", `no credentials found; ${logIn}`, cause);
  }
  if (isOfNetwork(cause)) return undefined;
  const ofToken = tokenError(cause) ?? answerError(cause);
  if (ofToken !== undefined) return ofToken;
  const why =
    cause instanceof SyntaxError ? "it is not JSON" : isOfKeys(cause) ? "its private key is invalid" : message;
  const named = process.env.GOOGLE_APPLICATION_CREDENTIALS ?? "";
  const otherwise = named === "" ? "" : "name the key file of a service account, or unset the variable and ";
  return permanent(
    "credentials-unreadable",
    `${placeOf(named)} can't be used: ${why}; ${otherwise}run 'gcloud auth application-default login'`,
    cause,
  );
}

/**
 * Returns the error of a token service that refused a token, in the terms of RFC 6749, 5.2; undefined for other errors.
 * Refusals (`invalid_grant` for an expired login or a deleted key, `invalid_client`) last until the user logs in. An
 * outage of the service ends without the user.
 */
export function tokenError(error: unknown): ServiceError | undefined {
  const { response, status } = error as {
    readonly response?: { readonly data?: unknown; readonly status?: unknown };
    readonly status?: unknown;
  };
  // Google's other services return an object in this field.
  const { error: word, error_description: sentence } = (response?.data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof word !== "string") return undefined;
  const said = [word, sentence].filter((text) => typeof text === "string" && text !== "").join(": ");
  const http = Number(status ?? response?.status ?? 0);
  if (isOutage(http)) {
    const message = `the token service gave no token (HTTP ${http}, ${quote(said)})`;
    return new ServiceError(message, { code: "token-unavailable", retryable: true, cause: error });
  }
  const named = process.env.GOOGLE_APPLICATION_CREDENTIALS ?? "";
  const otherwise = named === "" ? "" : "name another key file, or unset the variable and ";
  const remedy = `${otherwise}run 'gcloud auth application-default login'`;
  return permanent("credentials-refused", `${placeOf(named)} is no longer accepted (${quote(said)}); ${remedy}`, error);
}

/**
 * Returns the error of an answer that is not in the terms of RFC 6749, for example the HTML page of a gateway in front
 * of the token service, or the refusal of IAM Credentials; undefined if nothing answered. The key file was readable,
 * because the request was sent.
 */
function answerError(error: unknown): ServiceError | undefined {
  const { response, code } = error as {
    readonly response?: { readonly data?: unknown; readonly status?: unknown };
    readonly code?: unknown;
  };
  const status = Number(response?.status);
  if (Number.isNaN(status)) {
    // The library sets fields of the answer, which fails if the answer is a text; or it misses the token in the answer.
    const { message: said = "" } = error as { readonly message?: string };
    const isOfText = error instanceof TypeError && code === undefined;
    if (!isOfText && !said.startsWith("Could not refresh access token")) return undefined;
    const message = "the token service answered without a token";
    return new ServiceError(message, { code: "token-unavailable", retryable: true, cause: error });
  }
  const { error: refusal } = (response?.data ?? {}) as { readonly error?: { readonly message?: unknown } };
  const said = typeof refusal?.message === "string" ? `, ${quote(refusal.message)}` : "";
  const message = `the token service gave no token (HTTP ${status}${said})`;
  if (isOutage(status)) return new ServiceError(message, { code: "token-unavailable", retryable: true, cause: error });
  if (said !== "") return permanent("credentials-refused", `${message}; ${logIn}`, error);
  return permanent("token-unavailable", `${message}; check the proxy and the address of the token service`, error);
}

/** Returns whether a retry may help, from the HTTP status. */
function isOutage(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Creates the error for HTTP 401. Neither a role nor a retry would help. @param error the service's answer */
export function refusedCredentials(error: ServiceError): ServiceError {
  const { message, reason } = error;
  return new ServiceError(`${message}; the service does not accept the credentials: ${logIn}`, {
    code: "credentials-refused",
    status: 401,
    retryable: false,
    cause: error,
    ...defined({ reason }),
  });
}

export function isOfKeys(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && code.startsWith("ERR_OSSL_");
}

const networkCode = /^(?:ECONN\w*|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|\d+)$/;

/** Returns whether a request got no answer. `fetch` hides the code of the network in the chain of causes. */
function isOfNetwork(error: unknown): boolean {
  if ((error as { readonly response?: unknown }).response !== undefined) return false;
  for (let cause = error; typeof cause === "object" && cause !== null; cause = (cause as Error).cause) {
    const { code, name, message } = cause as { readonly code?: unknown; readonly name?: unknown; message?: unknown };
    if (typeof code === "string" && networkCode.test(code)) return true;
    if (name === "TimeoutError" || name === "AbortError" || message === "fetch failed") return true;
  }
  return false;
}

function placeOf(named: string): string {
  return named === ""
    ? "the file of application default credentials"
    : `GOOGLE_APPLICATION_CREDENTIALS=${quote(named)}`;
}

function permanent(code: Code, message: string, cause: unknown): ServiceError {
  return new ServiceError(message, { code, retryable: false, cause });
}
