import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError } from "../../../errors";
import type { MetricsFormat, MetricsPage } from "../../../live/monitor";

interface MetricsServer {
  /** Base URL, for example `http://127.0.0.1:9000`. */
  readonly url: string;
  close(): Promise<void>;
}

interface MetricsSource {
  /** Returns the metrics of the latest pass. */
  readonly page: (format: MetricsFormat) => Promise<MetricsPage>;
  /** Whether a pass ended recently. */
  readonly isHealthy: () => boolean;
}

/**
 * Serves `/metrics`, in the format that the request accepts, and `/healthz`. It answers everybody who can connect, with
 * hostnames and ids of certificates, which are not secret.
 *
 * @throws InputError `port-taken`, `port-forbidden`, `listen-impossible`
 */
export async function serveMetrics(
  { address, port }: { readonly address: string; readonly port: number },
  source: MetricsSource,
): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(request, response, source));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, `${address} port ${port}`)));
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

async function answer(request: IncomingMessage, response: ServerResponse, source: MetricsSource): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const plain = { "content-type": "text/plain; charset=utf-8" };
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...plain, allow: "GET, HEAD" }).end("use GET\n");
  } else if (pathname === "/healthz") {
    const isHealthy = source.isHealthy();
    response.writeHead(isHealthy ? 200 : 503, plain).end(isHealthy ? "ok\n" : "no pass has ended recently\n");
  } else if (pathname === "/metrics") {
    const accepts = request.headers.accept ?? "";
    const page = await source.page(accepts.includes("application/openmetrics-text") ? "openmetrics" : "prometheus");
    response.writeHead(200, { "content-type": page.contentType }).end(page.text);
  } else {
    response.writeHead(404, plain).end("there are /metrics and /healthz\n");
  }
}

function explain(error: NodeJS.ErrnoException, where: string): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError("port-taken", `--listen: ${where} is in use: end what listens there, or give another port`);
  }
  if (error.code === "EACCES") {
    return new InputError("port-forbidden", `--listen: ${where} needs more permissions: give a port from 1024`);
  }
  const message = `--listen: can't listen on ${where} (${error.code}): give an address of this machine`;
  return new InputError("listen-impossible", message);
}
