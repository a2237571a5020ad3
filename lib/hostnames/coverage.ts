import { baseDomain, compareHostnames, type Hostname, isWildcard, readHostname } from "./hostname";
import { domainUnderPublicSuffix } from "./public-suffix";

/**
 * Returns whether a name in a certificate covers a host (RFC 9525, section 6.3): the names are equal, or a wildcard
 * covers exactly one label. A wildcard host is covered only by the same wildcard.
 */
export function covers(subject: Hostname, host: Hostname): boolean {
  return subject === host || (isWildcard(subject) && host.slice(host.indexOf(".") + 1) === subject.slice(2));
}

/**
 * Returns how the names of a certificate cover a host (RFC 9525, section 6.3): by its exact name, by a wildcard for its
 * first label, or not.
 *
 * @param names lower-case A-labels
 * @param host lower-case A-labels
 */
export function coverageOf(names: ReadonlySet<string>, host: string): "exact" | "wildcard" | "none" {
  if (names.has(host)) return "exact";
  const parent = host.indexOf(".");
  return parent > 0 && names.has(`*${host.slice(parent)}`) ? "wildcard" : "none";
}

/**
 * Returns the registrable domain of a hostname: its public suffix and one more label, for example `example.co.uk` for
 * `*.shop.example.co.uk`.
 *
 * Only suffixes of registries count. `shop.github.io` therefore belongs to `github.io`, which is its zone and its
 * owner. Undefined if the hostname is itself a public suffix, which no parsed hostname is.
 */
export function registrableDomain(hostname: Hostname): string | undefined {
  return domainUnderPublicSuffix(baseDomain(hostname));
}

/** Returns the registered domain of a name, which is the highest possible zone of the name. */
export function registered(domain: string): string {
  const read = readHostname(domain);
  return "hostname" in read ? (registrableDomain(read.hostname) ?? domain) : domain;
}

/**
 * Groups hostnames by {@link registrableDomain}. Keys and lists are in the order of {@link compareHostnames}, each
 * hostname once.
 */
export function groupByRegistrableDomain(hostnames: Iterable<Hostname>): ReadonlyMap<string, readonly Hostname[]> {
  const groups = new Map<string, Hostname[]>();
  for (const hostname of [...new Set(hostnames)].sort(compareHostnames)) {
    const domain = registrableDomain(hostname) ?? baseDomain(hostname);
    const group = groups.get(domain);
    if (group === undefined) groups.set(domain, [hostname]);
    else group.push(hostname);
  }
  return new Map([...groups].sort(([a], [b]) => compareHostnames(a, b)));
}

/**
 * Returns the longest candidate that equals a domain or is its parent on a label boundary, unchanged; of equal
 * candidates the first. Case and trailing dots are ignored. Undefined if no candidate matches.
 */
export function longestSuffix(domain: string, candidates: Iterable<string>): string | undefined {
  const wanted = `.${withoutTrailingDot(domain)}`;
  let longest: string | undefined;
  let length = 0;
  for (const candidate of candidates) {
    const suffix = withoutTrailingDot(candidate);
    if (suffix.length > length && wanted.endsWith(`.${suffix}`)) {
      longest = candidate;
      length = suffix.length;
    }
  }
  return longest;
}

function withoutTrailingDot(domain: string): string {
  return domain.toLowerCase().replace(/\.$/, "");
}
