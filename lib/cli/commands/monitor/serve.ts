import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { MetricsFormat, MetricsPage } from "../../../live/monitor";
import { type ListenPlace, listenAt, type RunningServer } from "../../listen";

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
export async function serveMetrics(place: ListenPlace, source: MetricsSource): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(request, response, source).catch(() => response.writeHead(500).end());
  });
  return listenAt(server, place, "--listen");
}

async function answer(request: IncomingMessage, response: ServerResponse, source: MetricsSource): Promise<void> {
  // Not a URL: the path of a request can be any text, such as '//'.
  const [pathname] = (request.url ?? "").split("?", 1);
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
