import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";

/** A server on a free port that stops at the end of a test and closes open connections. */
export interface TestServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
}

interface Place {
  /** @default "127.0.0.1" */
  readonly address?: string;
  /** @default - a free one */
  readonly port?: number;
}

/** Starts a TLS server. By default it accepts every client, and ends each connection when the client does. */
export async function serveTls(
  options: TlsOptions,
  place: Place = {},
  take: (socket: TLSSocket) => void = (socket) => socket.resume(),
): Promise<TestServer> {
  const server = createTlsServer(options, (socket) => {
    socket.on("error", () => {});
    take(socket);
  });
  server.on("tlsClientError", () => {});
  return listen(server, place);
}

/** Starts a TCP server that handles connections with `take`. */
export function serveTcp(take: (socket: Socket) => void, place: Place = {}): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    take(socket);
  });
  return listen(server, place);
}

async function listen(server: Server, { address = "127.0.0.1", port = 0 }: Place): Promise<TestServer> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  return {
    address,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
