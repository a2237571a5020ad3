import { isIP, isIPv6 } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { InputError, type Problem } from "../errors";
import { isSafeToShow, quote } from "../text/quote";
import { isPublicSuffix, notPublic } from "./public-suffix";

declare const hostnameBrand: unique symbol;

/**
 * A DNS name that a public CA may certify: lower-case A-labels, at least two, no trailing dot, at most 253 octets; it
 * may begin with `*.`. Only {@link parseHostname}, {@link readHostname} and {@link readPrivateHostname} create this
 * type, so that other code need not check again. The last accepts names that only a private CA certifies.
 */
export type Hostname = string & { readonly [hostnameBrand]: true };

/**
 * Longest name in octets without its trailing dot (RFC 1035, section 2.3.4, less the root's length octet and the first
 * label's).
 */
const LONGEST_NAME = 253;
/** Longest label in octets (RFC 1035, section 2.3.4). */
const LONGEST_LABEL = 63;

/**
 * Matches almost every input: LDH labels in lower case. All other inputs take the slower path, which also finds the
 * reason for a refusal.
 */
const PLAIN = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Label separators that keyboards and office software produce (UTS 46, section 4.5). */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;

/** A {@link Hostname}, or why the text is not a valid hostname. */
export type HostnameReading = { readonly hostname: Hostname } | { readonly problem: Problem };

/**
 * Reads a hostname as users, files and certificates write it.
 *
 * Normalizes surrounding space, upper case, letters beyond ASCII (to A-labels by UTS 46), ideographic and full-width
 * dots, and one trailing dot. Accepts hyphens in third and fourth place (`r3---sn`), because a wildcard can serve such
 * a host.
 *
 * @throws InputError with one problem; see {@link readHostname} for its codes
 */
export function parseHostname(text: string): Hostname {
  return hostnameIn(readHostname(text));
}

/** Returns the hostname of a reading. @throws InputError with the problem of a refused text */
export function hostnameIn(reading: HostnameReading): Hostname {
  if ("problem" in reading) throw new InputError([reading.problem]);
  return reading.hostname;
}

/**
 * Reads a hostname as {@link parseHostname} does, but returns a refusal as a value.
 *
 * Codes: `hostname-empty`, `hostname-is-reference`, `hostname-control-character`, `hostname-has-scheme`,
 * `hostname-has-path`, `hostname-has-user-info`, `hostname-has-port`, `hostname-is-ip-address`, `hostname-empty-label`,
 * `hostname-bad-wildcard`, `hostname-bad-character`, `hostname-underscore`, `hostname-hyphen-at-edge`,
 * `hostname-label-too-long`, `hostname-too-long`, `hostname-bad-idn`, `hostname-numeric-tld`, `hostname-single-label`,
 * `hostname-not-public`, `hostname-is-public-suffix`, `hostname-wildcard-over-public-suffix`.
 */
export function readHostname(text: string): HostnameReading {
  const reading = readName(text);
  if ("problem" in reading) return reading;
  const problem = policyProblem(reading.hostname, text);
  return problem === undefined ? reading : { problem };
}

/**
 * Reads a hostname as {@link readHostname} does, and accepts names that only a private CA certifies: in reserved
 * domains such as `.internal`, and public suffixes. Single labels are refused.
 */
export function readPrivateHostname(text: string): HostnameReading {
  const reading = readName(text);
  if ("problem" in reading) return reading;
  const problem = policyProblem(reading.hostname, text);
  return problem?.code === "hostname-single-label" ? { problem } : reading;
}

/** Returns whether no public CA certifies a hostname. */
export function isPrivateHostname(hostname: Hostname): boolean {
  return policyProblem(hostname, hostname) !== undefined;
}

/**
 * Returns whether a DNS name, with or without its trailing dot, is in a domain that no public CA certifies and that
 * public DNS does not have, for example `corp.internal.`.
 */
export function isPrivateDomain(dnsName: string): boolean {
  const reading = readPrivateHostname(dnsName);
  return "hostname" in reading && policyProblem(reading.hostname, dnsName)?.code === "hostname-not-public";
}

/** Reads a name without the rules of public CAs. */
function readName(text: string): HostnameReading {
  if (text.length <= LONGEST_NAME && PLAIN.test(text) && !text.includes("xn--")) return { hostname: text as Hostname };
  const name = text.trim().replace(OTHER_DOTS, ".");
  const otherThing = otherThingProblem(name, text);
  if (otherThing !== undefined) return { problem: otherThing };

  const absolute = name.length > 1 && name.endsWith(".") ? name.slice(0, -1) : name;
  const wildcard = absolute.startsWith("*.");
  const base = wildcard ? absolute.slice(2) : absolute;
  const ascii = isAscii(base) ? base.toLowerCase() : toALabels(base, text);
  if (typeof ascii !== "string") return { problem: ascii };

  const hostname = wildcard ? `*.${ascii}` : ascii;
  const problem = nameProblem(ascii, hostname, text);
  return problem === undefined ? { hostname: hostname as Hostname } : { problem };
}

/** Returns whether a hostname begins with `*.`. */
export function isWildcard(hostname: Hostname): boolean {
  return hostname.startsWith("*.");
}

/** Returns the domain whose DNS authorization a hostname needs: the hostname without its `*.`. */
export function baseDomain(hostname: Hostname): Hostname {
  return isWildcard(hostname) ? (hostname.slice(2) as Hostname) : hostname;
}

/**
 * Returns the Unicode form of a hostname, for display beside the A-labels. Never compare or send this form.
 *
 * A name with invisible joiners stays in A-labels.
 */
export function toUnicodeForDisplay(hostname: Hostname): string {
  if (!hostname.includes("xn--")) return hostname;
  const unicode = domainToUnicode(baseDomain(hostname));
  if (unicode === "" || !isSafeToShow(unicode)) return hostname;
  return isWildcard(hostname) ? `*.${unicode}` : unicode;
}

/** Compares texts by code units: a total order that is the same on every machine and in every locale. */
export function compareHostnames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/**
 * Converts a name to A-labels. `domainToASCII` drops, decodes and accepts more than a hostname may contain, so that its
 * input and its output are checked.
 */
function toALabels(base: string, input: string): string | Problem {
  // The conversion is slow, so that its input is limited. No name of 253 octets has more characters than this in any
  // form.
  if (base.length > 4 * LONGEST_NAME) return tooLong(base.length, input);
  const problem = labelProblem(base, input, /[^a-z0-9*_.\u0080-\u{10ffff}-]/iu);
  if (problem !== undefined) return problem;
  const ascii = domainToASCII(base);
  return ascii === "" ? badIdn(input) : ascii;
}

/** Returns what is wrong with a name as a sequence of labels. */
function nameProblem(ascii: string, hostname: string, input: string): Problem | undefined {
  const problem = labelProblem(ascii, input, /[^a-z0-9.-]/);
  if (problem !== undefined) return problem;
  for (const label of ascii.split(".")) {
    if (label.startsWith("-") || label.endsWith("-")) {
      const message = `label ${quote(label)} of ${quote(input)} has a hyphen at its edge: labels begin and end with a letter or digit; correct the name`;
      return { code: "hostname-hyphen-at-edge", message };
    }
    if (label.length > LONGEST_LABEL) {
      const message = `label ${quote(label)} of ${quote(input)} has ${label.length} octets: a label has at most ${LONGEST_LABEL}; shorten it`;
      return { code: "hostname-label-too-long", message };
    }
  }
  if (hostname.length > LONGEST_NAME) return tooLong(hostname.length, input);
  const last = ascii.slice(ascii.lastIndexOf(".") + 1);
  if (/^(?:\d+|0x[\da-f]*)$/.test(last)) return numericProblem(ascii, last, input);
  // A valid A-label is the result of converting its own Unicode form; `xn--abc-` and `xn--a` are invalid.
  if (ascii.includes("xn--") && domainToASCII(domainToUnicode(ascii)) !== ascii) return badIdn(input);
  return undefined;
}

/** Returns what is wrong with the characters of a name. `forbidden` matches the characters that are not allowed. */
function labelProblem(name: string, input: string, forbidden: RegExp): Problem | undefined {
  if (name === "") {
    const message = `${quote(input)} has nothing after '*.': write the domain whose hosts the wildcard is for, as in '*.example.com'`;
    return { code: "hostname-empty-label", message };
  }
  if (name.includes("*")) {
    const message = `${quote(input)} has a '*' where none may be: it stands alone, once and leftmost, as in '*.example.com'; list other names one by one`;
    return { code: "hostname-bad-wildcard", message };
  }
  const found = forbidden.exec(name)?.[0];
  if (found === "_") {
    const message = `${quote(input)} contains '_', which no public CA certifies: use a-z, 0-9 and '-' in labels; rename the host, or serve it by a wildcard`;
    return { code: "hostname-underscore", message };
  }
  if (found !== undefined) {
    const message = `${quote(input)} contains ${quote(found)}: labels are made of letters, digits and '-' and are separated by dots; correct the name`;
    return { code: "hostname-bad-character", message };
  }
  if (name.startsWith(".") || name.endsWith(".") || name.includes("..")) {
    const message = `${quote(input)} has an empty label: a label has 1 to 63 characters; remove the extra dot`;
    return { code: "hostname-empty-label", message };
  }
  return undefined;
}

/** Returns why a well-formed name cannot be certified. */
function policyProblem(hostname: string, input: string): Problem | undefined {
  const wildcard = hostname.startsWith("*.");
  const base = wildcard ? hostname.slice(2) : hostname;
  const reserved = notPublic(base);
  if (reserved !== undefined) {
    const message = `${quote(input)}: no public CA certifies '${reserved.domain}' (${reserved.source}); use a registered domain or a private CA`;
    return { code: "hostname-not-public", message };
  }
  if (!wildcard && !base.includes(".")) {
    const message = `${quote(input)} is a single label: no public CA certifies names without a domain; write the whole name, as in 'shop.example.com'`;
    return { code: "hostname-single-label", message };
  }
  if (!isPublicSuffix(base)) return undefined;
  return wildcard
    ? {
        code: "hostname-wildcard-over-public-suffix",
        message: `${quote(input)} is a wildcard over the public suffix '${base}': CAs refuse these; put '*.' before a domain that you registered, as in '*.example.com'`,
      }
    : {
        code: "hostname-is-public-suffix",
        message: `${quote(input)} is a public suffix, below which others register their domains: CAs don't certify it; write the whole name, as in 'shop.${base}'`,
      };
}

function numericProblem(ascii: string, last: string, input: string): Problem {
  // Resolvers read a name that ends in a number as an IPv4 address, also in hexadecimal, in octal or with fewer parts.
  return /^[\d.]+$/.test(domainToASCII(ascii))
    ? {
        code: "hostname-is-ip-address",
        message: `${quote(input)} is an IP address: certificates are for DNS names only; give the name that clients connect to`,
      }
    : {
        code: "hostname-numeric-tld",
        message: `${quote(input)} ends in the number ${quote(last)}: a top-level domain has a letter, or the name is read as an IP address; correct the last label`,
      };
}

function badIdn(input: string): Problem {
  const message = `${quote(input)} is not a valid internationalized name: labels hold letters and digits of IDNA (UTS 46) or their 'xn--' form; copy the name from your registrar`;
  return { code: "hostname-bad-idn", message };
}

function tooLong(octets: number, input: string): Problem {
  const message = `${quote(input)} has ${octets} octets: a DNS name has at most ${LONGEST_NAME}; shorten it`;
  return { code: "hostname-too-long", message };
}

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
function otherThingProblem(name: string, input: string): Problem | undefined {
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

/**
 * Returns the canonical form of an IPv6 address (RFC 5952), with a zone such as `%eth0` kept. Returns any other text
 * unchanged.
 */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = "", zone] = address.split("%");
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return zone === undefined ? short : `${short}%${zone}`;
}
