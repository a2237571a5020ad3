import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a free port of 127.0.0.1 that stops at the end of a test. */
export interface LoopbackServer extends AsyncDisposable {
  /** As in `http://127.0.0.1:40123/`. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, unchanged from the request. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts a server that answers with `answer` once the body has arrived. */
export async function startServer(
  answer: (request: ReceivedRequest, response: ServerResponse, count: number) => unknown,
): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = {
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(request);
    await answer(request, response, requests.length);
  });
  return { ...(await listen(server)), requests };
}

/** Serves a handler on a free port. */
export async function serve(handler: RequestListener): Promise<Omit<LoopbackServer, "requests">> {
  return listen(createServer(handler));
}

async function listen(server: Server): Promise<Omit<LoopbackServer, "requests">> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends an HTTP request with a body in JSON, and reads the answer. An empty answer is an empty object. */
export async function sendJson(httpMethod: string, url: URL, body?: object): Promise<JsonAnswer> {
  const response = await fetch(url, {
    method: httpMethod,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as JsonAnswer["body"]) };
}
