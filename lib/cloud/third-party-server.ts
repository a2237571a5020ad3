import { InputError, type Problem } from "../errors";
import { defined } from "../json/defined";
import { type Authority, createAuthority, type PublicKeyAlgorithm } from "./certificate-authority";
import {
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
} from "./tls";

/** A certificate from a third party. */
interface ThirdPartyCertificate {
  /** Name in reports. */
  readonly name: string;
  /** The server's certificate, followed by its intermediates. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

interface ThirdPartyRequest {
  /** DNS names in lower-case A-labels, `*.` allowed; the first name is the certificate's name in reports. */
  readonly names: readonly string[];
  /** @default "rsa-2048" */
  readonly publicKeyAlgorithm?: PublicKeyAlgorithm;
  /** Validity in days. @default 397 */
  readonly validDays?: number;
  /** Start of validity. @default - now */
  readonly notBefore?: Date;
}

/**
 * Maximum validity that public CAs used for a long time, in days (CA/Browser Forum ballot SC-31, with its recommended
 * margin of one day).
 */
const usualDays = 397;

/**
 * Issues certificates from a CA other than the cloud's, for rehearsals without real certificates or without their
 * private keys.
 *
 * @throws InputError as {@link Authority.issue} does
 */
export async function makeThirdPartyCertificates(
  requests: readonly ThirdPartyRequest[],
  { now }: { readonly now: () => Date },
): Promise<{ readonly certificates: readonly ThirdPartyCertificate[]; readonly authority: Authority }> {
  const authority = await createAuthority({ commonName: "Previous Provider", now });
  const certificates = await Promise.all(
    requests.map(async ({ names, publicKeyAlgorithm = "rsa-2048", validDays = usualDays, notBefore }) => {
      const issued = await authority.issue({
        names,
        publicKeyAlgorithm,
        validDays,
        ...defined({ notBefore }),
      });
      return { name: names[0] ?? "", chainPem: issued.chainPem, privateKeyPem: issued.privateKeyPem };
    }),
  );
  return { certificates, authority };
}

interface Listener {
  readonly address: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

interface Endpoints<Listening extends Listener> {
  /** One listener per available address; never empty. */
  readonly listeners: readonly Listening[];
  readonly unavailable: readonly string[];
}

/** Maximum number of attempts to find a port that is free on all addresses. */
const portAttempts = 20;

/**
 * Listens on the same port of all available addresses.
 *
 * @param port 0 for a port that is free on all addresses
 * @param listen throws InputError `listener-address-unavailable` if the machine lacks an address,
 * `listener-address-in-use` if the port is in use
 * @throws InputError of `listen` if no attempt succeeds
 */
export async function listenEverywhere<Listening extends Listener>(
  addresses: readonly string[],
  port: number,
  listen: (address: string, port: number) => Promise<Listening>,
): Promise<Endpoints<Listening>> {
  const listenOnce = async (): Promise<Endpoints<Listening>> => {
    const listeners: Listening[] = [];
    const missing = new Map<string, InputError>();
    try {
      for (const address of addresses) {
        try {
          listeners.push(await listen(address, listeners[0]?.port ?? port));
        } catch (error) {
          if (!isCode(error, "listener-address-unavailable")) throw error;
          missing.set(address, error);
        }
      }
      if (listeners.length === 0) throw new InputError([...missing.values()].flatMap(({ problems }) => problems));
      return { listeners, unavailable: [...missing.keys()] };
    } catch (error) {
      await closeAll(listeners);
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnce();
    } catch (error) {
      if (!isCode(error, "listener-address-in-use") || port !== 0 || attempt === portAttempts) throw error;
    }
  }
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

function isCode(error: unknown, code: string): error is InputError {
  return error instanceof InputError && error.code === code;
}

/** Options of {@link startThirdPartyServer}. */
export interface ThirdPartyServerOptions {
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
export interface ThirdPartyServer {
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
 * @throws InputError `previous-provider-no-certificate`, `previous-provider-no-address`,
 * `server-certificate-unreadable`, and as {@link startTlsListener} does
 */
export async function startThirdPartyServer(options: ThirdPartyServerOptions): Promise<ThirdPartyServer> {
  const entries = directEntries(readCertificates(options.certificates));
  const counter = createHandshakeCounter();
  const contexts = createSecureContexts(Number.POSITIVE_INFINITY);
  const clients = options.clients && readClientRequirement(options.clients);
  const { addresses = ["127.0.0.1"], port = 0 } = options;
  if (addresses.length === 0)
    throw new InputError(
      "previous-provider-no-address",
      "'addresses' is empty: give one address at least, as in 127.0.0.1",
    );
  const { listeners, unavailable } = await listenEverywhere(addresses, port, (address, port) =>
    startTlsListener(
      { address, port },
      {
        certificates: (hello) => selectCertificate(hello, entries),
        contexts,
        clients: () => clients,
        onHandshake: (report) => {
          counter.add(report);
          options.onHandshake?.(report);
        },
        respond: (request) => JSON.stringify({ servedBy: "previous-provider", ...request }),
        ...defined({ limits: options.limits }),
      },
    ),
  );
  return {
    endpoints: listeners.map(({ address, port }) => ({ address, port })),
    unavailable,
    handshakes: counter.counts,
    close: () => closeAll(listeners),
  };
}

/** Reads all certificates. @throws InputError with all problems */
function readCertificates(given: readonly ThirdPartyCertificate[]): readonly ServerCertificate[] {
  if (given.length === 0)
    throw new InputError(
      "previous-provider-no-certificate",
      "'certificates' is empty: the previous provider serves at least one certificate",
    );
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
