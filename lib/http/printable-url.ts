import { escapeUnsafe } from "../quote";

const secretParameters = /([?&](?:access_token|oauth_token|bearer_token|token|key|signature)=)[^&#]*/gi;

/** Nothing of it can be a secret: neither a query nor what stands before a host. */
const harmless = /^[\w/.-]*$/;

/** A URL as it may stand in a message: credentials in the query and before the host are masked. */
export function printableUrl(url: string): string {
  if (harmless.test(url)) return url;
  return escapeUnsafe(url.replace(secretParameters, "$1***").replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1***@"));
}
