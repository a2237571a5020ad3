import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { ChainCertificate } from "./made-chain";

/** Servers that stop at the end of a test. */
export interface Servers extends AsyncDisposable {
  /** Serves a certificate and then sends data, on the given port or a free port. */
  readonly tls: (
    chain: readonly ChainCertificate[],
    options?: TlsOptions & { readonly address?: string; readonly port?: number },
    onConnection?: (socket: Socket) => void,
  ) => Promise<number>;
  /** Starts a TCP server that handles connections with `serve`. */
  readonly tcp: (serve: (socket: Socket) => void, address?: string) => Promise<number>;
  /** Returns the data that clients sent after their handshakes. */
  readonly received: () => string;
}

export function startServers(): Servers {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let received = "";
  const listen = async (server: Server, address = "127.0.0.1", port = 0): Promise<number> => {
    servers.push(server);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, resolve);
    });
    return (server.address() as AddressInfo).port;
  };
  return {
    tls: (chain, { address, port, ...options } = {}, onConnection) => {
      const [leaf] = chain;
      const cert = chain.map(({ pem }) => pem).join("");
      const server = createTlsServer({ cert, key: leaf?.keyPem, ...options }, (socket) => {
        socket.on("error", () => {});
        onConnection?.(socket);
        socket.on("data", (chunk) => {
          received += chunk.toString("latin1");
        });
      });
      server.on("tlsClientError", () => {});
      return listen(server, address, port);
    },
    tcp: (serve, address) => listen(createTcpServer(serve), address),
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
