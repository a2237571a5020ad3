import { defined } from "../../../json/defined";
import type { VerifyTarget } from "../../../live/verify";
import type { SourceMigration } from "../../../source";
import type { Io } from "../../command";
import type { Connections } from "../../connections";
import type { ValueType } from "../../declare";
import * as load from "../../load";
import { ipAddress } from "../../value-types";
import type { VerifyReport } from "./render";

export interface PreviousProvider {
  /** Addresses from options. */
  readonly addresses: readonly string[];
  /** Whether to also use the addresses in the plan and in DNS. */
  readonly asks: boolean;
  /** Name server for the look-ups, as in `127.0.0.1:5353`. @default - the machine's own resolvers */
  readonly server?: string;
}

export type Compared = Pick<VerifyReport, "comparisons" | "findings">;

/** Side that `--against` names: an address, or `previous`. */
export const previousProvider: ValueType<string> = {
  read: (given, option) => (given === "previous" ? given : ipAddress.read(given, option)),
  refuses: ["next", "address-malformed"],
};

/** Returns the previous provider that `--against` names; `undefined` if the option is not given. */
export function readPreviousProvider({
  against,
  dnsServer: server,
}: {
  readonly against: readonly string[];
  readonly dnsServer: string | undefined;
}): PreviousProvider | undefined {
  if (against.length === 0) return undefined;
  const addresses = against.filter((side) => side !== "previous");
  return { addresses, asks: addresses.length < against.length, ...defined({ server }) };
}

export interface ComparedWith {
  readonly targets: readonly VerifyTarget[];
  readonly migrations: readonly SourceMigration[];
  readonly connections: Connections;
  readonly withinMs: number;
}

/**
 * Compares what clients can do at the previous provider with what they can do at the load balancer, at every address of
 * both.
 */
export async function compareWith(
  { addresses: given, asks, server }: PreviousProvider,
  { targets, migrations, connections, withinMs }: ComparedWith,
  io: Io,
): Promise<Compared> {
  const { compareProviders, previousAddresses } = load.verify();
  const { createLookUp } = load.dns();
  const { signal } = io;
  const now = () => io.now().getTime();
  const deadline = now() + withinMs;
  const lookUp = asks ? createLookUp(server ?? connections.rehearsal?.nameServer, signal) : undefined;
  const failures = new Map<string, string[]>();
  const previous = await previousAddresses(targets, {
    migrations,
    given,
    onFailedLookUp: (hostname, reason) => failures.set(hostname, [...(failures.get(hostname) ?? []), reason]),
    ...(lookUp === undefined
      ? {}
      : {
          lookUp: async (name, type) =>
            now() < deadline ? lookUp(name, type) : { ok: false, detail: "the time was over" },
        }),
    random: Math.random,
  });
  const sides = new Map<string, readonly string[]>();
  for (const { hostname, addresses } of targets) {
    sides.set(hostname, [...new Set([...(sides.get(hostname) ?? []), ...addresses])]);
  }
  return compareProviders({
    pairs: [...sides].map(([hostname, addresses]) => ({
      hostname,
      previous: previous.get(hostname) ?? [],
      loadBalancer: addresses,
      ...defined({ failedLookUps: failures.get(hostname) }),
    })),
    served: targets.map(({ hostname }) => hostname),
    shakeHands: (address, hostname, as) => connections.shakeHands(address, hostname, { ...as, confirm: false }),
    // Each hostname has a connection to both providers at the same time.
    concurrency: Math.ceil(connections.concurrency / 2),
    deadline,
    now,
    signal,
    random: Math.random,
  });
}
