import { isIP } from "node:net";
import type { Problem } from "../errors";
import { quote } from "../text/quote";

/** Terraform references, templates and cdktf's own placeholders. The last alternative is the text of a number token. */
const REFERENCE = /[$%#]\{|TfToken\[|-8\.1095\d*e\+298/;

const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Returns the problem of an input that is another kind of value: nothing, a reference, a URL or a part of it, an
 * address. Each kind has its own remedy, which is more helpful than "contains a bad character".
 *
 * @param name trimmed, with plain dots
 * @param input the original input, for the message
 */
export function otherThingProblem(name: string, input: string): Problem | undefined {
  const shown = quote(input);
  if (name === "" || name === ".") {
    const message = `${shown} is not a hostname: write the name that clients connect to, as in 'shop.example.com'`;
    return { code: "hostname-empty", message };
  }
  if (REFERENCE.test(name)) {
    const message = `${shown} is a reference, and a hostname must be known before Terraform runs: write the name itself, as in 'shop.example.com'`;
    return { code: "hostname-is-reference", message };
  }
  if (CONTROL_CHARACTER.test(name)) {
    const message = `${shown} contains a control character: a hostname is one line of letters, digits, '-' and dots; remove it`;
    return { code: "hostname-control-character", message };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name)?.[1];
  if (scheme !== undefined || name.startsWith("//")) {
    const message = `${shown} is a URL: write the hostname alone, without ${quote(`${scheme === undefined ? "" : `${scheme}:`}//`)} and whatever follows the name`;
    return { code: "hostname-has-scheme", message };
  }
  if (isIP(name.replace(/^\[|\]$/g, "").replace(/\/\d{1,3}$/, "")) !== 0 || /^\[[^\]:]*:[^\]]*\]/.test(name)) {
    const message = `${shown} is an IP address: certificates are for DNS names only; give the name that clients connect to`;
    return { code: "hostname-is-ip-address", message };
  }
  const path = /[/\\?]|#/.exec(name)?.[0];
  if (path !== undefined) {
    const message = `${shown} contains ${quote(path)}, so it is more than a hostname: paths and queries belong to the URL map; write the name alone`;
    return { code: "hostname-has-path", message };
  }
  if (name.includes("@")) {
    const message = `${shown} has a user or mailbox before '@': write the hostname alone, without it`;
    return { code: "hostname-has-user-info", message };
  }
  if (/^[^:]*:[a-z0-9]*$/i.test(name)) {
    const message = `${shown} has a port: a certificate is for every port of a name; write the name without ':' and what follows`;
    return { code: "hostname-has-port", message };
  }
  return undefined;
}
