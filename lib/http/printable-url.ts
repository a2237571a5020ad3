import { escapeUnsafe, secretNames } from "../text/quote";

const secretParameters = new RegExp(`([?&](?:${secretNames})=)[^&#]*`, "gi");

/** What stands before a host, up to the last `@` before its path: URLs are read with any number of slashes of either kind, and passwords with `@` in them. */
const userInfo = /^([a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@/i;

/** Nothing of it can be a secret: neither a query nor what stands before a host. */
const harmless = /^[\w/.-]*$/;

/** A URL as it may stand in a message: credentials in the query and before the host are masked. */
export function printableUrl(url: string): string {
  if (harmless.test(url)) return url;
  return escapeUnsafe(url.replace(secretParameters, "$1***").replace(userInfo, "$1***@"));
}
