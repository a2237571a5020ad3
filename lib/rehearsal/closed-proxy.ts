import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { quote } from "../text/quote";

const status = 403;

/**
 * Starts a proxy that refuses every request, so that programs that use it can reach only this machine. The proxy
 * listens on its own port, so that programs can't reach another proxy by mistake.
 *
 * @param onRefused receives each requested host with its port, for example `pubsub.googleapis.com:443`
 */
export async function startClosedProxy(onRefused: (host: string) => void) {
  const server = createServer((request, response) => {
    const host = hostOf(request.url ?? "");
    onRefused(host);
    response.writeHead(status, { connection: "close" }).end(`${refusal(host)}\n`);
  });
  server.on("connect", ({ url = "" }, socket: Duplex) => {
    onRefused(url);
    // Clients print the status line as their error, so the status line contains the reason.
    socket.on("error", () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${refusal(url)}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns the environment variables that make a program and its child processes use a proxy; loopback addresses are
 * excluded.
 */
export function throughProxy(url: string): Readonly<Record<string, string>> {
  const proxies = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].map((name) => [name, url]);
  const direct = ["NO_PROXY", "no_proxy"].map((name) => [name, "127.0.0.1,::1,localhost"]);
  return Object.fromEntries([...proxies, ...direct]);
}

function refusal(host: string): string {
  return `a rehearsal does not leave this machine: ${quote(host).replace(/[^\x20-\x7e]/g, "?")} is refused`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
