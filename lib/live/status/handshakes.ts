import type { SourceMigration } from "../../source";
import { type VerifyOptions, type VerifyTarget, verifyServing } from "../verify";
import { balancerAddresses, hostnamesOf } from "./assess";
import type { Observed } from "./model";
import type { StatusVerification, VerifiedServing } from "./verification";

/** A migration with its observed state. */
export type ObservedMigration = readonly [migration: SourceMigration, observed: Observed];

/** Returns each migration with its observed state, which has the same place in its list. */
export function pairUp(
  migrations: readonly SourceMigration[],
  observed: readonly Observed[],
): readonly ObservedMigration[] {
  return migrations.flatMap((migration, index) => {
    const found = observed[index];
    return found === undefined ? [] : [[migration, found] as const];
  });
}

/**
 * Number of hostnames whose handshakes begin together. What a handshake needs beside its result is freed before the
 * next ones begin, so that 20,000 hostnames fit into little memory.
 */
const targetsAtATime = 1_000;

/** Options of {@link verifyOnce}, as of {@link verifyServing}. */
type VerifyOnceOptions = Pick<VerifyOptions, "shakeHands" | "concurrency" | "signal" | "now" | "sleep" | "random">;

/**
 * Makes one handshake for each hostname at each address of its load balancer. The result has no time: the clocks of
 * this machine and of the service may differ, so times cannot establish an order.
 *
 * @throws the abort reason of the signal
 */
export async function verifyOnce(
  observed: readonly ObservedMigration[],
  { signal, ...options }: VerifyOnceOptions,
): Promise<StatusVerification> {
  const targets = observed.flatMap(([migration, found]) => {
    const addresses = balancerAddresses(migration, found);
    return hostnamesOf(migration).map(({ hostname }) => ({ hostname, addresses }));
  });
  const results: VerifiedServing[] = [];
  for (let from = 0; from < targets.length; from += targetsAtATime) {
    results.push(...(await verifyTargets(targets.slice(from, from + targetsAtATime), { signal, ...options })));
  }
  return { results };
}

async function verifyTargets(
  targets: readonly VerifyTarget[],
  { signal, ...options }: VerifyOnceOptions,
): Promise<readonly VerifiedServing[]> {
  const pairs = new Set(
    targets.flatMap(({ hostname, addresses }) => addresses.map((address) => `${hostname} ${address}`)),
  );
  const once = new AbortController();
  const note = ({ hostname, address }: VerifiedServing) => {
    pairs.delete(`${hostname} ${address}`);
    // Stop after one result for each pair. `verifyServing` would retry failures, but the next check repeats them
    // anyway.
    if (pairs.size === 0) once.abort();
  };
  const results = await verifyServing({
    ...options,
    targets,
    repeat: 1,
    signal: AbortSignal.any([signal, once.signal]),
    onResult: note,
    onRetry: note,
  });
  signal.throwIfAborted();
  return results.map(({ hostname, address, ok, ...result }) =>
    "code" in result
      ? { hostname, address, ok, code: result.code, message: result.message, remedy: result.remedy }
      : { hostname, address, ok },
  );
}
