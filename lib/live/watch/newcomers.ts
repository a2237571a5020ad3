import type { WatchAnswer, WatchSample } from "./model";

/** A hostname that may be new. */
interface Newcomer {
  /** Whether DNS has said that it has no address. */
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
 * New is a hostname for which the first look finds no address, and of which nobody knows one from before. From its first address on, some resolvers go on
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
    newcomer.isDenied ||= samples.some(hasNoAddress);
    newcomer.wasFound ||= newcomer.finders.size > 0;
    newcomer.isNew ||= isLast && newcomer.isDenied && !newcomer.wasFound;
    const isLost = newcomer.wasFound && (!newcomer.isNew || newcomer.finders.size === 0);
    return isLost ? samples : samples.map((sample) => (hasNoAddress(sample) ? absenceOf(sample) : sample));
  }

  /** Forgets what a resolver said: nobody can follow one that answers nobody. */
  forget(resolver: string): void {
    for (const { finders } of this.#newcomers.values()) finders.delete(resolver);
  }
}

function hasNoAddress({ code }: WatchSample): boolean {
  return code === "dns-no-address";
}

function absenceOf({ time, hostname, resolver, detail = "", ms }: WatchSample): WatchAnswer {
  return { kind: "absent", time, hostname, resolver, detail, ms };
}
