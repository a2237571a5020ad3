import { type Handshake, type HandshakeFailure, handshakeRemedies, type ServedCertificate } from "./handshake";

export interface VerifyOptions {
  /** Names to ask for; a wildcard is asked for by a random label. */
  readonly hostnames: readonly string[];
  /** Addresses of the load balancer, IPv4 and IPv6. */
  readonly addresses: readonly string[];
  readonly shakeHands: (address: string, hostname: string) => Promise<Handshake>;
  /** Good handshakes in a row that count as proof; fronts take changes over one after the other. @default 3 */
  readonly repeat?: number;
  /** How long a name may take to become good, counted from the start. @default 10 minutes */
  readonly withinMs?: number;
  /** @default 64 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onResult?: (result: VerifyResult) => void;
}

export type VerifyResult = { readonly hostname: string; readonly address: string } & (
  | { readonly ok: true; readonly protocol: string; readonly certificate: ServedCertificate }
  | { readonly ok: false; readonly code: HandshakeFailure; readonly detail: string; readonly remedy: string }
);

const defaultWithinMs = 10 * 60 * 1000;
const pauseMs = 5_000;

/**
 * Verifies every hostname at every address, independently of each other, so that a dead one holds up no other.
 *
 * @returns a result for each pair, in the order of hostnames and then addresses; fewer where the signal stopped it
 */
export async function verifyServing(options: VerifyOptions): Promise<readonly VerifyResult[]> {
  const pairs = options.hostnames.flatMap((hostname) => options.addresses.map((address) => ({ hostname, address })));
  const results: VerifyResult[] = [];
  const deadline = options.now() + (options.withinMs ?? defaultWithinMs);
  let next = 0;
  const work = async () => {
    while (next < pairs.length && !options.signal.aborted) {
      const index = next;
      next += 1;
      const result = await verifyPair(pairs[index] as (typeof pairs)[number], deadline, options);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency ?? 64, pairs.length) }, work));
  return results.filter((result) => result !== undefined);
}

async function verifyPair(
  pair: { readonly hostname: string; readonly address: string },
  deadline: number,
  { shakeHands, repeat = 3, signal, now, sleep, random }: VerifyOptions,
): Promise<VerifyResult> {
  const { hostname, address } = pair;
  for (let good = 0; ; ) {
    const handshake = await shakeHands(address, probeName(hostname, random));
    if (handshake.ok) {
      good += 1;
      if (good >= repeat) return { hostname, address, ...handshake };
      continue;
    }
    good = 0;
    const failure: VerifyResult = { hostname, address, ...handshake, remedy: handshakeRemedies[handshake.code] };
    if (now() + pauseMs >= deadline || signal.aborted) return failure;
    await sleep(pauseMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) return failure;
  }
}

/** What a client would ask for: a wildcard serves any one label. */
function probeName(hostname: string, random: () => number): string {
  if (!hostname.startsWith("*.")) return hostname;
  const label = Math.floor(random() * 36 ** 8)
    .toString(36)
    .padStart(8, "0");
  return `probe-${label}${hostname.slice(1)}`;
}
