import { setTimeout as pause } from "node:timers/promises";
import { createDnsView, readNameServer } from "../live/doctor";
import { resolverAt, type WatchSummary, watchTraffic } from "../live/watch";

/** Options of a watch, and the address of the name server, for example `127.0.0.1:40124`. */
type WatchedMove = Pick<
  Parameters<typeof watchTraffic>[0],
  "hostnames" | "loadBalancerAddresses" | "shakeHands" | "concurrency" | "signal"
> & { readonly nameServer: string };

/** Durations in milliseconds of the machine. `goodMs` is half a minute of the cloud's time at the default speed. */
const goodMs = 1_000;
const everyMs = 100;
const withinMs = 60_000;

/**
 * Watches moved traffic as `cert-migration watch` does, with the answers of a name server, until all of it is good for
 * long enough.
 */
export function watchMove({ nameServer, ...options }: WatchedMove): Promise<WatchSummary> {
  const { signal } = options;
  const view = () => createDnsView({ resolvers: [], signal });
  const server = readNameServer(nameServer, "the name server of the rehearsal");
  return watchTraffic({
    ...options,
    resolvers: [resolverAt("authoritative", server, view(), view())],
    previousAddresses: new Map(),
    everyMs,
    goodMs,
    withinMs,
    now: () => Date.now(),
    sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
    onLine: () => undefined,
  });
}
