import { isIP, isIPv6 } from "node:net";
import { InputError, type Problem } from "../../errors";
import { canonicalAddress, readHostname } from "../../hostnames";
import { quote } from "../../text/quote";

/** A server to check. */
export interface HostTarget {
  /** A hostname in lower-case A-labels, or an IP address, which is checked without SNI. */
  readonly host: string;
  readonly port: number;
}

type HostReading = { readonly target: HostTarget } | { readonly problem: Problem };

const httpsPort = 443;
const maxHosts = 100_000;
/** Names that no public CA certifies may have a certificate of a private CA, and can be checked as well. */
const privateNames = new Set([
  "hostname-not-public",
  "hostname-single-label",
  "hostname-is-public-suffix",
  "hostname-underscore",
]);

/**
 * Reads one host as `host`, `host:port`, `192.0.2.1:port`, `[2001:db8::1]:port` or a bare address. The port is 443 if
 * none is given.
 *
 * Codes: `host-is-wildcard`, `host-port-malformed` and the codes of {@link readHostname}.
 */
export function readHost(text: string): HostReading {
  const given = text.trim();
  if (isIPv6(given)) return { target: { host: canonicalAddress(given), port: httpsPort } };
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(given);
  if (bracketed !== null && !isIPv6(bracketed[1] ?? "")) {
    const message = `${quote(text)} is not an IPv6 address in brackets; write it as in '[2001:db8::1]:443'`;
    return { problem: { code: "host-malformed", message } };
  }
  const plain = /^([^:/]*)(?::([^:/]*))?$/.exec(given);
  const name = bracketed?.[1] ?? plain?.[1] ?? given;
  const portText = bracketed === null ? plain?.[2] : bracketed[2];
  const port = portText === undefined ? httpsPort : /^\d{1,5}$/.test(portText) ? Number(portText) : 0;
  if (port < 1 || port > 65_535) {
    const message = `the port of ${quote(text)} is not a number from 1 to 65535; write it as in 'shop.example.com:8443'`;
    return { problem: { code: "host-port-malformed", message } };
  }
  if (isIP(name) !== 0) return { target: { host: isIPv6(name) ? canonicalAddress(name) : name, port } };
  if (name.startsWith("*.")) {
    const message = `${quote(text)} is a wildcard, to which no connection is possible; use a hostname that it matches`;
    return { problem: { code: "host-is-wildcard", message } };
  }
  const read = readHostname(name);
  if ("hostname" in read) return { target: { host: read.hostname, port } };
  const lower = name.toLowerCase().replace(/\.$/, "");
  return privateNames.has(read.problem.code) && /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(lower)
    ? { target: { host: lower, port } }
    : { problem: read.problem };
}

/**
 * Reads a list of hosts: one or several on a line, separated by white space or commas; `#` begins a comment.
 *
 * @param source name of the list in messages
 * @returns each host once, in the order of the list
 * @throws InputError with every mistake of the list, each with its line
 */
export function readHostList(text: string, source: string): readonly HostTarget[] {
  const problems: Problem[] = [];
  const targets: HostTarget[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    for (const item of line.replace(/#.*/, "").split(/[\s,]+/)) {
      if (item === "") continue;
      const read = readHost(item);
      if ("target" in read) targets.push(read.target);
      else problems.push({ code: read.problem.code, message: `${source}, line ${index + 1}: ${read.problem.message}` });
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return uniqueHosts(targets);
}

/** Removes repeated hosts. @throws InputError `hosts-too-many` */
export function uniqueHosts(targets: readonly HostTarget[]): readonly HostTarget[] {
  const unique = [...new Map(targets.map((target) => [hostLabel(target), target])).values()];
  if (unique.length > maxHosts) {
    const message = `${unique.length} hosts are given and at most ${maxHosts} are asked in one run; split the list`;
    throw new InputError("hosts-too-many", message);
  }
  return unique;
}

/** Formats a host, for example `shop.example.com:443` and `[2001:db8::1]:443`. */
export function hostLabel({ host, port }: HostTarget): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
