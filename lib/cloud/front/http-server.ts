import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CloudError } from "../cloud-error";
import { refusal, type WireAnswer, type WireRequest } from "./front";

/** Longest body that is read. */
const mostBodyBytes = 10 * 1024 * 1024;

export interface HttpServer {
  /** As in `http://127.0.0.1:8080/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Puts a front on a port of the loopback. @param port 0 takes a free one */
export async function startHttpServer(
  handle: (request: WireRequest) => Promise<WireAnswer>,
  { address = "127.0.0.1", port = 0 }: { readonly address?: string; readonly port?: number } = {},
): Promise<HttpServer> {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, response) => {
    void answerTo(incoming, response, handle);
  });
  server.keepAliveTimeout = 60_000;
  await listen(server, address, port);
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${bound.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function answerTo(
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: (request: WireRequest) => Promise<WireAnswer>,
): Promise<void> {
  try {
    const body = await readBody(incoming);
    const answer =
      body === undefined
        ? tooLarge()
        : await handle({
            httpMethod: incoming.method ?? "GET",
            target: incoming.url ?? "/",
            headers: incoming.headers as Readonly<Record<string, string | undefined>>,
            body,
          });
    if (answer.cut === true) incoming.socket.destroy();
    else
      response
        .writeHead(answer.status, { ...answer.headers, "content-length": Buffer.byteLength(answer.body) })
        .end(answer.body);
  } catch {
    // The client went away in the middle: there is nobody to answer.
    incoming.socket.destroy();
  }
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += (chunk as Buffer).byteLength;
    if (length > mostBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(): WireAnswer {
  const answer = refusal(
    new CloudError("INVALID_ARGUMENT", `the body is longer than ${mostBodyBytes} bytes`, { httpStatus: 413 }),
    "status",
  );
  return { ...answer, headers: { ...answer.headers, connection: "close" } };
}
