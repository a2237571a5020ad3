import { type AddressInfo, BlockList, createServer, isIP, type Server, type Socket } from "node:net";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { createAnswerer, type Respond } from "./answer";
import type { ClientCertificates } from "./client-certificates";
import type { ClientHello } from "./client-hello";
import { performHandshake, type TlsListenerLimits } from "./connection";
import { createSecureContexts, type SecureContexts } from "./contexts";
import type { HandshakeReport } from "./report";
import type { CertificateSelection } from "./select";

/** Where a listener listens. */
interface ListenerPlace {
  /** An address in 127.0.0.0/8, or `::1`. */
  readonly address: string;
  /** Port; 0 for a free port. */
  readonly port: number;
}

export interface TlsListenerOptions {
  /** Returns the certificate for a client; called once per ClientHello. */
  readonly certificates: (hello: ClientHello) => CertificateSelection;
  /**
   * Returns what is required of the client of a new connection; undefined if no client certificate is requested.
   *
   * @default - no client certificate is requested
   */
  readonly clients?: () => ClientCertificates | undefined;
  /** Returns whether TLS 1.2 is refused; called once per ClientHello. @default - TLS 1.2 is accepted */
  readonly needsTls13?: () => boolean;
  /** Returns the time with which the dates of clients' certificates are compared. @default - the machine's clock */
  readonly now?: () => Date;
  /** Called once per handshake, after its end. */
  readonly onHandshake?: (report: HandshakeReport) => void;
  /** Returns the JSON body of each answer; the status is 200. @default - the request and its handshake */
  readonly respond?: Respond;
  /** Cache of TLS contexts. @default - a cache of its own, up to 1,024 contexts */
  readonly contexts?: SecureContexts;
  readonly limits?: Partial<TlsListenerLimits>;
}

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
export async function startTlsListener(place: ListenerPlace, options: TlsListenerOptions): Promise<TlsListener> {
  checkLoopback(place.address);
  const limits = { ...defaultLimits, ...options.limits };
  const settings = {
    limits,
    certificates: options.certificates,
    clients: options.clients ?? (() => undefined),
    needsTls13: options.needsTls13 ?? (() => false),
    now: options.now ?? (() => new Date()),
    contexts: options.contexts ?? createSecureContexts(defaultContexts),
    onHandshake: options.onHandshake ?? (() => {}),
    onSecure: createAnswerer(options.respond ?? JSON.stringify, limits.idleMs),
  };
  const connections = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    performHandshake(socket, settings);
  });
  await listen(server, place);
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

function listen(server: Server, { address, port }: ListenerPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    // Also emitted later if file descriptors run out; existing connections continue then.
    server.on("error", (error) => reject(explainListenError(error, address, port)));
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * Rejects addresses that other machines could reach, because the listeners are for rehearsals and may use real private
 * keys.
 *
 * @throws InputError `listener-address-not-loopback`
 */
export function checkLoopback(address: string): void {
  const family = isIP(address);
  if (family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  throw new InputError(
    "listener-address-not-loopback",
    `${quote(address)} is not a loopback address: use one of 127.0.0.0/8, or ::1`,
  );
}

/** Converts an error of `listen` to an InputError about the address or port; returns any other error unchanged. */
export function explainListenError(error: NodeJS.ErrnoException, address: string, port: number): Error {
  const where = `${address}, port ${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new InputError("listener-address-in-use", `${where} is in use: end what listens there, or choose another`);
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return new InputError(
        "listener-address-unavailable",
        `${address} is not an address of this machine: add it to the loopback interface, or use 127.0.0.1`,
      );
    case "EACCES":
      return new InputError(
        "listener-port-forbidden",
        `${where} may not be listened on by this user: choose a port of 1024 or above`,
      );
    default:
      return error;
  }
}
