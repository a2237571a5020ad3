import type { WatchAnswer, WatchSample } from "./model";
import { noNameServer } from "./resolvers";

interface NewHostname {
  /** Whether DNS has returned no address, or no zone for the hostname. */
  isDenied: boolean;
  /**
   * Set at the end of the check in which no address was found. Until then, another resolver may still return an
   * address.
   */
  isNew: boolean;
  /** Whether any resolver has returned an address since. */
  wasFound: boolean;
  /** Resolvers whose latest answer had an address. */
  readonly finders: Set<string>;
}

/**
 * Distinguishes hostnames that have no address in DNS yet from hostnames that have lost their address. The watch may
 * start before the change that creates a name: it waits for that name, but reports a name that clients can no longer
 * resolve.
 *
 * A hostname is new if the first check finds no address, and no previous address is known: the name does not exist, or
 * its zone does not exist or is not delegated yet. After the first address appears, some resolvers still return no
 * address while they cache the negative answer (RFC 2308, section 5). Public resolvers may alternate, because they have
 * many caches. So a new hostname is lost only when no resolver has an address.
 */
export class NewHostnames {
  readonly #newHostnames: ReadonlyMap<string, NewHostname>;

  /** Creates a tracker without results. @param hostnames hostnames without an address known from before the watch */
  constructor(hostnames: readonly string[]) {
    this.#newHostnames = new Map(
      hostnames.map((hostname) => [
        hostname,
        { isDenied: false, isNew: false, wasFound: false, finders: new Set<string>() },
      ]),
    );
  }

  /**
   * Converts samples without an address for a new hostname to absences, which are not failures.
   *
   * @param isLast whether the check is complete
   */
  sort(hostname: string, samples: readonly WatchSample[], isLast: boolean): readonly WatchAnswer[] {
    const newHostname = this.#newHostnames.get(hostname);
    if (newHostname === undefined) return samples;
    for (const { resolver, address } of samples) {
      if (address === undefined) newHostname.finders.delete(resolver);
      else newHostname.finders.add(resolver);
    }
    newHostname.isDenied ||= samples.some(isNotThere);
    newHostname.wasFound ||= newHostname.finders.size > 0;
    newHostname.isNew ||= isLast && newHostname.isDenied && !newHostname.wasFound;
    const isLost = newHostname.wasFound && (!newHostname.isNew || newHostname.finders.size === 0);
    const isAbsent = newHostname.wasFound ? hasNoAddress : isNotThere;
    return isLost ? samples : samples.map((sample) => (isAbsent(sample) ? absenceOf(sample) : sample));
  }

  /** Removes the latest answer of a silent resolver, because clients cannot use the resolver. */
  forget(resolver: string): void {
    for (const { finders } of this.#newHostnames.values()) finders.delete(resolver);
  }
}

function hasNoAddress({ code }: WatchSample): boolean {
  return code === "dns-no-address";
}

/** A forged answer, a loop or a time-out does not count, because it may hide an address. */
function isNotThere(sample: WatchSample): boolean {
  const { code, detail = "" } = sample;
  return hasNoAddress(sample) || (code === "dns-failed" && noZone.has(detail)) || detail === noNameServer;
}

/** Response codes of name servers that do not have the zone, and of resolvers that queried these name servers. */
const noZone: ReadonlySet<string> = new Set(["NOTAUTH", "REFUSED", "SERVFAIL"]);

function absenceOf({ time, hostname, resolver, detail = "", ms }: WatchSample): WatchAnswer {
  return { kind: "absent", time, hostname, resolver, detail, ms };
}
