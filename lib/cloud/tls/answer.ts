import { createServer } from "node:http";
import type * as Http2 from "node:http2";
import type { TLSSocket } from "node:tls";
import type { AnsweredHandshake } from "./report";

interface AnsweredRequest extends Omit<AnsweredHandshake, "ok"> {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

export type Respond = (request: AnsweredRequest) => string;

export type TakeOver = (socket: TLSSocket, handshake: AnsweredHandshake) => void;

/** Supported protocols by their ALPN names, most preferred first. */
export const alpnProtocols: readonly string[] = ["h2", "http/1.1"];

const headers = { "content-type": "application/json; charset=utf-8" } as const;

/** Returns a function that answers 200 to every request, in HTTP/2 if the client chose it, otherwise in HTTP/1.1. */
export function createAnswerer(respond: Respond, idleMs: number): TakeOver {
  const answerHttp1 = createHttp1Answerer(respond, idleMs);
  let answerHttp2: TakeOver | undefined;
  return (socket, handshake) => {
    if (socket.alpnProtocol !== "h2") return answerHttp1(socket, handshake);
    answerHttp2 ??= createHttp2Answerer(respond, idleMs);
    answerHttp2(socket, handshake);
  };
}

// Neither of the two servers listens; Node's documentation allows the "connection" event for existing connections.

function createHttp1Answerer(respond: Respond, idleMs: number): TakeOver {
  const handshakes = new WeakMap<object, AnsweredHandshake>();
  const server = createServer(({ method = "GET", url = "/", socket }, response) => {
    const { ok: _, ...handshake } = handshakes.get(socket) as AnsweredHandshake;
    response.writeHead(200, headers).end(respond({ method, url, ...handshake }));
  });
  server.setTimeout(idleMs);
  return (socket, handshake) => {
    handshakes.set(socket, handshake);
    socket.setTimeout(idleMs, () => socket.destroy());
    // Most clients of a rehearsal only test the handshake; the HTTP server is used only for clients that send a
    // request.
    socket.once("readable", () => {
      const first: Buffer | null = socket.read();
      if (first === null) return socket.end();
      socket.unshift(first);
      return server.emit("connection", socket);
    });
  };
}

function createHttp2Answerer(respond: Respond, idleMs: number): TakeOver {
  // Loaded late, because few clients of a rehearsal use HTTP/2.
  const http2 = require("node:http2") as typeof Http2;
  const handshakes = new WeakMap<object, AnsweredHandshake>();
  const server = http2.createServer();
  server.on("stream", (stream, { ":method": method = "GET", ":path": url = "/" }) => {
    // The client may close the connection at any time; that is not an error of the server.
    stream.on("error", () => {});
    const { ok: _, ...handshake } = handshakes.get(stream.session as object) as AnsweredHandshake;
    stream.respond({ ":status": 200, ...headers }, { endStream: method === "HEAD" });
    if (method !== "HEAD") stream.end(respond({ method, url, ...handshake }));
  });
  server.setTimeout(idleMs);
  return (socket, handshake) => {
    server.once("session", (session) => handshakes.set(session, handshake));
    server.emit("connection", socket);
    // Without a `tls.Server`, a session on a TLS socket waits for this event.
    socket.emit("secureConnect");
  };
}
