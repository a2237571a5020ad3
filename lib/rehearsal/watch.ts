import { setTimeout as pause } from "node:timers/promises";
import { createDnsView, readNameServer } from "../live/doctor";
import type { Handshake } from "../live/verify";
import { resolverAt, type WatchSummary, watchTraffic } from "../live/watch";

export interface WatchedMove {
  readonly hostnames: readonly string[];
  /** Address of the name server, for example `127.0.0.1:40124`. */
  readonly nameServer: string;
  /** Addresses of the load balancer. */
  readonly newAddresses: readonly string[];
  /** Makes a handshake; never rejects. */
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Durations in milliseconds of the machine. `goodMs` is half a minute of the cloud's time at the default speed. */
const goodMs = 1_000;
const everyMs = 100;
const withinMs = 60_000;

/**
 * Watches moved traffic as `cert-migration watch` does, with the answers of a name server, until all of it is good for
 * long enough.
 */
export function watchMove({
  hostnames,
  nameServer,
  newAddresses,
  shakeHands,
  concurrency,
  signal,
}: WatchedMove): Promise<WatchSummary> {
  const view = () => createDnsView({ resolvers: [], signal });
  const server = readNameServer(nameServer, "the name server of the rehearsal");
  return watchTraffic({
    hostnames,
    resolvers: [resolverAt("authoritative", server, view(), view())],
    newAddresses,
    oldAddresses: new Map(),
    shakeHands,
    everyMs,
    goodMs,
    withinMs,
    concurrency,
    signal,
    now: () => Date.now(),
    sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
    onLine: () => undefined,
  });
}
