import { escapeUnsafe } from "../../text/quote";
import type { WireRequest } from "./wire";

const noQuery = new URLSearchParams();

/** Returns the caller according to the credentials: the last characters of a token or of an API key, or `anonymous`. */
export function callerOf({ headers, target }: WireRequest): string {
  const question = target.indexOf("?");
  const query = question === -1 ? noQuery : new URLSearchParams(target.slice(question + 1));
  const bearer = headers.authorization === undefined ? undefined : /^Bearer\s+(\S+)/i.exec(headers.authorization)?.[1];
  const token = bearer ?? query.get("access_token") ?? query.get("oauth_token");
  if (token !== null) return `token …${ending(token)}`;
  const key = headers["x-goog-api-key"] ?? query.get("key");
  return key === null ? "anonymous" : `key …${ending(key)}`;
}

/** Returns the end of a secret: enough to distinguish credentials, too short to expose them. */
function ending(secret: string): string {
  return secret.length < 12 ? "" : escapeUnsafe(secret.slice(-4));
}
