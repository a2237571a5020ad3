import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";
import { createDnsView, type Handshake, readNameServer, resolverAt, type WatchSummary, watchTraffic } from "../migrate";

export interface WatchedMove {
  readonly cloud: Cloud;
  readonly hostnames: readonly string[];
  /** Never rejects. */
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  readonly signal: AbortSignal;
}

/** In milliseconds of the machine: half a minute of the cloud's time at the usual speed. */
const goodMs = 1_000;
const everyMs = 100;
const withinMs = 60_000;

/** Watches moved traffic as `cert-migration watch` does, by what the cloud's name server says, until all of it is good and stays so. */
export function watchMove({ cloud, hostnames, shakeHands, signal }: WatchedMove): Promise<WatchSummary> {
  const view = () => createDnsView({ resolvers: [], signal });
  const server = readNameServer(cloud.endpoints.dns, "the rehearsal's name server");
  return watchTraffic({
    hostnames,
    resolvers: [resolverAt("authoritative", server, view(), view())],
    newAddresses: [...new Set(cloud.listeners().map(({ ipAddress }) => ipAddress))],
    oldAddresses: new Map(),
    shakeHands,
    everyMs,
    goodMs,
    withinMs,
    signal,
    now: () => Date.now(),
    sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
    onLine: () => undefined,
  });
}
