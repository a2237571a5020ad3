import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { alpnProtocols, createAnswerer, type Respond } from "./answer";
import type { ClientHello } from "./client-hello";
import { shakeHands } from "./connection";
import { createSecureContexts, type SecureContexts } from "./contexts";
import { checkLoopback, explainListenError } from "./listen-error";
import type { HandshakeReport } from "./report";
import type { Selection } from "./select";

export interface TlsListenerOptions {
  /** One of 127.0.0.0/8, or `::1`. */
  readonly address: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Says at once which certificate a client gets; asked once for each hello. */
  readonly certificates: (hello: ClientHello) => Selection;
  /** Told once of each handshake, when it has ended. */
  readonly onHandshake?: (report: HandshakeReport) => void;
  /**
   * Makes the body of the answer to each request, which is JSON with status 200.
   *
   * @default - the request and its handshake, as they are
   */
  readonly respond?: Respond;
  /** @default - up to 1,024 of its own */
  readonly contexts?: SecureContexts;
  readonly limits?: Partial<TlsListenerLimits>;
}

export interface TlsListenerLimits {
  /** Milliseconds from the connection to the end of the handshake. @default 10_000 */
  readonly handshakeMs: number;
  /** Milliseconds without traffic after the handshake. @default 60_000 */
  readonly idleMs: number;
  /** Octets of the longest ClientHello. @default 65_536 */
  readonly helloOctets: number;
}

/** A listener at work. */
export interface TlsListener {
  readonly address: string;
  readonly port: number;
  /** Ends the listener and every connection, and waits until they are gone. */
  readonly close: () => Promise<void>;
}

const defaultLimits: TlsListenerLimits = { handshakeMs: 10_000, idleMs: 60_000, helloOctets: 65_536 };
const defaultContexts = 1_024;

/**
 * Starts to answer TLS connections, each with the certificate that its hello leads to.
 *
 * The hello is read before there is a TLS engine, so that each connection has one with the right certificate from the start. `SNICallback` can't do
 * that on Node 20, where it serves the default certificate if the chosen one's key is of another kind (nodejs/node#54235).
 *
 * @throws InputError `listener-address-not-loopback`, `listener-address-in-use`, `listener-address-unavailable`, `listener-port-forbidden`
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
    // Also heard later, when a connection can't be taken for want of file descriptors: the others go on.
    server.on("error", (error) => reject(explainListenError(error, address, port)));
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
}
