import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { ChainCertificate } from "./made-chain";

/** Servers for the length of a test. */
export interface Servers extends AsyncDisposable {
  /** Serves a certificate and what is sent after it; the port is free, or the one given. */
  readonly tls: (
    chain: readonly ChainCertificate[],
    options?: TlsOptions & { readonly address?: string; readonly port?: number },
    onConnection?: (socket: Socket) => void,
  ) => Promise<number>;
  /** Whatever `serve` does with a connection. */
  readonly tcp: (serve: (socket: Socket) => void, address?: string) => Promise<number>;
  /** What clients have sent after their handshakes. */
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
