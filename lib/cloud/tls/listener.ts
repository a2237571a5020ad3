import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { alpnProtocols, createAnswerer, type Respond } from "./answer";
import type { ClientCertificates } from "./client-certificates";
import type { ClientHello } from "./client-hello";
import { shakeHands } from "./connection";
import { createSecureContexts, type SecureContexts } from "./contexts";
import { checkLoopback, explainListenError } from "./listen-error";
import type { HandshakeReport } from "./report";
import type { Selection } from "./select";

export interface TlsListenerOptions {
  /** An address in 127.0.0.0/8, or `::1`. */
  readonly address: string;
  /** Port; 0 for a free port. */
  readonly port: number;
  /** Returns the certificate for a client; called once per ClientHello. */
  readonly certificates: (hello: ClientHello) => Selection;
  /**
   * Returns what is required of the client of a new connection; undefined if no client certificate is requested.
   *
   * @default - no client certificate is requested
   */
  readonly clients?: () => ClientCertificates | undefined;
  /** Returns the time with which the dates of clients' certificates are compared. @default - the machine's clock */
  readonly now?: () => Date;
  /** Called once per handshake, after its end. */
  readonly onHandshake?: (report: HandshakeReport) => void;
  /**
   * Returns the JSON body of the answer to each request; the status is 200.
   *
   * @default - the request and its handshake
   */
  readonly respond?: Respond;
  /** Cache of TLS contexts. @default - a cache of its own, up to 1,024 contexts */
  readonly contexts?: SecureContexts;
  readonly limits?: Partial<TlsListenerLimits>;
}

export interface TlsListenerLimits {
  /** Milliseconds from the connection to the end of the handshake. @default 10_000 */
  readonly handshakeMs: number;
  /** Milliseconds without traffic after the handshake. @default 60_000 */
  readonly idleMs: number;
  /** Maximum length of a ClientHello, in octets. @default 65_536 */
  readonly helloOctets: number;
}

/** A running listener. */
export interface TlsListener {
  readonly address: string;
  readonly port: number;
  /** Closes the listener and every connection; resolves when all are closed. */
  readonly close: () => Promise<void>;
}

const defaultLimits: TlsListenerLimits = { handshakeMs: 10_000, idleMs: 60_000, helloOctets: 65_536 };
const defaultContexts = 1_024;

/**
 * Starts a listener that answers TLS connections. The ClientHello of each connection selects its certificate.
 *
 * The ClientHello is read before the TLS engine is created, so that each engine starts with the selected certificate.
 * `SNICallback` can't do this before Node 24: it serves the default certificate if the key of the selected certificate
 * is of another kind (nodejs/node#54235). Measured with a default and a selected certificate of ECDSA and RSA: Node
 * 20.20.2 and 22.23.3 serve RSA only by default ECDSA in TLS 1.2, and the reverse in TLS 1.3; 24.21.0 is correct.
 *
 * @throws InputError `listener-address-not-loopback`, `listener-address-in-use`, `listener-address-unavailable`,
 * `listener-port-forbidden`
 */
export async function startTlsListener(options: TlsListenerOptions): Promise<TlsListener> {
  checkLoopback(options.address);
  const limits = { ...defaultLimits, ...options.limits };
  const settings = {
    ...limits,
    alpnProtocols: Buffer.concat(
      alpnProtocols.map((name) => Buffer.from(`${String.fromCharCode(name.length)}${name}`)),
    ),
    certificates: options.certificates,
    clients: options.clients ?? (() => undefined),
    now: options.now ?? (() => new Date()),
    contexts: options.contexts ?? createSecureContexts(defaultContexts),
    onHandshake: options.onHandshake ?? (() => {}),
    onSecure: createAnswerer(options.respond ?? JSON.stringify, limits.idleMs),
  };
  const connections = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    shakeHands(socket, settings);
  });
  await listen(server, options);
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}

function listen(server: Server, { address, port }: TlsListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    // Also emitted later if file descriptors run out; existing connections continue then.
    server.on("error", (error) => reject(explainListenError(error, address, port)));
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
}
