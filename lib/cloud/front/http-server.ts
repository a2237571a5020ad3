import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { InputError } from "../../errors";
import { foreignRequestReason } from "../../http";
import { CloudError } from "../cloud-error";
import { refusal, type WireAnswer, type WireRequest } from "./service";

/** Maximum length of a body, in bytes. */
const mostBodyBytes = 10 * 1024 * 1024;
/** Maximum length of a rejected body that is still read to its end, in bytes; beyond it, the connection is closed. */
const mostDrainedBytes = 10 * mostBodyBytes;
const noOctets = Buffer.alloc(0);

interface HttpServer {
  /** Base URL, for example `http://127.0.0.1:8080/`. */
  readonly url: string;
  close(): Promise<void>;
}

interface HttpServerOptions {
  readonly address?: string;
  /** Port; 0 selects a free port. @default 0 */
  readonly port?: number;
  /** Certificate chain and key for TLS, in PEM. @default - plain HTTP */
  readonly tls?: { readonly chainPem: string; readonly privateKeyPem: string };
}

/**
 * Serves a front on a loopback port. Requests for other hosts, and of pages of other sites, are refused.
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
  if (error.code === "EADDRINUSE")
    return new InputError(
      "port-taken",
      `${where} is in use: end what listens there, give another port, or none for a free one`,
    );
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
    const foreign = foreignRequestReason(incoming.headers);
    if (foreign !== undefined) {
      incoming.resume();
      const { status, headers, body } = refusal(new CloudError("PERMISSION_DENIED", foreign), "status");
      response.writeHead(status, { ...headers, connection: "close" }).end(body);
      return;
    }
    const octets = await readBody(incoming);
    const answer =
      octets === undefined
        ? tooLarge()
        : await handle({
            httpMethod: incoming.method ?? "GET",
            // Base URLs end with a slash, and some clients append a path that begins with a slash.
            target: (incoming.url ?? "/").replace(/^\/+/, "/"),
            headers: incoming.headers as Readonly<Record<string, string | undefined>>,
            octets,
            // Media are not text: decodes the body only on access, to save megabytes of decoding.
            get body() {
              return octets.toString("utf8");
            },
          });
    if (answer.cut === true) incoming.socket.destroy();
    else
      response.writeHead(answer.status, { ...answer.headers, ...lengthOf(answer, incoming.method) }).end(answer.body);
  } catch {
    // The client closed the connection or sent too many bytes, so no answer is possible.
    incoming.socket.destroy();
  }
}

/**
 * Reads a body. Returns undefined for a body above {@link mostBodyBytes}, but reads it to its end first, so that the
 * client receives the answer. Rejects above {@link mostDrainedBytes}.
 */
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
      // The stream also closes after a complete body, and creating an error costs a stack trace.
      if (!incoming.complete) reject(new Error("the client went away"));
    });
  });
}

/**
 * Returns the content length of an answer. An answer without content has no length (RFC 9110, section 8.6). An answer
 * to HEAD has the length of the answer to GET, which only the service knows.
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
