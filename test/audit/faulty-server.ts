import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ActivityServiceOptions, answerActivityRequest } from "../../lib/audit";

/** How an answer goes wrong; `body` is what the service would have answered. */
export type Fault = (response: ServerResponse, body: string) => void;

export const faults = {
  refuse:
    (status: number, reason: string, headers: Readonly<Record<string, string>> = {}): Fault =>
    (response) => {
      const error = { code: status, message: `${reason} here`, errors: [{ domain: "usageLimits", reason }] };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
    },
  cut: (): Fault => (response) => void response.socket?.destroy(),
  /** Announces the whole body and breaks off in its midst. */
  cutBody: (): Fault => (response, body) => {
    response.writeHead(200, { "content-length": String(Buffer.byteLength(body)) });
    response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
  },
  /** Ends in good order, but with half of the page. */
  half: (): Fault => (response, body) => void response.end(body.slice(0, body.length / 2)),
  answer:
    (text: string, type = "application/json", status = 200): Fault =>
    (response) =>
      void response.writeHead(status, { "content-type": type }).end(text),
  /** Says that the next page has this token, whatever it has. */
  nextPageToken:
    (token: unknown): Fault =>
    (response, body) =>
      void response.end(JSON.stringify({ ...JSON.parse(body), nextPageToken: token })),
} as const;

/** A request as the server saw it. */
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
 * The project's service on a socket, with injected faults.
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
      // Whether this is a rehearsal cloud with a clock of its own: it is not.
      response.writeHead(404).end();
      return;
    }
    const seen = { path: pathname, query: Object.fromEntries(searchParams), authorization: headers.authorization };
    requests.push(seen);
    const { status, body } = answerActivityRequest({ method, url, authorization: headers.authorization }, options);
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
