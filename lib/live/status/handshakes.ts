import type { SourceMigration } from "../../source";
import type { KeyFamily } from "../../tls/key-families";
import { type ChainAuthor, type Handshake, type VerifyOptions, type VerifyTarget, verifyServing } from "../verify";
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
type VerifyOnceOptions = Pick<VerifyOptions, "concurrency" | "signal" | "now" | "sleep" | "random"> & {
  /** Makes one connection; the service composes the chains of managed certificates. Never rejects. */
  readonly shakeHands: (
    address: string,
    hostname: string,
    client: KeyFamily | undefined,
    chainBy: ChainAuthor,
  ) => Promise<Handshake>;
};

/**
 * Makes one handshake for each hostname at each address of its load balancers; several migrations may have the same
 * hostname. The result has no time: the clocks of this machine and of the service may differ, so times cannot establish
 * an order.
 *
 * @throws the abort reason of the signal
 */
export async function verifyOnce(
  observed: readonly ObservedMigration[],
  { shakeHands, ...options }: VerifyOnceOptions,
): Promise<StatusVerification> {
  const addressesOf = new Map<string, Set<string>>();
  const uploaded = new Set<string>();
  for (const [migration, found] of observed) {
    const addresses = balancerAddresses(migration, found);
    for (const { hostname, certificate } of hostnamesOf(migration)) {
      if (certificate?.kind !== "managed") uploaded.add(hostname);
      addressesOf.set(hostname, new Set([...(addressesOf.get(hostname) ?? []), ...addresses]));
    }
  }
  const targets = [...addressesOf].map(([hostname, addresses]) => ({ hostname, addresses: [...addresses] }));
  const isUploaded = (hostname: string) => uploaded.has(hostname) || uploaded.has(hostname.replace(/^[^.]+/, "*"));
  const shake: VerifyOptions["shakeHands"] = (address, hostname, client) =>
    shakeHands(address, hostname, client, isUploaded(hostname) ? "user" : "service");
  const results: VerifiedServing[] = [];
  for (let from = 0; from < targets.length; from += targetsAtATime) {
    const some = targets.slice(from, from + targetsAtATime);
    results.push(...(await verifyTargets(some, { ...options, shakeHands: shake })));
  }
  return { results };
}

async function verifyTargets(
  targets: readonly VerifyTarget[],
  { signal, ...options }: Omit<VerifyOptions, "targets">,
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
      : { hostname, address, ok, fingerprintSha256: result.certificate.fingerprintSha256 },
  );
}
