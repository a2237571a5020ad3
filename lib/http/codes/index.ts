import { type CodeTable, error } from "../../findings/codes";

/** Codes for responses, or missing responses, of Google and other services. */
export const serviceErrors = {
  "service-refused": error("A service refused the request", "look at its reason: a permission, a quota, a name"),
  "credentials-refused": error(
    "A service does not accept the credentials (HTTP 401): a login that ended, a deleted key, a revoked or expired token",
    "run 'gcloud auth application-default login', or give a new token or key",
  ),
  "service-timeout": error(
    "A service did not answer in time",
    "try again, or allow more time where the command takes one",
  ),
  "service-unreachable": error(
    "A service could not be reached",
    "look at the network, the proxy and the name of the host",
  ),
  "body-too-large": error("An answer is larger than what is read", "look at whether the address is the service's"),
  "answer-cut": error("An answer ended too early", "run the command again"),
  "answer-too-large": error("An answer is larger than the limit", "check that the address is the service's"),
  "answer-malformed": error(
    "An answer is not what the service sends",
    "look at the endpoint, and at proxies before it",
  ),
  "answer-endless": error("A listing of a service has no end", "look at the endpoint"),
  "token-unavailable": error(
    "The credentials are missing",
    "run 'gcloud auth application-default login', or give a token",
  ),
  "endpoint-malformed": error("An endpoint is not valid", "use http://HOST:PORT or https://HOST"),
  "proxy-malformed": error("A variable for the proxy holds none", "use http://HOST:PORT, or unset it"),
  "url-invalid": error("A URL can't be asked for", "use http or https, without user and password"),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof serviceErrors, true> {}
}
