import { getDomain, getPublicSuffix } from "tldts";

/** Names are checked before they come here; the ICANN part of the list alone counts. */
const ICANN_ONLY = { allowPrivateDomains: false, extractHostname: false, validateHostname: false } as const;

/**
 * Domains below which no public authority certifies anything, each with the document that says so.
 *
 * The names reserved for documentation (`example`, `example.com`, `example.net`, `example.org`: RFC 6761, section 6.5) are missing on purpose:
 * no authority certifies them either, but nobody owns one by mistake, and every manual and test is written with them.
 *
 * A top-level domain that is on no list at all is accepted: new ones are delegated faster than a package is updated.
 */
const NOT_PUBLIC: ReadonlyMap<string, string> = new Map([
  ["localhost", "RFC 6761, section 6.3"],
  ["test", "RFC 6761, section 6.2"],
  ["invalid", "RFC 6761, section 6.4"],
  ["local", "RFC 6762, section 3"],
  ["onion", "RFC 7686: it is not in the DNS, where the authorization would have to be"],
  ["alt", "RFC 9476"],
  ["home.arpa", "RFC 8375"],
  ["in-addr.arpa", "CA/Browser Forum ballot SC-086"],
  ["ip6.arpa", "CA/Browser Forum ballot SC-086"],
  ["internal", "ICANN board resolution 2024.07.29.06"],
  ["intranet", "RFC 6762, appendix G"],
  ["private", "RFC 6762, appendix G"],
  ["lan", "RFC 6762, appendix G"],
  ["corp", "ICANN board resolution 2018.02.04.12"],
  ["home", "ICANN board resolution 2018.02.04.12"],
  ["mail", "ICANN board resolution 2018.02.04.12"],
]);

/** A domain that is out of reach for public authorities. */
export interface NotPublic {
  /** The reserved domain, as in `local`. */
  readonly domain: string;
  /** The document that reserves it. */
  readonly source: string;
}

/**
 * The reserved domain that a name equals or lies below.
 *
 * @param name lower-case A-labels without `*.` and trailing dot
 */
export function notPublic(name: string): NotPublic | undefined {
  const last = name.lastIndexOf(".");
  const secondLast = last === -1 ? -1 : name.lastIndexOf(".", last - 1);
  for (const domain of [name.slice(last + 1), name.slice(secondLast + 1)]) {
    const source = NOT_PUBLIC.get(domain);
    if (source !== undefined) return { domain, source };
  }
  return undefined;
}

/**
 * Whether a name is itself a public suffix, such as `co.uk`.
 *
 * Only suffixes of registries count (the ICANN part of the Public Suffix List). Those of companies (`github.io`, `run.app`) don't: they
 * are ordinary domains of one owner, who may have them certified and may have `*.github.io` certified too. The baseline requirements of the
 * CA/Browser Forum (section 3.2.2.6) draw the same line.
 *
 * @param name lower-case A-labels without `*.` and trailing dot
 */
export function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, ICANN_ONLY) === name;
}

/**
 * The public suffix and the one label before it; nothing for a public suffix.
 *
 * @param name lower-case A-labels without `*.` and trailing dot
 */
export function domainUnderPublicSuffix(name: string): string | undefined {
  return getDomain(name, ICANN_ONLY) ?? undefined;
}
