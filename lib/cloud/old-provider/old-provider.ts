import { InputError, type Problem } from "../../errors";
import {
  type AnsweredRequest,
  createHandshakeCounter,
  createSecureContexts,
  directEntries,
  type HandshakeCounts,
  type HandshakeReport,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
  startTlsListener,
  type TlsListenerLimits,
} from "../tls";
import type { ThirdPartyCertificate } from "./certificates";
import { closeAll, listenEverywhere } from "./endpoints";

export interface OldProviderOptions {
  /** What it serves, at least one: each for its own names, the first for everybody else. */
  readonly certificates: readonly ThirdPartyCertificate[];
  /**
   * Loopback addresses, in 127/8 or `::1`. The machine's lack of one is no error as long as there is another.
   *
   * @default ["127.0.0.1"]
   */
  readonly addresses?: readonly string[];
  /** The same on every address. @default - one that is free on all of them */
  readonly port?: number;
  /** Told once of each handshake, when it has ended. */
  readonly onHandshake?: (report: HandshakeReport) => void;
  readonly limits?: Partial<TlsListenerLimits>;
}

/** The provider from which a migration leads away, at work. */
export interface OldProvider {
  /** Where it listens; never empty. */
  readonly endpoints: readonly { readonly address: string; readonly port: number }[];
  /** Addresses that this machine doesn't have. */
  readonly unavailable: readonly string[];
  /** Handshakes since the start, over all endpoints. */
  readonly handshakes: () => HandshakeCounts;
  /** Ends all connections and listeners, and waits until they are gone. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the provider.
 *
 * @throws InputError `old-provider-no-certificate`, `old-provider-no-address`, `server-certificate-unreadable`, and as {@link startTlsListener} does
 */
export async function startOldProvider(options: OldProviderOptions): Promise<OldProvider> {
  const entries = directEntries(readCertificates(options.certificates));
  const counter = createHandshakeCounter();
  const contexts = createSecureContexts(Number.POSITIVE_INFINITY);
  const { addresses = ["127.0.0.1"], port = 0 } = options;
  if (addresses.length === 0) {
    throw new InputError("old-provider-no-address", "'addresses' is empty: give one address at least, as in 127.0.0.1");
  }
  const { listeners, unavailable } = await listenEverywhere(addresses, port, (address, port) =>
    startTlsListener({
      address,
      port,
      certificates: (hello) => selectCertificate(hello, entries),
      contexts,
      onHandshake: (report) => {
        counter.add(report);
        options.onHandshake?.(report);
      },
      respond: describe,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    }),
  );
  return {
    endpoints: listeners.map(({ address, port }) => ({ address, port })),
    unavailable,
    handshakes: counter.counts,
    close: () => closeAll(listeners),
  };
}

function describe(request: AnsweredRequest): string {
  return JSON.stringify({ servedBy: "old-provider", ...request });
}

/** All of them, or all that is wrong with them. */
function readCertificates(given: readonly ThirdPartyCertificate[]): readonly ServerCertificate[] {
  if (given.length === 0) {
    throw new InputError(
      "old-provider-no-certificate",
      "'certificates' is empty: the old provider serves one certificate at least",
    );
  }
  const problems: Problem[] = [];
  const certificates = given.flatMap((certificate) => {
    try {
      return [readServerCertificate(certificate)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  return certificates;
}
