let loaded: typeof import("tldts") | undefined;

/** Loads the list of public suffixes on first use: it takes a twentieth of the time to load the package. */
function publicSuffixes(): typeof import("tldts") {
  loaded ??= require("tldts") as typeof import("tldts");
  return loaded;
}

/** Names are validated before these calls; only the ICANN part of the list counts. */
const ICANN_ONLY = { allowPrivateDomains: false, extractHostname: false, validateHostname: false } as const;

/**
 * Domains below which no public CA issues certificates, each with the document that reserves it.
 *
 * The names reserved for documentation (`example`, `example.com`, `example.net`, `example.org`: RFC 6761, section 6.5)
 * are omitted on purpose. CAs do not certify them either, but users do not enter them by mistake, and manuals and tests
 * contain them.
 *
 * A top-level domain that is on no list at all is accepted: new top-level domains are delegated faster than a package
 * is updated.
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

/** A domain that public CAs do not certify. */
export interface NotPublic {
  /** The reserved domain, for example `local`. */
  readonly domain: string;
  /** The document that reserves the domain. */
  readonly source: string;
}

/**
 * Returns the reserved domain that a name equals or is below.
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
 * Returns whether a name is itself a public suffix, such as `co.uk`.
 *
 * Only suffixes of registries count (the ICANN part of the Public Suffix List). Suffixes of companies (`github.io`,
 * `run.app`) do not count: they are ordinary domains of one owner. The owner may get certificates for them and for
 * `*.github.io`. The baseline requirements of the CA/Browser Forum (section 3.2.2.6) make the same distinction.
 *
 * @param name lower-case A-labels without `*.` and trailing dot
 */
export function isPublicSuffix(name: string): boolean {
  return publicSuffixes().getPublicSuffix(name, ICANN_ONLY) === name;
}

/**
 * Returns the public suffix and the one label before it; undefined for a public suffix.
 *
 * @param name lower-case A-labels without `*.` and trailing dot
 */
export function domainUnderPublicSuffix(name: string): string | undefined {
  return publicSuffixes().getDomain(name, ICANN_ONLY) ?? undefined;
}
