import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { makeLoopbackCertificate } from "../../lib/cloud/certificate-authority";

/** A request that a provider sent, and the status of its answer. */
export interface SentRequest {
  readonly httpMethod: string;
  /** Path and query. */
  readonly target: string;
  /** @default - the request has no body */
  readonly body?: unknown;
  readonly status: number;
}

/** A proxy between a provider and the cloud that records the provider's requests. */
export interface Recorder extends AsyncDisposable {
  readonly url: string;
  /** Certificate of the CA to trust; for HTTPS only. */
  readonly trustBundlePem: string | undefined;
  /** Returns the requests since the last call. */
  take(): readonly SentRequest[];
}

/** @param overTls whether the recorder uses HTTPS, which providers before 7.26 require */
export async function startRecorder(cloudUrl: string, overTls: boolean): Promise<Recorder> {
  let sent: SentRequest[] = [];
  const relay = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url = "/", headers } = incoming;
    const body = await text(incoming);
    const answer = await fetch(new URL(url, cloudUrl), {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": headers["content-type"] ?? "" },
      ...(body === "" ? {} : { body }),
    });
    sent.push({
      httpMethod: method,
      target: url,
      ...(body.trim() === "" ? {} : { body: JSON.parse(body) as unknown }),
      status: answer.status,
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(await answer.text());
  };
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    relay(incoming, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  };
  const loopback = overTls ? await makeLoopbackCertificate(new Date()) : undefined;
  const server =
    loopback === undefined
      ? createServer(answer)
      : createTlsServer({ cert: loopback.chainPem, key: loopback.privateKeyPem }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${overTls ? "https" : "http"}://127.0.0.1:${port}/`,
    trustBundlePem: loopback?.trustBundlePem,
    take: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
