import { escapeUnsafe } from "../quote";

const secretParameters = /([?&](?:access_token|oauth_token|bearer_token|token|key|signature)=)[^&#]*/gi;

/** A URL as it may stand in a message: credentials in the query and before the host are masked. */
export function printableUrl(url: string): string {
  return escapeUnsafe(url.replace(secretParameters, "$1***").replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1***@"));
}
