import { escapeUnsafe, secretNames } from "../text/quote";

const secretParameters = new RegExp(`([?&](?:${secretNames})=)[^&#]*`, "gi");

/**
 * The credentials in a URL, up to the last `@` before its path. URL parsers accept any number of slashes or
 * backslashes, and passwords that contain `@`.
 */
const userInfo = /^([a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@/i;

/** Matches text that cannot contain a secret: it has neither a query nor credentials before the host. */
const harmless = /^[\w/.-]*$/;

/** Returns a URL that is safe in a message: credentials in the query and before the host are masked. */
export function printableUrl(url: string): string {
  if (harmless.test(url)) return url;
  return escapeUnsafe(url.replace(secretParameters, "$1***").replace(userInfo, "$1***@"));
}
