import { InputError } from "../errors";
import { quote } from "../text/quote";

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
