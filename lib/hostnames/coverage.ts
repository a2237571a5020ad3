import { baseDomain, compareHostnames, type Hostname, isWildcard } from "./hostname";
import { domainUnderPublicSuffix } from "./public-suffix";

/**
 * Whether a name in a certificate serves a host (RFC 9525, section 6.3): equal, or a wildcard for exactly one label. A wildcard host is covered by
 * the same wildcard only.
 */
export function covers(subject: Hostname, host: Hostname): boolean {
  return subject === host || (isWildcard(subject) && host.slice(host.indexOf(".") + 1) === subject.slice(2));
}

/**
 * The domain that was registered for a hostname: its public suffix and one label more, as in `example.co.uk` for `*.shop.example.co.uk`.
 *
 * Only suffixes of registries count, so `shop.github.io` belongs to `github.io`: that is where its zone and its owner are. Nothing where the hostname
 * is itself a public suffix, which no parsed hostname is.
 */
export function registrableDomain(hostname: Hostname): string | undefined {
  return domainUnderPublicSuffix(baseDomain(hostname));
}

/** Hostnames by {@link registrableDomain}: keys and lists in the order of {@link compareHostnames}, each hostname once. */
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
 * The longest candidate that equals a domain or is a parent of it on a label boundary, as it was given; the first of equal ones. Case and
 * trailing dots don't matter. Nothing where none fits.
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
