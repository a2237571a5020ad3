import type { SourceMigration, VerifyTarget } from "../../../migrate";
import type { Invocation, Io } from "../../command";
import type { Connections } from "../../connections";
import { readAddresses } from "../../subjects";
import type { VerifyReport } from "./render";

/** The side that serves today. */
export interface OldSide {
  /** Its addresses, as far as they were given. */
  readonly addresses: readonly string[];
  /** Whether plan and DNS are asked as well. */
  readonly asks: boolean;
  /** Whom to ask, as in `127.0.0.1:5353`. @default - the machine's own resolvers */
  readonly server?: string;
}

export type Compared = Pick<VerifyReport, "comparisons" | "findings">;

/**
 * The side of `--against`, where it was given.
 *
 * @throws InputError `address-malformed`
 */
export function readOldSide(options: Invocation["options"]): OldSide | undefined {
  const against = options.against as readonly string[];
  if (against.length === 0) return undefined;
  const given = against.filter((side) => side !== "old");
  const server = options.dnsServer as string | undefined;
  return {
    addresses: readAddresses(given, "--against"),
    asks: given.length < against.length,
    ...(server === undefined ? {} : { server }),
  };
}

interface ComparedWith {
  readonly targets: readonly VerifyTarget[];
  readonly migrations: readonly SourceMigration[];
  readonly connections: Connections;
}

/** Compares what clients can do with the old side and with the load balancer. */
export async function compareWith(
  { addresses: given, asks, server }: OldSide,
  { targets, migrations, connections }: ComparedWith,
  { signal }: Io,
): Promise<Compared> {
  const { compareSides, createLookUp, previousAddresses } =
    require("../../../migrate") as typeof import("../../../migrate");
  const old = await previousAddresses(targets, {
    migrations,
    given,
    ...(asks ? { lookUp: createLookUp(server ?? connections.rehearsal?.nameServer) } : {}),
    random: Math.random,
  });
  // All addresses of a load balancer have the same proxy behind them: one of each hostname tells.
  const sides = new Map(targets.map(({ hostname, addresses }) => [hostname, addresses[0] ?? ""]));
  return compareSides({
    pairs: [...sides].map(([hostname, address]) => ({ hostname, old: old.get(hostname) ?? [], new: address })),
    served: targets.map(({ hostname }) => hostname),
    shakeHands: (address, hostname, as) => connections.shakeHands(address, hostname, as),
    signal,
    random: Math.random,
  });
}
