import { setTimeout as pause } from "node:timers/promises";
import { defined } from "../json/defined";
import { createDnsView, readNameServer } from "../live/doctor";
import {
  resolverAt,
  type WatchOptions,
  type WatchSchedule,
  type WatchSubjects,
  type WatchSummary,
  watchTraffic,
} from "../live/watch";

/** Options of a watch, and the address of the name server, for example `127.0.0.1:40124`. */
type WatchedMove = Pick<WatchSubjects, "hostnames" | "loadBalancerAddresses"> &
  Pick<WatchOptions, "shakeHands" | "signal"> &
  Pick<WatchSchedule, "concurrency"> & { readonly nameServer: string };

/** Durations in milliseconds of the machine. `goodMs` is half a minute of the cloud's time at the default speed. */
const schedule: WatchSchedule = { goodMs: 1_000, everyMs: 100, withinMs: 60_000 };

/**
 * Watches moved traffic as `cert-migration watch` does, with the answers of a name server, until all of it is good for
 * long enough.
 */
export function watchMove({
  nameServer,
  hostnames,
  loadBalancerAddresses,
  concurrency,
  ...options
}: WatchedMove): Promise<WatchSummary> {
  const { signal } = options;
  const view = () => createDnsView({ resolvers: [], signal });
  const server = readNameServer(nameServer, "the name server of the rehearsal");
  return watchTraffic({
    ...options,
    resolvers: [resolverAt("authoritative", server, view(), view())],
    subjects: { hostnames, loadBalancerAddresses, previousAddresses: new Map() },
    schedule: { ...schedule, ...defined({ concurrency }) },
    now: () => Date.now(),
    sleep: async (ms, abort) => void (await pause(ms, undefined, { signal: abort })),
    observers: { onLine: () => undefined },
  });
}
