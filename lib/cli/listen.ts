import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError } from "../errors";

export interface ListenPlace {
  readonly address: string;
  /** 0 for a free port. */
  readonly port: number;
}

export interface RunningServer {
  /** Base URL, for example `http://127.0.0.1:9000`. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/**
 * Starts to listen.
 *
 * @param option option that names the place, for messages
 * @throws InputError `port-taken`, `port-forbidden`, `listen-impossible`
 */
export async function listenAt(server: Server, { address, port }: ListenPlace, option: string): Promise<RunningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, option, `${address} port ${port}`)));
    server.listen(port, address, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${bound.port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function explain(error: NodeJS.ErrnoException, option: string, where: string): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError("port-taken", `${option}: ${where} is in use: end what listens there, or give another port`);
  }
  if (error.code === "EACCES") {
    return new InputError("port-forbidden", `${option}: ${where} needs more permissions: give a port from 1024`);
  }
  const message = `${option}: can't listen on ${where} (${error.code}): give an address of this machine`;
  return new InputError("listen-impossible", message);
}
