import type { WatchAnswer, WatchSample } from "./model";
import { noNameServer } from "./resolvers";

/** A hostname that may be new. */
interface Newcomer {
  /** Whether DNS has said that it has no address, or could not be asked for one. */
  isDenied: boolean;
  /** Whether the look is over in which that was said: until then, another resolver may still have an address. */
  isNew: boolean;
  /** Whether anybody has had an address since. */
  wasFound: boolean;
  /** Resolvers whose latest answer had one. */
  readonly finders: Set<string>;
}

/**
 * Tells a hostname that DNS has no address for yet from one that has lost its own: who watches from before the change that makes a name waits for it, and is
 * to be woken by one that clients no longer find.
 *
 * New is a hostname for which the first look finds no address, and of which nobody knows one from before: it does not exist, or its zone is not there or not
 * delegated yet. From its first address on, some resolvers go on
 * without one for as long as the zone lets them remember that there was none (RFC 2308, section 5), those of the public now with and now without, since they
 * have many caches. So it is lost once nobody has an address any more.
 */
export class Newcomers {
  readonly #newcomers: ReadonlyMap<string, Newcomer>;

  /** @param hostnames of which nobody knows an address from before the watch */
  constructor(hostnames: readonly string[]) {
    this.#newcomers = new Map(
      hostnames.map((hostname) => [
        hostname,
        { isDenied: false, isNew: false, wasFound: false, finders: new Set<string>() },
      ]),
    );
  }

  /**
   * What a look brought, where a resolver without an address for a hostname that is new is no failure.
   *
   * @param isLast whether no more comes of this look
   */
  sort(hostname: string, samples: readonly WatchSample[], isLast: boolean): readonly WatchAnswer[] {
    const newcomer = this.#newcomers.get(hostname);
    if (newcomer === undefined) return samples;
    for (const { resolver, address } of samples) {
      if (address === undefined) newcomer.finders.delete(resolver);
      else newcomer.finders.add(resolver);
    }
    newcomer.isDenied ||= samples.some(isNotThere);
    newcomer.wasFound ||= newcomer.finders.size > 0;
    newcomer.isNew ||= isLast && newcomer.isDenied && !newcomer.wasFound;
    const isLost = newcomer.wasFound && (!newcomer.isNew || newcomer.finders.size === 0);
    const isAbsent = newcomer.wasFound ? hasNoAddress : isNotThere;
    return isLost ? samples : samples.map((sample) => (isAbsent(sample) ? absenceOf(sample) : sample));
  }

  /** Forgets what a resolver said: nobody can follow one that answers nobody. */
  forget(resolver: string): void {
    for (const { finders } of this.#newcomers.values()) finders.delete(resolver);
  }
}

function hasNoAddress({ code }: WatchSample): boolean {
  return code === "dns-no-address";
}

/** Whether DNS has no address for the hostname, or no zone that would have one. A forged answer, a loop or a time-out may hide one. */
function isNotThere(sample: WatchSample): boolean {
  const { code, detail = "" } = sample;
  return hasNoAddress(sample) || (code === "dns-failed" && noZone.has(detail)) || detail === noNameServer;
}

/** Response codes of name servers that don't have the zone, and of resolvers that were sent to these. */
const noZone: ReadonlySet<string> = new Set(["NOTAUTH", "REFUSED", "SERVFAIL"]);

function absenceOf({ time, hostname, resolver, detail = "", ms }: WatchSample): WatchAnswer {
  return { kind: "absent", time, hostname, resolver, detail, ms };
}
