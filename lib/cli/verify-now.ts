import { defined } from "../json/defined";
import type { ObservedMigration, StatusVerification } from "../live/status";
import type { Io } from "./command";
import type { Connections } from "./connections";
import { sleep } from "./duration";
import * as load from "./load";

/** Makes one handshake for each hostname of migrations at each address of its load balancer. */
export function verifyNow(
  observed: readonly ObservedMigration[],
  { shakeHands, concurrency }: Connections,
  { signal, now }: Io,
): Promise<StatusVerification> {
  return load.status().verifyOnce(observed, {
    shakeHands: (address, hostname, client, chainBy) =>
      shakeHands(address, hostname, { chainBy, ...defined({ client }) }),
    concurrency,
    signal,
    now: () => now().getTime(),
    sleep,
    random: Math.random,
  });
}
