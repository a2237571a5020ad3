import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { InputError } from "../../errors";
import { CloudError } from "../cloud-error";
import { refusal, type WireAnswer, type WireRequest } from "./wire";

/** Longest body that is read. */
const mostBodyBytes = 10 * 1024 * 1024;
/** Longest body that is read to its end to be refused; a longer one is cut off. */
const mostDrainedBytes = 10 * mostBodyBytes;
const noOctets = Buffer.alloc(0);

export interface HttpServer {
  /** As in `http://127.0.0.1:8080/`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpServerOptions {
  /** @default "127.0.0.1" */
  readonly address?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** What it presents where it answers over TLS, PEM. @default - plain HTTP */
  readonly tls?: { readonly chainPem: string; readonly privateKeyPem: string };
}

/**
 * Puts a front on a port of the loopback.
 *
 * @throws InputError `port-taken`, `port-forbidden`
 */
export async function startHttpServer(
  handle: (request: WireRequest) => Promise<WireAnswer>,
  { address = "127.0.0.1", port = 0, tls }: HttpServerOptions = {},
): Promise<HttpServer> {
  const answer = (incoming: IncomingMessage, response: ServerResponse) => void answerTo(incoming, response, handle);
  const limits = { maxHeaderSize: 64 * 1024 };
  const server: Server =
    tls === undefined
      ? createServer(limits, answer)
      : createTlsServer({ ...limits, cert: tls.chainPem, key: tls.privateKeyPem }, answer);
  server.keepAliveTimeout = 60_000;
  await listen(server, address, port);
  const bound = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://${address.includes(":") ? `[${address}]` : address}:${bound.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(explain(error, address, port));
    server.once("error", refuse);
    server.listen(port, address, () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, address: string, port: number): Error {
  const where = `${address} port ${port}`;
  if (error.code === "EADDRINUSE") {
    return new InputError(
      "port-taken",
      `${where} is in use: end what listens there, give another port, or none for a free one`,
    );
  }
  if (error.code !== "EACCES") return error;
  return new InputError(
    "port-forbidden",
    `${where} may not be listened on by this user: give a port from 1024, or none for a free one`,
  );
}

async function answerTo(
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: (request: WireRequest) => Promise<WireAnswer>,
): Promise<void> {
  try {
    const octets = await readBody(incoming);
    const answer =
      octets === undefined
        ? tooLarge()
        : await handle({
            httpMethod: incoming.method ?? "GET",
            // Base addresses end with a slash, and not everybody who joins them with a path looks.
            target: (incoming.url ?? "/").replace(/^\/+/, "/"),
            headers: incoming.headers as Readonly<Record<string, string | undefined>>,
            octets,
            // Media are no text: nothing decodes their megabytes unless it asks.
            get body() {
              return octets.toString("utf8");
            },
          });
    if (answer.cut === true) incoming.socket.destroy();
    else
      response.writeHead(answer.status, { ...answer.headers, ...lengthOf(answer, incoming.method) }).end(answer.body);
  } catch {
    // The client went away in the middle: there is nobody to answer.
    incoming.socket.destroy();
  }
}

/** Undefined for one that is too long; what is too long is read to its end nevertheless, so that the client hears the answer. */
function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> | Buffer {
  const { "content-length": announced, "transfer-encoding": coding } = incoming.headers;
  if (coding === undefined && (announced === undefined || announced === "0")) {
    incoming.resume();
    return noOctets;
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= mostBodyBytes) chunks.push(chunk);
      else chunks = [];
      if (length > mostDrainedBytes) reject(new Error("the client sends without end"));
    });
    incoming.once("end", () => resolve(length > mostBodyBytes ? undefined : Buffer.concat(chunks)));
    incoming.once("error", reject);
    incoming.once("close", () => {
      // What has been read is closed as well, and an error costs a stack trace.
      if (!incoming.complete) reject(new Error("the client went away"));
    });
  });
}

/**
 * The length of an answer. One without content has none (RFC 9110, section 8.6); one to HEAD has that of the answer to GET, which only the service
 * that left the content out knows.
 */
function lengthOf({ status, body }: WireAnswer, method = "GET"): { readonly "content-length"?: number } {
  const isUnknown = method === "HEAD" && body === "";
  return status === 204 || status === 304 || isUnknown ? {} : { "content-length": Buffer.byteLength(body) };
}

function tooLarge(): WireAnswer {
  const answer = refusal(
    new CloudError("INVALID_ARGUMENT", `the body is longer than ${mostBodyBytes} bytes`, { httpStatus: 413 }),
    "status",
  );
  return { ...answer, headers: { ...answer.headers, connection: "close" } };
}
