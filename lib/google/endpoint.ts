import { InputError } from "../errors";
import { quote } from "../text/quote";

/**
 * The base URL of a service that answers in place of Google's: a host and a port. Nothing behind them could be kept by every client, and what one of them dropped would
 * be asked of somewhere else than was meant.
 *
 * @throws InputError `endpoint-malformed`
 */
export function readEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw malformed(`endpoint ${quote(endpoint)} is not a URL`);
  }
  if (url.username !== "" || url.password !== "") {
    // Not shown: what stands there is a secret.
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
