import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { checkLoopback, explainListenError } from "../tls";

/** A listener without TLS, for a forwarding rule to a target HTTP proxy. */
export interface HttpListener {
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts a listener that answers every request with 200 and the name of its rule.
 *
 * @throws InputError as `startTlsListener` does
 */
export function startHttpListener(
  address: string,
  port: number,
  respond: (request: { readonly method: string; readonly url: string }) => string,
): Promise<HttpListener> {
  checkLoopback(address);
  const server = createServer(({ method = "GET", url = "/" }, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(respond({ method, url }));
  });
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(explainListenError(error, address, port)));
    server.listen({ host: address, port, exclusive: true }, () => {
      const bound = server.address() as AddressInfo;
      resolve({
        address: bound.address,
        port: bound.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
