import { InputError, type Problem } from "../../errors";
import { defined } from "../../json/defined";
import {
  type AnsweredRequest,
  type ClientRequirement,
  createHandshakeCounter,
  createSecureContexts,
  directEntries,
  type HandshakeCounts,
  type HandshakeReport,
  readClientRequirement,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
  startTlsListener,
  type TlsListenerLimits,
} from "../tls";
import type { ThirdPartyCertificate } from "./certificates";
import { closeAll, listenEverywhere } from "./endpoints";

export interface OldProviderOptions {
  /** Certificates, at least one: each for its own names, the first as the default. */
  readonly certificates: readonly ThirdPartyCertificate[];
  /**
   * Loopback addresses, in 127/8 or `::1`. Addresses that the machine lacks are skipped if another address is
   * available.
   *
   * @default ["127.0.0.1"]
   */
  readonly addresses?: readonly string[];
  /** Port on all addresses. @default - a port that is free on all of them */
  readonly port?: number;
  /** What is required of clients. @default - no client certificate is requested */
  readonly clients?: ClientRequirement;
  /** Called once per handshake, after its end. */
  readonly onHandshake?: (report: HandshakeReport) => void;
  readonly limits?: Partial<TlsListenerLimits>;
}

/** The running server of the previous provider. */
export interface OldProvider {
  /** Listening addresses; never empty. */
  readonly endpoints: readonly { readonly address: string; readonly port: number }[];
  /** Addresses that this machine lacks. */
  readonly unavailable: readonly string[];
  /** Returns the handshakes of all endpoints since the start. */
  readonly handshakes: () => HandshakeCounts;
  /** Closes all connections and listeners; resolves when all are closed. */
  readonly close: () => Promise<void>;
}

/**
 * Starts the previous provider's server.
 *
 * @throws InputError `old-provider-no-certificate`, `old-provider-no-address`, `server-certificate-unreadable`, and as
 * {@link startTlsListener} does
 */
export async function startOldProvider(options: OldProviderOptions): Promise<OldProvider> {
  const entries = directEntries(readCertificates(options.certificates));
  const counter = createHandshakeCounter();
  const contexts = createSecureContexts(Number.POSITIVE_INFINITY);
  const clients = options.clients && readClientRequirement(options.clients);
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
      clients: () => clients,
      onHandshake: (report) => {
        counter.add(report);
        options.onHandshake?.(report);
      },
      respond: describe,
      ...defined({ limits: options.limits }),
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

/** Reads all certificates. @throws InputError with all problems */
function readCertificates(given: readonly ThirdPartyCertificate[]): readonly ServerCertificate[] {
  if (given.length === 0) {
    throw new InputError(
      "old-provider-no-certificate",
      "'certificates' is empty: the previous provider serves at least one certificate",
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
