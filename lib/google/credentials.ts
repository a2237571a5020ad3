import { ServiceError } from "../errors";
import { quote } from "../text/quote";

/** The remedy if credentials are missing or are not accepted. */
const logIn = "run 'gcloud auth application-default login', or give the runner a service account";

/**
 * Returns what is wrong with application default credentials, from the error of the search for them; undefined for
 * network errors. The message never contains the text of an unreadable file, because it is a secret.
 */
export function credentialsError(cause: unknown): ServiceError | undefined {
  const { message = "", code } = cause as { readonly message?: string; readonly code?: unknown };
  if (message.includes("Could not load the default credentials")) {
    return permanent("credentials-missing", `no credentials found; ${logIn}`, cause);
  }
  if (typeof code === "string" && networkCode.test(code)) return undefined;
  const ofToken = tokenError(cause);
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
  const said = [word, sentence].filter((one) => typeof one === "string" && one !== "").join(": ");
  const http = Number(status ?? response?.status ?? 0);
  if (http === 408 || http === 429 || http >= 500) {
    const message = `the token service gave no token (HTTP ${http}, ${quote(said)})`;
    return new ServiceError(message, { code: "token-unavailable", retryable: true, cause: error });
  }
  const named = process.env.GOOGLE_APPLICATION_CREDENTIALS ?? "";
  const otherwise = named === "" ? "" : "name another key file, or unset the variable and ";
  const remedy = `${otherwise}run 'gcloud auth application-default login'`;
  return permanent("credentials-refused", `${placeOf(named)} is no longer accepted (${quote(said)}); ${remedy}`, error);
}

/**
 * Creates the error for an API that refuses the caller's credentials (HTTP 401). Neither a role nor a retry would help.
 *
 * @param error the answer of the service
 */
export function refusedCredentials(error: ServiceError): ServiceError {
  const { message, reason } = error;
  return new ServiceError(`${message}; the service does not accept the credentials: ${logIn}`, {
    code: "credentials-refused",
    status: 401,
    retryable: false,
    cause: error,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Returns whether the cause is a malformed private key. */
export function isOfKeys(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && code.startsWith("ERR_OSSL_");
}

const networkCode = /^(?:ECONN\w*|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+|\d+)$/;

function placeOf(named: string): string {
  return named === ""
    ? "the file of application default credentials"
    : `GOOGLE_APPLICATION_CREDENTIALS=${quote(named)}`;
}

function permanent(code: string, message: string, cause: unknown): ServiceError {
  return new ServiceError(message, { code, retryable: false, cause });
}
