import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ActivityServiceOptions, answerActivityRequest } from "../../lib/audit";

/** Sends a faulty response; `body` is the correct response body. */
export type Fault = (response: ServerResponse, body: string) => void;

export const faults = {
  refuse:
    (status: number, reason: string, headers: Readonly<Record<string, string>> = {}): Fault =>
    (response) => {
      const error = { code: status, message: `${reason} here`, errors: [{ domain: "usageLimits", reason }] };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
    },
  cut: (): Fault => (response) => void response.socket?.destroy(),
  /** Announces the length of the whole body, but closes the connection after half of it. */
  cutBody: (): Fault => (response, body) => {
    response.writeHead(200, { "content-length": String(Buffer.byteLength(body)) });
    response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
  },
  /** Closes the response normally after half of the page. */
  half: (): Fault => (response, body) => void response.end(body.slice(0, body.length / 2)),
  answer:
    (text: string, type = "application/json", status = 200): Fault =>
    (response) =>
      void response.writeHead(status, { "content-type": type }).end(text),
  /** Replaces `nextPageToken` in the response. */
  nextPageToken:
    (token: unknown): Fault =>
    (response, body) =>
      void response.end(JSON.stringify({ ...JSON.parse(body), nextPageToken: token })),
} as const;

/** A request that the server received. */
export interface SeenRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

export interface FaultyServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/**
 * Starts the project's service on a socket, with injected faults.
 *
 * @param plan the fault of a request by its number from 1
 */
export async function startFaultyServer(
  options: ActivityServiceOptions,
  plan: (number: number, request: SeenRequest) => Fault | undefined = () => undefined,
): Promise<FaultyServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname.startsWith("/_cloud/")) {
      // The client asks whether this is a rehearsal cloud with its own clock.
      response.writeHead(404).end();
      return;
    }
    const seen = { path: pathname, query: Object.fromEntries(searchParams), authorization: headers.authorization };
    requests.push(seen);
    const { status, body } = answerActivityRequest(
      { method, url, authorization: headers.authorization },
      // Tests of the client send requests with and without a token.
      { authorize: () => true, ...options },
    );
    const fault = plan(requests.length, seen);
    if (fault === undefined)
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    else fault(response, JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
