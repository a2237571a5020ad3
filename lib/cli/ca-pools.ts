import type { ObserveOptions } from "../live/status";
import type { Io } from "./command";
import * as load from "./load";
import { endpointOf } from "./options";

/** Returns a reader of CA pools that connects when the first pool is read: most migrations have none. */
export function caPoolReader(
  options: Parameters<typeof endpointOf>[0],
  io: Io,
): NonNullable<ObserveOptions["caPools"]> {
  const { createRestApi, privateCaReader } = load.google();
  return {
    authorities: (pool, signal) =>
      privateCaReader(createRestApi({ endpoint: endpointOf(options, io) })).authorities(pool, signal),
  };
}
